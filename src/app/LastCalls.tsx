import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { TimelineEntry } from '#contract/timeline.ts';
import { shortId } from '#steps/kit/shortId.ts';
import { relative } from '#steps/kit/Time.tsx';
import { Card } from '#steps/kit/Card.tsx';
import { call } from './client.ts';
import { useFacts } from './console.tsx';

/** How many calls the home page shows. */
const shown = 5;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** The path of an address, with its ids shortened. */
const pathOf = (url: string): string => url.replace(/^\w+:\/\/[^/]*/, '').replace(uuid, (id) => shortId(id));

/** What passed between console and service last, newest first; null until it was read. */
function useLastCalls(): readonly TimelineEntry[] | null {
  // Read anew with the facts: what changed them has called the service.
  const facts = useFacts();
  const [entries, setEntries] = useState<readonly TimelineEntry[] | null>(null);
  useEffect(() => {
    const reading = new AbortController();
    call('getTimeline', { query: { kind: 'service,webhook', limit: String(shown) }, signal: reading.signal }).then(
      ({ data }) => setEntries(data),
      // Where the server cannot be reached the page says so.
      () => !reading.signal.aborted && setEntries((before) => before ?? []),
    );
    return () => reading.abort();
  }, [facts]);
  return entries;
}

const toneOf = ({ kind, status }: TimelineEntry): string =>
  kind === 'webhook' ? 'accent' : status >= 200 && status < 400 ? 'done' : 'failed';

const took = ({ kind, at, ms }: TimelineEntry): string =>
  kind === 'webhook' ? relative(Date.parse(at), Date.now()) : `${Math.round(ms)} ms`;

function Row({ entry }: { entry: TimelineEntry }) {
  const { kind, status, method, url, name, reason } = entry;
  const text = kind === 'webhook' ? name : `${method} ${pathOf(url)}`;
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns="2.5rem minmax(0, 1fr) auto"
      gap="2"
      alignItems="center"
      height="8"
      fontFamily="mono"
      fontSize="xs"
    >
      <Box as="span" color={toneOf(entry)} title={reason || undefined}>
        {kind === 'webhook' ? 'hook' : status || 'none'}
      </Box>
      <Box as="span" title={text} overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
        {text}
      </Box>
      <Box as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
        {took(entry)}
      </Box>
    </Box>
  );
}

/** What passed between console and service last. */
export default function LastCalls() {
  const entries = useLastCalls();
  return (
    <Card as="section" aria-labelledby="last-calls" p="5" minHeight="15rem">
      <Flex align="center" justify="space-between" gap="2" pb="2">
        <Heading as="h2" id="last-calls">
          Last calls
        </Heading>
        <Link asChild fontSize="sm">
          <RouterLink to="/timeline">Timeline</RouterLink>
        </Link>
      </Flex>
      {entries?.length === 0 && (
        <Text fontSize="sm" color="fg.muted">
          None yet. What passes between the console and the service stands here.
        </Text>
      )}
      <Box as="ul" listStyleType="none">
        {entries?.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </Box>
    </Card>
  );
}
