import { Box, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { SubscriptionRow } from '#machines/subscription/rows.ts';
import { Bar } from '#ui/Bar.tsx';
import { FormFields } from '#ui/FormFields.tsx';
import { SendAgain } from '../kit/PendingMessages.tsx';
import { Waiting } from '#ui/Waiting.tsx';
import { isAwaited } from '#machines/lib/messaging.ts';
import { waitText } from '#machines/names.ts';
import { shortId } from '#rules/shortId.ts';
import { useMessage } from '../kit/useMessage.ts';
import { useForm } from '../useForm.ts';
import type { AuthorisationActor } from './RowAction.tsx';
import { Callout } from '#ui/surfaces.tsx';

interface UpdateFormProps {
  actor: AuthorisationActor;
  row: SubscriptionRow;
}

/** The wait for the answer to the update that was just sent, or to an identical one that was sent before. */
function Answering({ actor, row, onLeave }: UpdateFormProps & { onLeave: () => void }) {
  const { already, messageId, outcome, overdue } = useMessage(actor);
  return (
    <Waiting
      overdue={overdue}
      sentAt={outcome?.sentAt}
      actions={
        <>
          <SendAgain actor={actor} id={messageId} message={outcome} />
          <Bar leave={[{ label: 'Stop waiting', onPress: onLeave }]} />
        </>
      }
    >
      {already
        ? 'The same update is already waiting for the provider’s webhook. Nothing was sent.'
        : waitText(row.providerName)}
      {outcome?.forwarded === false && ' The outcome is unknown.'}
    </Waiting>
  );
}

/** Shown instead of sending when a different update of the same subscription awaits its answer. */
function Another({ actor, onLeave }: { actor: AuthorisationActor; onLeave: () => void }) {
  return (
    <Callout role="alert" tone="waiting" size="sm" maxWidth="measure">
      <Text>
        Another update of this subscription is waiting for the provider’s webhook. This one was not sent, because the
        provider could apply the two in either order.
      </Text>
      <Bar
        leave={[{ label: 'Cancel', onPress: onLeave }]}
        secondary={[{ label: 'Send this update as well', onPress: () => actor.send({ type: 'update.again' }) }]}
        primary={{ label: 'Wait for the webhook', onPress: () => actor.send({ type: 'answer.await' }) }}
      />
    </Callout>
  );
}

/** The form that changes a subscription's provider properties, then the wait for the provider's answer. */
export function UpdateForm({ actor, row }: UpdateFormProps) {
  const props = useForm(actor);
  const answering = useSelector(
    actor,
    (snapshot) => snapshot.matches({ updating: 'messaging' }) && isAwaited(snapshot),
  );
  const another = useSelector(actor, (snapshot) => snapshot.matches({ updating: 'another' }));
  const title = `Update subscription ${shortId(row.subscriptionId)}`;
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => section.current?.focus(), [answering]);
  return (
    <Box ref={section} tabIndex={-1} _focus={{ outline: 'none' }} borderTopWidth="1px" pt="4">
      {answering ? (
        <Box display="grid" gap="3" justifyItems="start">
          <Heading as="h2">{title}</Heading>
          <Answering actor={actor} row={row} onLeave={props.onCancel} />
        </Box>
      ) : (
        <Box display="grid" gap="5">
          {another && <Another actor={actor} onLeave={props.onCancel} />}
          <FormFields {...props} title={title} submitLabel="Send update" bar={!another} />
        </Box>
      )}
    </Box>
  );
}
