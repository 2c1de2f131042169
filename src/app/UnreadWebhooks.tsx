import { Box, Button, Heading, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Webhook } from '#contract/entities.ts';
import { parse } from '#contract/json.ts';
import type { Problem } from '#contract/problem.ts';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';
import { JsonView } from '#steps/kit/JsonView.tsx';
import { call } from './client.ts';
import { useFacts } from './facts.tsx';

/** Webhooks that arrived and that no page has waited for, newest first, until they are marked as read. */
export function UnreadWebhooks() {
  const { facts, refresh } = useFacts();
  const [failure, setFailure] = useState<Problem | null>(null);
  const unread = parse(facts?.settings.webhookData || '[]') as Webhook[]; // the server assembles it by this shape
  if (unread.length === 0) return null;

  async function markRead() {
    const ids = JSON.stringify(unread.map(({ id }) => id));
    await call('setSetting', { body: { key: 'webhookData', value: ids } }).then(
      () => setFailure(null),
      (problem: Problem) => setFailure(problem),
    );
    await refresh();
  }

  return (
    <Box as="section" aria-label="Webhooks that nobody has read" display="grid" gap="2" pb="4">
      <Heading as="h3" size="md">
        Webhooks that nobody has read
      </Heading>
      <Text>
        {unread.length === 1 ? '1 webhook' : `${unread.length} webhooks`} arrived that no page was waiting for.
      </Text>
      <JsonView value={unread.toReversed()} what="webhooks" />
      {failure && <FailurePanel problem={failure} />}
      <div>
        <Button onClick={() => void markRead()}>Mark as read</Button>
      </div>
    </Box>
  );
}
