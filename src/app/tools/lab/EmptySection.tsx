import { Flex, Text } from '@chakra-ui/react';
import { ownersNamed } from '#rules/owners.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { emptying } from '#app/effects/labForms.ts';
import { savePlaying } from '#app/console/runStorage.ts';
import { Section } from './Section.tsx';

/** What a run has made is gone. */
const forgetRun = () => savePlaying(null);

/** Empties the sandbox once the user confirms. */
export function EmptySection() {
  const { actor, done, asked, acting, failure } = useResource(emptying, { acted: forgetRun });
  const { companies } = useFacts() ?? { companies: [] };
  return (
    <Section
      id="lab-empty"
      title="Empty the sandbox"
      says="Deletes everything created in your sandbox: organisations, companies, subscriptions, debtors, creditors, batches, rules and the clock, and the companies of this console with it. Its credentials stay."
    >
      {failure && <FailurePanel problem={failure} />}
      <Flex gap="3" wrap="wrap" align="center">
        <ActButton variant="plain" actor={actor} act={{ type: 'act', act: 'empty' }}>
          {acting ? 'Emptying …' : 'Empty the sandbox …'}
        </ActButton>
        <Text role="status">
          {done && 'The sandbox was emptied, and its companies were removed from this console.'}
        </Text>
      </Flex>
      {asked && (
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
