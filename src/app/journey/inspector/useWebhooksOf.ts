import type { TimelineEntry } from '#contract/timeline.ts';
import { useTimeline, useWholeTimeline } from '#app/client/useTimeline.ts';
import { idsIn, webhooksOf } from './exchanges.ts';

/** The webhooks that answer an exchange or refer to what it created, newest first; none without an exchange. */
export function useWebhooksOf(exchange: TimelineEntry | undefined): TimelineEntry[] {
  const answers = useWholeTimeline({ kind: 'webhook', interaction: exchange?.interactionId });
  const [created] = exchange ? idsIn(exchange) : [];
  const about = useTimeline({ kind: 'webhook', text: created }, 100);
  const all = new Map([...answers.entries, ...about.entries].map((entry) => [entry.id, entry]));
  return webhooksOf(
    exchange,
    [...all.values()].sort((one, other) => Number(other.id) - Number(one.id)),
  );
}
