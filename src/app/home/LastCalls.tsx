import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { TimelineEntry } from '#contract/timeline.ts';
import { serverNow } from '#ui/clock.ts';
import { withShortIds } from '#rules/shortId.ts';
import { pathOf } from '#rules/url.ts';
import { relative } from '#ui/Time.tsx';
import { Card } from '#ui/surfaces.tsx';
import { useTimeline } from '../client/useTimeline.ts';

/** Number of calls shown on the home page, and number of entries searched for the call that a webhook answers. */
const shown = 5;
const known = 30;

/** The path of a URL. Each id is shortened to its first characters, because space is limited. */
const shortPathOf = (url: string): string => withShortIds(pathOf(url)).replace(/….{4}/g, '…');

const toneOf = ({ kind, status }: TimelineEntry): string =>
  kind === 'webhook' ? 'accent' : status >= 200 && status < 400 ? 'done' : 'failed';

/** The duration of a call. For a webhook, the time since the call that it answers; if that is not found, its age. */
function took(entry: TimelineEntry, entries: readonly TimelineEntry[]): string {
  const { kind, interactionId, at, ms } = entry;
  if (kind !== 'webhook') return `${Math.round(ms)} ms`;
  const sent = entries.findLast(
    (each) => each.kind === 'service' && each.method !== 'GET' && each.interactionId === interactionId,
  );
  if (!sent) return relative(Date.parse(at), serverNow());
  return `+${(Math.max(0, Date.parse(at) - Date.parse(sent.at)) / 1000).toFixed(1)} s`;
}

function Row({ entry, entries }: { entry: TimelineEntry; entries: readonly TimelineEntry[] }) {
  const { kind, status, method, url, name, reason } = entry;
  const text = kind === 'webhook' ? name : `${method} ${shortPathOf(url)}`;
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns="2.5rem minmax(0, 1fr) auto"
      gap="2"
      alignItems="center"
      height="8"
      translate="no"
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
        {took(entry, entries)}
      </Box>
    </Box>
  );
}

/** The latest writes and webhooks between console and service; the page's own reads push none of them out. */
export function LastCalls() {
  const { entries, state } = useTimeline({ kind: 'service,webhook', reads: 'false' }, known);
  return (
    <Card as="section" aria-labelledby="last-calls" size="md" minHeight="15rem">
      <Flex align="center" justify="space-between" gap="2" pb="2">
        <Heading as="h2" id="last-calls">
          Last calls
        </Heading>
        <Link asChild fontSize="sm">
          <RouterLink to="/timeline">Timeline</RouterLink>
        </Link>
      </Flex>
      {entries.length === 0 && state !== 'loading' && (
        <Text fontSize="sm" color="fg.muted">
          No calls yet. Writes to the service and its webhooks appear here.
        </Text>
      )}
      <Box as="ul" listStyleType="none">
        {entries.slice(0, shown).map((entry) => (
          <Row key={entry.id} entry={entry} entries={entries} />
        ))}
      </Box>
    </Card>
  );
}
