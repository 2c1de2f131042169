import { useMemo } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { keyOf, matching } from '#rules/timeline.ts';
import { useWholeTimeline } from '#app/client/useTimeline.ts';
import { webhooksOf } from '#app/journey/inspector/exchanges.ts';
import { useWebhooksOf } from '#app/journey/inspector/useWebhooksOf.ts';

/** What belongs to an entry, oldest first: its interaction, the calls under its key, the webhooks that it led to. */
export interface Around {
  related: readonly TimelineEntry[];
  sameKey: readonly TimelineEntry[];
  webhooks: readonly TimelineEntry[];
}

const oldestFirst = (entries: readonly TimelineEntry[]) => entries.toSorted((one, other) => Number(one.id) - Number(other.id)); // prettier-ignore

/** What belongs to an entry among these. */
export function aroundIn(entry: TimelineEntry, entries: readonly TimelineEntry[]): Around {
  const related =
    entry.interactionId === '' ? [] : oldestFirst(matching(entries, { interaction: entry.interactionId }));
  const key = keyOf(entry);
  const sameKey =
    key === '' ? [] : oldestFirst(entries.filter((each) => each.kind === entry.kind && keyOf(each) === key));
  const isCall = entry.kind !== 'webhook';
  return {
    related,
    sameKey,
    webhooks: isCall
      ? webhooksOf(
          entry,
          entries.filter(({ kind }) => kind === 'webhook'),
        )
      : [],
  };
}

/** The same of the stored timeline, live. */
export function useAround(entry: TimelineEntry): Around {
  // An id that no entry has, rather than no condition.
  const related = useWholeTimeline({ interaction: entry.interactionId || 'none' });
  const keyed = useWholeTimeline({ interaction: keyOf(entry) || 'none' });
  const webhooks = useWebhooksOf(entry);
  return useMemo(() => {
    const all = [...related.entries, ...keyed.entries];
    return { ...aroundIn(entry, [...new Map(all.map((each) => [each.id, each])).values()]), webhooks: entry.kind === 'webhook' ? [] : webhooks }; // prettier-ignore
  }, [entry, related.entries, keyed.entries, webhooks]);
}
