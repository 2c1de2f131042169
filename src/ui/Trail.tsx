import { Box, chakra } from '@chakra-ui/react';
import { Fragment, useState, type MouseEvent, type ReactNode } from 'react';
import { durationText } from '#rules/duration.ts';
import { Course } from './plots/Course.tsx';
import { namedMoment, preciseTime } from './dates.ts';
import { StatusDot, type Tone } from './Badge.tsx';
import { useArrival } from './useArrival.ts';

/** One event of a trail. */
export interface TrailEvent {
  id: string;
  /** Time in ms since the epoch; NaN if it has not happened yet. */
  at: number;
  what: ReactNode;
  /** The call or webhook that reported it. */
  how: ReactNode;
  tone: Extract<Tone, 'done' | 'failed' | 'waiting' | 'partial' | 'back' | 'idle'>;
  /** Opens that call or webhook; absent if it cannot be shown. */
  open?: { chosen: boolean; press: () => void } | undefined;
}

/** Shortest time (ms) without an event that is named between its neighbours. */
const shortestIdle = 60_000;

/** A long time in which nothing happened, folded into one line. */
const Idle = ({ ms }: { ms: number }) => (
  <Box as="li" ps="7" py="0.5" fontSize="xs" color="fg.muted">
    {durationText(ms)} later
  </Box>
);

/** The evidence of an event, as a button if it can be opened. */
function How({ event: { how, open } }: { event: TrailEvent }) {
  if (!open) return how;
  return (
    <chakra.button
      type="button"
      aria-expanded={open.chosen}
      color={open.chosen ? 'accent' : 'inherit'}
      textAlign={{ base: 'start', sm: 'end' }}
      textDecoration="underline"
      textDecorationColor="border.control"
      textUnderlineOffset="3px"
      cursor="pointer"
      minHeight="6"
      onClick={open.press}
    >
      {how}
    </chakra.button>
  );
}

/** One event; `isNew` slides it in from the event before it. */
function Row({ event, isNew }: { event: TrailEvent; isNew: boolean }) {
  const row = useArrival<HTMLLIElement>('translateY(-12px)', isNew);
  const { at, what, tone, open } = event;
  const time = Number.isNaN(at) ? null : new Date(at);
  return (
    <chakra.li
      ref={row}
      position="relative"
      display="grid"
      gridTemplateColumns={{
        base: '1rem minmax(0, 1fr)',
        sm: '1rem 6.25rem minmax(min-content, 1fr) fit-content(60%)',
      }}
      columnGap="3"
      alignItems="baseline"
      py="1"
      mx="-2"
      px="2"
      borderRadius="sm"
      fontSize="sm"
      data-lit={open?.chosen || undefined}
      {...(open && {
        cursor: 'pointer',
        bg: open.chosen ? 'accent.subtle' : undefined,
        _hover: { bg: open.chosen ? 'accent.subtle' : 'bg.subtle' },
        onClick: ({ target }: MouseEvent) => {
          if (!(target as Element).closest('button, a') && getSelection()?.type !== 'Range') open.press(); // a click's target is an element
        },
      })}
      // The line to the next event.
      _notLast={{
        _after: {
          content: '""',
          position: 'absolute',
          insetInlineStart: '15.5px',
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
        <How event={event} />
      </Box>
    </chakra.li>
  );
}

/**
 * Events in their order, each with its time and what reported it; those that happen while it is shown slide in. A long
 * time between two of them is one line. The line above shows how long each state lasted.
 */
export function Trail({ events, label }: { events: readonly TrailEvent[]; label: string }) {
  const [first] = useState(() => new Set(events.map(({ id }) => id)));
  return (
    <>
      <Course states={events.filter(({ at }) => !Number.isNaN(at))} open={events.at(-1)?.tone === 'waiting'} />
      <Box as="ol" listStyleType="none" aria-label={label}>
        {events.map((event, index) => {
          const idle = event.at - (events[index - 1]?.at ?? NaN);
          return (
            <Fragment key={event.id}>
              {idle >= shortestIdle && <Idle ms={idle} />}
              <Row event={event} isNew={!first.has(event.id)} />
            </Fragment>
          );
        })}
      </Box>
    </>
  );
}
