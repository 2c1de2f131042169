import { Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { stateOf } from '#machines/lib/state.ts';
import { ownersNamed } from '#rules/owners.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useFacts, useSend } from '../console/console.tsx';
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
  const { companies } = useFacts() ?? { companies: [] };
  const state = useSelector(actor, stateOf);
  const failure = useSelector(actor, ({ context }) => context.failure);
  return (
    <Section
      id="lab-empty"
      title="Empty the sandbox"
      says="Deletes everything created in your sandbox: organisations, companies, subscriptions, debtors, creditors, batches, rules and the clock, and the companies of this console with it. Its credentials stay."
    >
      {state === 'refused' && failure && <FailurePanel problem={failure} />}
      <Flex gap="3" wrap="wrap" align="center">
        <ActButton variant="plain" actor={actor} act={{ type: 'empty.ask' }}>
          {state === 'emptying' ? 'Emptying …' : 'Empty the sandbox …'}
        </ActButton>
        <Text role="status">
          {state === 'emptied' && 'The sandbox was emptied, and its companies were removed from this console.'}
        </Text>
      </Flex>
      {state === 'asking' && (
        <ConfirmDialog
          title="Empty the sandbox?"
          confirmLabel="Empty the sandbox"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text overflowWrap="anywhere">
            Deletes everything created in it. This cannot be undone. This console and other programs that use it have to
            start over. Other users’ data stays.
            {companies.length > 0 && ` Removes from this console: ${ownersNamed(companies)}.`}
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
