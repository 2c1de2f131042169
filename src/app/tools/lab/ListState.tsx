import { Flex } from '@chakra-ui/react';
import type { Act } from '#machines/lib/resource.machine.ts';
import type { ResourceActor, Shown } from '#machines/lib/resource.ts';
import { retrying } from '#machines/lib/retry.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';

/** The state of a list: loading or failed; with the `name` of what it lists, a button to read it again. */
export function ListState<Known, A extends Act, Result>({
  list: { actor, known, isReading, unread, failure },
  name,
}: {
  list: Shown<Known, A, Result> & { actor: ResourceActor<Known, A, Result> };
  name?: string;
}) {
  const problem = failure ?? unread;
  return (
    <>
      {isReading && <Skeleton lines={2} />}
      {problem && <FailurePanel problem={problem} {...retrying(actor, problem)} />}
      {name && known && (
        <Flex>
          <ActButton size="sm" actor={actor} act={{ type: 'reading.stale' }} aria-label={`Refresh the ${name}`}>
            Refresh
          </ActButton>
        </Flex>
      )}
    </>
  );
}
