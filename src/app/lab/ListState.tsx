import { Button, Flex } from '@chakra-ui/react';
import type { SnapshotFrom } from 'xstate';
import type { labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { retryOf } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import type { RowsActor } from './useRows.ts';

/** The state of a list of the lab: loading or failed, with a button to read it again. `name`: what it lists. */
export function ListState(props: { actor: RowsActor; snapshot: SnapshotFrom<typeof labRowsMachine>; name: string }) {
  const { actor, snapshot, name } = props;
  const { failure } = snapshot.context;
  return (
    <>
      {snapshot.matches('reading') && <Skeleton lines={2} />}
      {snapshot.hasTag('failed') && failure && (
        <FailurePanel
          problem={failure}
          retry={retryOf(snapshot, failure)}
          onRetry={() => actor.send({ type: 'retry' })}
        />
      )}
      {snapshot.hasTag('list') && (
        <Flex>
          <Button size="sm" aria-label={`Refresh the ${name}`} onClick={() => actor.send({ type: 'facts.stale' })}>
            Refresh
          </Button>
        </Flex>
      )}
    </>
  );
}
