import { Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { retrying } from '#machines/lib/retry.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import type { RowsActor } from './useRows.ts';

/** The state of a list of the lab: loading or failed; with the `name` of what it lists, a button to read it again. */
export function ListState({ actor, name }: { actor: RowsActor; name?: string }) {
  const isReading = useSelector(actor, (snapshot) => snapshot.matches('reading'));
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  const failure = useSelector(actor, (snapshot) => (snapshot.hasTag('failed') ? snapshot.context.failure : null));
  return (
    <>
      {isReading && <Skeleton lines={2} />}
      {failure && <FailurePanel problem={failure} {...retrying(actor, failure)} />}
      {name && isListed && (
        <Flex>
          <ActButton size="sm" actor={actor} act={{ type: 'facts.stale' }} aria-label={`Refresh the ${name}`}>
            Refresh
          </ActButton>
        </Flex>
      )}
    </>
  );
}
