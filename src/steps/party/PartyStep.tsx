import { Box, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import { authoriseLinkOf } from '#machines/lib/messageOutcome.ts';
import type { debtorMachine } from '#machines/party/party.machine.ts';
import { Authorising } from '../kit/AuthorisePage.tsx';
import { Bar } from '#ui/Bar.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { PendingMessages, SendAgain } from '../kit/PendingMessages.tsx';
import { Waiting } from '#ui/Waiting.tsx';
import { isAwaited, isForwarded } from '#machines/lib/messaging.ts';
import { isOverdue } from '#machines/lib/state.ts';
import { waitText } from '#machines/names.ts';
import { useContextValues } from '../kit/useContextValues.ts';
import { withShortIds } from '#rules/shortId.ts';
import { useForm } from '../useForm.ts';
import { Callout } from '#ui/surfaces.tsx';

/** Debtors and creditors share one statechart. */
export type PartyActor = ActorRefFrom<typeof debtorMachine>;

interface PartyStepProps {
  actor: PartyActor;
  submitLabel: string;
  /** Noun for the party: 'debtor' or 'creditor'. */
  one: string;
}

/** The wait for the provider's webhook, with the actions available during it. */
function Answering({ actor, one }: PartyStepProps) {
  const { facts, messageId, outcome } = useContextValues(actor, 'facts', 'messageId', 'outcome');
  const overdue = useSelector(actor, ({ context }) => isOverdue(context));
  const authorising = useSelector(actor, (snapshot) => snapshot.matches('approving'));
  const {
    name = '',
    status = '',
    sentAt = '',
    forwarded = true,
    authorise = '',
    authoriseExpiresAt = '',
  } = outcome ?? {};
  const waits = useSelector(actor, isAwaited);
  const link = authoriseLinkOf(outcome);
  const { name: provider = '', capabilities = [] } = facts.provider ?? {};
  return (
    <>
      <Waiting
        overdue={overdue}
        sentAt={sentAt}
        actions={
          <>
            <SendAgain actor={actor} id={messageId} message={outcome} />
            <Bar
              leave={[{ label: 'Stop waiting', onPress: () => actor.send({ type: 'form.cancel' }) }]}
              secondary={[{ label: `Create another ${one}`, onPress: () => actor.send({ type: 'party.another' }) }]}
            />
          </>
        }
      >
        {name && `${name} sent. `}
        {waits && waitText(provider)}
        {status !== '' && ` Status: ${status}.`}
        {!forwarded && ' The outcome is unknown.'}
      </Waiting>
      <Authorising
        provider={provider}
        link={link}
        elsewhere={link === '' ? authorise : ''}
        expiresAt={authoriseExpiresAt}
        framed={capabilities.includes('IFramePermitted')}
        open={authorising}
        onOpen={() => actor.send({ type: 'authorise.open' })}
        onClose={() => actor.send({ type: 'authorise.close' })}
        status={status}
      >
        {[`New ${one}`, name].filter(Boolean).join(': ')}
      </Authorising>
    </>
  );
}

/**
 * Shown instead of sending when a message with the same values already awaits its answer, or when a debtor or creditor with
 * the same name and account `exists`, which the sentence names.
 */
function Already({ actor, one, exists }: PartyStepProps & { exists: boolean }) {
  const failure = useSelector(actor, ({ context }) => context.failure);
  return (
    <Callout role="alert" tone="waiting" size="sm" maxWidth="measure">
      <Text>
        {exists
          ? withShortIds(failure?.detail ?? '')
          : `A ${one} of this name and account is already waiting for the provider’s webhook. Nothing was sent.`}
      </Text>
      <Bar
        leave={[{ label: 'Cancel', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        secondary={[
          { label: `Create a second ${one} with these values`, onPress: () => actor.send({ type: 'party.again' }) },
        ]}
        {...(!exists && {
          primary: { label: 'Wait for the webhook', onPress: () => actor.send({ type: 'answer.await' }) },
        })}
      />
    </Callout>
  );
}

/** The form for a debtor or creditor, built from the provider's rules, and the wait for the provider's webhook. */
function PartyStep(props: PartyStepProps) {
  const { actor, submitLabel } = props;
  const form = useForm(actor);
  const pending = useSelector(actor, ({ context }) => context.pending);
  const messageId = useSelector(actor, ({ context }) => context.messageId);
  const answering = useSelector(
    actor,
    (snapshot) => snapshot.matches('approving') || (snapshot.matches('messaging') && isForwarded(snapshot)),
  );
  const already = useSelector(actor, (snapshot) => snapshot.matches('pending') || snapshot.matches('existing'));
  const exists = useSelector(actor, (snapshot) => snapshot.matches('existing'));
  return (
    <Box display="grid" gap="5">
      {answering && <Answering {...props} />}
      {already && <Already {...props} exists={exists} />}
      <FormFields {...form} submitLabel={submitLabel} bar={!answering && !already} />
      <PendingMessages actor={actor} messages={pending.filter((message) => message.messageId !== messageId)} />
    </Box>
  );
}

/** Creates a creditor: a payee (behaviour, section 2: /creditors). */
export function CreditorStep({ actor }: { actor: PartyActor }) {
  return <PartyStep actor={actor} submitLabel="Create creditor" one="creditor" />;
}

/** Creates a debtor: a bank account to pay from (behaviour, section 2: /debtors). */
export function DebtorStep({ actor }: { actor: PartyActor }) {
  return <PartyStep actor={actor} submitLabel="Create debtor" one="debtor" />;
}
