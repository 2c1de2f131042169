import { Button, Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useSend } from '../console/console.tsx';
import { emptying } from '../effects/labForms.ts';
import { Section } from './Section.tsx';

/** Empties the sandbox once the user confirms. */
export function EmptySection() {
  const send = useSend();
  const actor = useActorRef(emptying);
  useEffect(() => {
    const telling = actor.on('facts.changed', () => send({ type: 'facts.stale' }));
    return () => telling.unsubscribe();
  }, [actor, send]);
  const snapshot = useSelector(actor, (now) => now);
  const { failure } = snapshot.context;
  const mayAsk = snapshot.can({ type: 'empty.ask' });
  return (
    <Section
      id="lab-empty"
      title="Empty the sandbox"
      says="Deletes everything created in your sandbox: organisations, companies, subscriptions, debtors, creditors, batches, rules and the clock. Its credentials stay."
    >
      {snapshot.matches('refused') && failure && <FailurePanel problem={failure} />}
      <Flex gap="3" wrap="wrap" align="center">
        <Button variant="plain" aria-disabled={!mayAsk} onClick={() => actor.send({ type: 'empty.ask' })}>
          {snapshot.matches('emptying') ? 'Emptying …' : 'Empty the sandbox …'}
        </Button>
        <Text role="status">
          {snapshot.matches('emptied') && 'The sandbox is empty. The console’s records of it can no longer be used.'}
        </Text>
      </Flex>
      {snapshot.matches('asking') && (
        <ConfirmDialog
          title="Empty the sandbox?"
          confirmLabel="Empty the sandbox"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text>
            Deletes everything created in it. This cannot be undone. This console and other programs that use it have to
            start over. Other users’ data stays.
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
