import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { namedMoment, preciseTime } from './dates.ts';
import { StatusDot, type Tone } from './Badge.tsx';

/** One event of a trail. */
export interface TrailEvent {
  id: string;
  /** Time in ms since the epoch; NaN if it has not happened yet. */
  at: number;
  what: ReactNode;
  /** The call or webhook that reported it. */
  how: ReactNode;
  tone: Extract<Tone, 'done' | 'failed' | 'waiting'>;
}

function Row({ event: { at, what, how, tone } }: { event: TrailEvent }) {
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
      // The line to the next event.
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

/** Events in their order, each with its time and what reported it. */
export function Trail({ events, label }: { events: readonly TrailEvent[]; label: string }) {
  return (
    <Box as="ol" listStyleType="none" aria-label={label}>
      {events.map((event) => (
        <Row key={event.id} event={event} />
      ))}
    </Box>
  );
}
