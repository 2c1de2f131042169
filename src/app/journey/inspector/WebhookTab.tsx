import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathOf } from '#rules/url.ts';
import { Badge } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { Body, Headers } from './Message.tsx';
import { CallLine } from './parts.tsx';

/**
 * The time between the call and the arrival of the webhook, for example "+1.4 s"; the time of day if the webhook is
 * older.
 */
const after = (from: string, to: string): ReactNode => {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < 0) return <Time at={to} />;
  return ms < 60_000 ? `+${(ms / 1000).toFixed(1)} s` : `+${Math.round(ms / 60_000)} min`;
};

const verdicts = {
  valid: <Badge tone="done">Signature valid</Badge>,
  invalid: <Badge tone="failed">Signature invalid</Badge>,
  '': null,
} as const;

/** The webhooks that answered a call, latest first. */
export function WebhookTab({ of, webhooks }: { of: TimelineEntry | undefined; webhooks: readonly TimelineEntry[] }) {
  return webhooks.map((entry) => (
    <Box as="section" key={entry.id} aria-label={`Webhook ${entry.name}`} borderBottomWidth="1px">
      <CallLine method={entry.method} path={pathOf(entry.url)} status={verdicts[entry.signature]}>
        {entry.name} · {of && after(of.at, entry.at)} · status {entry.status}
      </CallLine>
      <Body message={entry.request} what={`body of webhook ${entry.name}`} />
      <Headers headers={entry.request.headers} />
    </Box>
  ));
}
