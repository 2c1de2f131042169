import { Box, Heading } from '@chakra-ui/react';
import { member } from '#contract/member.ts';
import type { Message } from '#contract/message.ts';
import type { MessageKind } from '#contract/serviceCalls.ts';
import { Id } from '#ui/CopyButton.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { ActButton, type Acting } from './ActButton.tsx';

interface Repeat {
  type: 'message.sendAgain';
  id: string;
}

/**
 * Offers to resend a waiting message while it is unknown whether the service has received it. The message keeps its
 * idempotency key, so that the service does not process it twice.
 */
export function SendAgain(props: {
  actor: Acting<Repeat>;
  id: string;
  message: Partial<Pick<Message, 'forwarded' | 'state'>> | null;
  name?: string;
}) {
  const { actor, id, message, name } = props;
  if (message?.forwarded !== false || message.state !== 'waiting') return null;
  return (
    <ActButton
      size="sm"
      actor={actor}
      act={{ type: 'message.sendAgain', id }}
      aria-label={name ? `Send again ${name}` : undefined}
    >
      Send again
    </ActButton>
  );
}

/** The action of a message, by its kind. */
const verbs: Readonly<Record<MessageKind, string>> = {
  debtoraccountputs: 'Create or change debtor',
  creditorputs: 'Create or change creditor',
  debtoraccountdeletes: 'Delete debtor',
  creditordeletes: 'Delete creditor',
  updates: 'Update subscription',
  debtoraccountlistqueries: 'Query debtors',
  creditorlistqueries: 'Query creditors',
};

/** The messages that await the provider's answer, in the given order; renders nothing if there are none. */
export function PendingMessages({ actor, messages }: { actor: Acting<Repeat>; messages: readonly Message[] }) {
  if (messages.length === 0) return null;
  return (
    <Box as="section" aria-label="Waiting for the provider’s webhook" display="grid" gap="2">
      <Heading as="h2" size="md">
        Waiting for the provider’s webhook
      </Heading>
      <Box as="ul" listStyleType="none" display="grid" gap="2">
        {messages.map((message) => {
          const { messageId, kind, name, resourceId, state, status, sentAt, forwarded } = message;
          return (
            <Box as="li" key={messageId} overflowWrap="anywhere">
              {member<string>(verbs, kind) ?? kind} {name && <strong>{name}</strong>}{' '}
              <Id value={resourceId} what="the id" />{' '}
              <Badge tone={state === 'accepted' ? toneOf(status) : state === 'refused' ? 'failed' : 'waiting'}>
                {status || 'Sent'}
              </Badge>{' '}
              {sentAt !== '' && <Time at={sentAt} />}
              {!forwarded && ' (outcome unknown) '}
              <SendAgain actor={actor} id={messageId} message={message} name={name || resourceId} />
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
