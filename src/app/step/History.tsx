import { Box } from '@chakra-ui/react';
import { StatusDot } from '#ui/Badge.tsx';
import { namedMoment, preciseTime } from '#ui/dates.ts';
import type { EvidenceProps } from '#steps/kit/Evidence.tsx';
import { useTimeline } from '../api/useTimeline.ts';
import { batchEvents, messageEvents, type TimelineEvent } from './timelineEvents.ts';

function Row({ mark: { at, what, how, tone } }: { mark: TimelineEvent }) {
  const time = Number.isNaN(at) ? null : new Date(at);
  return (
    <Box
      as="li"
      position="relative"
      display="grid"
      gridTemplateColumns={{ base: '1rem minmax(0, 1fr)', sm: '1rem 5.5rem minmax(min-content, 1fr) fit-content(60%)' }}
      columnGap="3"
      alignItems="baseline"
      py="1.5"
      fontSize="sm"
      // The line to the next mark.
      _notLast={{
        _after: {
          content: '""',
          position: 'absolute',
          insetInlineStart: '7.5px',
          top: '6',
          bottom: '-2',
          borderInlineStartWidth: '1px',
          borderColor: 'border',
        },
      }}
    >
      <StatusDot tone={tone} gridRow={{ base: '1 / span 3', sm: 'auto' }} alignSelf="start" mt="0.5" zIndex={1} />
      <Box fontFamily="mono" fontSize="xs" color="fg.muted">
        {time && (
          <time dateTime={time.toISOString()} title={namedMoment(time)}>
            {preciseTime(time)}
          </time>
        )}
      </Box>
      <Box color={tone === 'failed' ? 'failed' : 'fg'} overflowWrap={{ base: 'anywhere', sm: 'break-word' }}>
        {what}
      </Box>
      <Box fontFamily="mono" fontSize="xs" color="fg.muted" overflowWrap="anywhere">
        {how}
      </Box>
    </Box>
  );
}

/** The marks in chronological order, or a placeholder while they load. */
function Marks({ marks, loading, label }: { marks: readonly TimelineEvent[]; loading: boolean; label: string }) {
  if (marks.length === 0) return loading ? <Box minHeight="8.5rem" /> : null;
  return (
    <Box as="ol" listStyleType="none" aria-label={label}>
      {marks.map((mark) => (
        <Row key={mark.id} mark={mark} />
      ))}
    </Box>
  );
}

function OfMessage({ id }: { id: string }) {
  const { entries, state } = useTimeline({ id, kind: 'service,webhook' }, 100);
  return <Marks label="History" marks={messageEvents(entries)} loading={state === 'loading'} />;
}

/**
 * Requests the posting and the webhooks separately, because a batch polled for a long time has too many readings for
 * one page of entries.
 */
function OfBatch({ id, ending }: { id: string; ending: string }) {
  const posted = useTimeline({ id, kind: 'service', status: '201' }, 10);
  const heard = useTimeline({ id, kind: 'webhook' }, 100);
  const read = useTimeline({ id, kind: 'service', status: '200' }, 100);
  const lists = [posted, heard, read];
  const marks = batchEvents(
    lists.flatMap(({ entries }) => entries),
    ending,
  );
  const loading = lists.some(({ state }) => state === 'loading');
  return <Marks label="States of the batch" marks={loading ? [] : marks} loading={loading} />;
}

/**
 * The history of a message, or the states of a batch, live from the timeline; renders nothing if the timeline no longer
 * has the entries.
 */
export function History({ of, id, ending = '' }: EvidenceProps) {
  return of === 'message' ? <OfMessage id={id} /> : <OfBatch id={id} ending={ending} />;
}
