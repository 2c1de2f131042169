import { Box, Button, Heading } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { Snapshot, Subscribable } from 'xstate';
import type { Message } from '#contract/message.ts';
import { Id } from '#ui/CopyButton.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';

interface Repeat {
  type: 'message.sendAgain';
  id: string;
}

/** The part of an actor that can resend a message. */
interface Repeating {
  getSnapshot: () => Snapshot<unknown> & { can: (event: Repeat) => boolean };
  subscribe: Subscribable<ReturnType<Repeating['getSnapshot']>>['subscribe'];
  send: (event: Repeat) => void;
}

/**
 * Offers to resend a waiting message while it is unknown whether the service has received it. The message keeps its
 * idempotency key, so that the service does not process it twice.
 */
export function SendAgain(props: {
  actor: Repeating;
  id: string;
  message: Partial<Pick<Message, 'forwarded' | 'state'>> | null;
  name?: string;
}) {
  const { actor, id, message, name } = props;
  const event = { type: 'message.sendAgain', id } as const;
  const may = useSelector(actor, (snapshot) => snapshot.can(event));
  if (message?.forwarded !== false || message.state !== 'waiting') return null;
  return (
    <Button
      size="sm"
      aria-disabled={!may}
      aria-label={name ? `Send again ${name}` : undefined}
      onClick={() => actor.send(event)}
    >
      Send again
    </Button>
  );
}

/** The action of a message, by its kind. */
const verbs: Readonly<Record<string, string>> = {
  debtoraccountputs: 'Create or change debtor',
  creditorputs: 'Create or change creditor',
  debtoraccountdeletes: 'Delete debtor',
  creditordeletes: 'Delete creditor',
  updates: 'Update subscription',
};

/** The messages that await the provider's answer, in the given order; renders nothing if there are none. */
export function PendingMessages({ actor, messages }: { actor: Repeating; messages: readonly Message[] }) {
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
              {verbs[kind] ?? kind} {name && <strong>{name}</strong>} <Id value={resourceId} what="the id" />{' '}
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
