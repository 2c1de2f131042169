import { Button, Heading, Text } from '@chakra-ui/react';
import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import { counted } from '#rules/counted.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { call } from '../api/client.ts';
import { useFacts } from '../console/console.tsx';
import { Stack } from '#ui/surfaces.tsx';

type Page = Answer<'listWebhooks'>;

/** The number of unread webhooks, how many of them are shown, and how many were discarded. */
const said = ({ data, total, lost }: Page): string =>
  [
    ...(total === 0 ? [] : [`${counted(total, 'webhook')} not read by any page yet.`]),
    ...(data.length < total ? [`Shows the latest ${data.length}. Mark them as read to see older ones.`] : []),
    ...(lost > 0 ? [`${counted(lost, 'webhook')} deleted because too many were unread.`] : []),
  ].join(' ');

/** Unread webhooks, newest first, one page at a time, until they are marked as read. */
export function UnreadWebhooks() {
  // Reloaded with the facts, because a page's actions may have marked some webhooks as read.
  const facts = useFacts();
  const [page, setPage] = useState<Page | null>(null);
  const [failure, setFailure] = useState<Problem | null>(null);
  const [marking, setMarking] = useState(false);
  const read = useCallback(
    (signal?: AbortSignal) =>
      call('listWebhooks', signal ? { signal } : {}).then(
        (answer) => !signal?.aborted && (setPage(answer), setFailure(null)),
        (problem: Problem) => !signal?.aborted && setFailure(problem),
      ),
    [],
  );
  useEffect(() => {
    const reading = new AbortController();
    void read(reading.signal);
    return () => reading.abort();
  }, [read, facts]);
  if (!page || (page.total === 0 && page.lost === 0)) return failure && <FailurePanel problem={failure} />;

  async function markRead(ids: readonly string[]) {
    if (marking) return;
    setMarking(true);
    const value = JSON.stringify(ids);
    await call('setSetting', { body: { key: 'webhookData', value } }).then(
      () => read(),
      (problem: Problem) => setFailure(problem),
    );
    setMarking(false);
  }

  return (
    <Stack as="section" aria-label="Unread webhooks" gap="2" px="5" py="3" borderBottomWidth="1px">
      <Heading as="h3" size="md">
        Unread webhooks
      </Heading>
      <Text>{said(page)}</Text>
      <JsonView value={page.data} what="webhooks" />
      {failure && <FailurePanel problem={failure} />}
      <div>
        <Button aria-disabled={marking} onClick={() => void markRead(page.data.map(({ id }) => id))}>
          {marking ? 'Marking …' : 'Mark as read'}
        </Button>
      </div>
    </Stack>
  );
}
