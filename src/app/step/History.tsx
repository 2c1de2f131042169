import { Box } from '@chakra-ui/react';
import { Trail } from '#ui/Trail.tsx';
import type { EvidenceProps } from '#steps/kit/Evidence.tsx';
import { useTimeline } from '../api/useTimeline.ts';
import { batchEvents, messageEvents, type TimelineEvent } from './timelineEvents.ts';

/** The marks in chronological order, or a placeholder while they load. */
function Marks({ marks, loading, label }: { marks: readonly TimelineEvent[]; loading: boolean; label: string }) {
  if (marks.length === 0) return loading ? <Box minHeight="8.5rem" /> : null;
  return <Trail label={label} events={marks} />;
}

function OfMessage({ id, since }: { id: string; since: string | undefined }) {
  const { entries, state } = useTimeline({ id, kind: 'service,webhook' }, 100);
  return <Marks label="History" marks={messageEvents(entries, since)} loading={state === 'loading'} />;
}

/**
 * Requests the posting and the webhooks separately, because a batch polled for a long time has too many readings for
 * one page of entries.
 */
function OfBatch({ id, since, ending }: { id: string; since: string | undefined; ending: string }) {
  const posted = useTimeline({ id, kind: 'service', status: '201' }, 10);
  const heard = useTimeline({ id, kind: 'webhook' }, 100);
  const read = useTimeline({ id, kind: 'service', status: '200' }, 100);
  const lists = [posted, heard, read];
  const marks = batchEvents(
    lists.flatMap(({ entries }) => entries),
    ending,
    since,
  );
  const loading = lists.some(({ state }) => state === 'loading');
  return <Marks label="States of the batch" marks={loading ? [] : marks} loading={loading} />;
}

/**
 * The history of a message, or the states of a batch, live from the timeline; renders nothing without any entry. A
 * history that lacks its beginning says so.
 */
export function History({ of, id, since, ending = '' }: EvidenceProps) {
  return of === 'message' ? <OfMessage id={id} since={since} /> : <OfBatch id={id} since={since} ending={ending} />;
}
