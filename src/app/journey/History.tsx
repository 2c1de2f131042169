import { Box } from '@chakra-ui/react';
import { use, useEffect } from 'react';
import type { Made } from '#contract/facts.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Trail } from '#ui/Trail.tsx';
import type { EvidenceProps } from '#steps/kit/Evidence.tsx';
import { useTimeline, useWholeTimeline } from '../client/useTimeline.ts';
import { ChosenEvidenceContext } from './inspector/chosenEvidence.ts';
import { makingOf } from './inspector/records.ts';
import { batchEvents, creationEvent, isAbout, messageEvents, type TimelineEvent } from './timelineEvents.ts';

/**
 * The events in chronological order, or a placeholder while they load. Choosing one opens its call or webhook in the
 * inspector.
 */
function Events(props: {
  events: readonly TimelineEvent[];
  loading: boolean;
  label: string;
  /** The call that the webhooks among the events answer. */
  call: TimelineEntry | undefined;
  /** How many events there usually are, for whose line and rows the placeholder has room. */
  usual?: number;
}) {
  const { events, loading, label, call, usual = 3 } = props;
  const chosen = use(ChosenEvidenceContext);
  const choose = chosen?.choose;
  useEffect(() => () => choose?.(null), [choose]);
  if (events.length === 0)
    return loading ? (
      <Box minHeight={{ base: `${2.5 + usual * 4.5625}rem`, sm: `${2.5 + usual * 2.0625}rem` }} />
    ) : null;
  const opening = ({ entry }: TimelineEvent) => {
    if (!entry || !chosen) return undefined;
    const isChosen = chosen.id === entry.id;
    const evidence = entry.kind === 'webhook' ? { call, webhook: entry } : { call: entry, webhook: undefined };
    return { chosen: isChosen, press: () => chosen.choose(isChosen ? null : evidence) };
  };
  return <Trail label={label} events={events.map((event) => ({ ...event, open: opening(event) }))} />;
}

/** The history of a message: its calls and the webhooks that answer them. */
export function OfMessage({ id, since }: { id: string; since: string | undefined }) {
  const { entries, state } = useWholeTimeline({ interaction: id, kind: 'service,webhook' });
  const call = makingOf(entries, id);
  return <Events label="History" events={messageEvents(entries, since)} loading={state === 'loading'} call={call} />;
}

/**
 * Requests the posting and the webhooks separately and as a whole, because a batch polled for a long time has too many
 * readings for one page of entries.
 */
export function OfBatch({ id, since, ending }: { id: string; since: string | undefined; ending: string }) {
  const posted = useWholeTimeline({ text: id, kind: 'service', status: '201' });
  const heard = useWholeTimeline({ text: id, kind: 'webhook' });
  const read = useTimeline({ text: id, kind: 'service', status: '200' }, 100);
  const lists = [posted, heard, read];
  const loading = lists.some(({ state }) => state === 'loading');
  const entries = [...new Map(lists.flatMap((list) => list.entries).map((entry) => [entry.id, entry])).values()];
  const events = loading ? [] : batchEvents(entries, ending, since);
  const [call] = posted.entries;
  return <Events label="History" events={events} loading={loading} call={call} usual={4} />;
}

/** The history of a subscription: the call that created it, and the states that webhooks have reported since. */
export function OfSubscription({ made: { id, interactionId, at } }: { made: Made }) {
  const sent = useWholeTimeline({ interaction: interactionId, kind: 'service' });
  const heard = useWholeTimeline({ text: id, kind: 'webhook' });
  const loading = sent.state === 'loading' || heard.state === 'loading';
  const call = makingOf(sent.entries, interactionId);
  const entries = [...(call ? [call] : []), ...heard.entries.filter((entry) => isAbout(id, entry))];
  const events = loading ? [] : batchEvents(entries, '', at);
  return <Events label="History" events={events} loading={loading} call={call} />;
}

/** The call that created a record without further states. */
export function OfCreation({ made }: { made: Made }) {
  const { entries } = useWholeTimeline({ interaction: made.interactionId, kind: 'service' });
  const call = makingOf(entries, made.interactionId);
  return <Events label="History" events={[creationEvent(made, call)]} loading={false} call={call} />;
}

/**
 * The history of a message, or the states of a batch, live from the timeline; renders nothing without any entry. A
 * history that lacks its beginning says so.
 */
export function History({ of, id, since, ending = '' }: EvidenceProps) {
  return of === 'message' ? <OfMessage id={id} since={since} /> : <OfBatch id={id} since={since} ending={ending} />;
}
