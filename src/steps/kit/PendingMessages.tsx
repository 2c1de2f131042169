import { Box, Heading } from '@chakra-ui/react';
import type { Message } from '#contract/entities.ts';
import { Id } from './CopyButton.tsx';
import { StatusWord } from './StatusWord.tsx';
import { Time } from './Time.tsx';

/** What a message does, by its kind. */
const verbs: Readonly<Record<string, string>> = {
  debtoraccountputs: 'Create or change debtor',
  creditorputs: 'Create or change creditor',
  debtoraccountdeletes: 'Delete debtor',
  creditordeletes: 'Delete creditor',
  updates: 'Update subscription',
};

/** Messages that await the provider's answer, the latest first; nothing if there are none. */
export function PendingMessages({ messages }: { messages: readonly Message[] }) {
  if (messages.length === 0) return null;
  return (
    <Box as="section" aria-label="Awaiting the provider’s answer" display="grid" gap="2">
      <Heading as="h2" size="md">
        Awaiting the provider’s answer
      </Heading>
      <Box as="ul" listStyleType="none" display="grid" gap="2">
        {messages.map(({ messageId, kind, name, resourceId, status, sentAt, forwarded }) => (
          <Box as="li" key={messageId} overflowWrap="anywhere">
            {verbs[kind] ?? kind} {name && <strong>{name}</strong>} <Id value={resourceId} what="the id" />{' '}
            <StatusWord tone="waiting">{status || 'Sent'}</StatusWord> {sentAt !== '' && <Time at={sentAt} />}
            {!forwarded && ' (whether the service has it is not known)'}
          </Box>
        ))}
      </Box>
    </Box>
  );
}
