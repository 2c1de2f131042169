import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { LabClock } from '#contract/lab.ts';
import { clockWords } from '#rules/lab.ts';
import { clockForm } from '#rules/labForms.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';
import { clockMove } from '#app/effects/labForms.ts';
import { LabForm } from './LabForm.tsx';
import { Columns, Section } from './Section.tsx';

const minute = 60_000;
/** Moves with one click: the lifetimes of file links and of tokens, and longer times. */
const moves = [
  ['+5 minutes', 5 * minute],
  ['+20 minutes', 20 * minute],
  ['+1 hour', 60 * minute],
  ['+1 day', 24 * 60 * minute],
] as const;

/** The clock's current time (ms), computed from its time when it was read; needs a new `key` for each reading. */
function useTime({ now, still }: LabClock, readAt: number): number {
  const [passed, setPassed] = useState(() => (still ? 0 : performance.now() - readAt));
  useEffect(() => {
    if (still) return undefined;
    const timer = setInterval(() => setPassed(performance.now() - readAt), 1000);
    return () => clearInterval(timer);
  }, [still, readAt]);
  return Date.parse(now) + passed;
}

function Reading({ clock, readAt }: { clock: LabClock; readAt: number }) {
  const iso = new Date(useTime(clock, readAt)).toISOString();
  return (
    <chakra.time dateTime={iso} fontFamily="mono" fontSize="xl" lineHeight="xl">
      {iso.slice(0, 10)} {iso.slice(11, 19)} UTC
    </chakra.time>
  );
}

/** Moves, stops and resets the sandbox's clock. */
export function ClockSection() {
  const { actor, known } = useResource(lab);
  if (!known) return null;
  const { clock, readAt } = known;
  return (
    <Section
      id="lab-clock"
      tabbed
      title="Clock"
      says="Tokens (20 minutes), links to authorise (15 minutes), links to payment files (5 minutes), consents and the steps of batches follow the sandbox’s clock. The timestamps of webhooks do not: receivers compare them with the real time."
    >
      <Columns>
        <Box display="grid" gap="3">
          <div>
            <Reading key={readAt} clock={clock} readAt={readAt} />
            <Text color={clockWords(clock) ? 'waiting' : 'fg.muted'}>{clockWords(clock) || 'The machine’s time'}</Text>
          </div>
          <Flex gap="2" wrap="wrap">
            {moves.map(([label, ms]) => (
              <ActButton key={label} size="sm" actor={actor} act={{ type: 'act', act: 'clock.move', ms }}>
                {label}
              </ActButton>
            ))}
          </Flex>
          <Flex gap="2" wrap="wrap">
            <ActButton size="sm" actor={actor} act={{ type: 'act', act: clock.still ? 'clock.run' : 'clock.hold' }}>
              {clock.still ? 'Start the clock' : 'Stop the clock'}
            </ActButton>
            <ActButton
              size="sm"
              actor={actor}
              act={{ type: 'act', act: 'clock.reset' }}
              blocked={clockWords(clock) ? '' : 'The clock is at the machine’s time'}
            >
              Back to machine time
            </ActButton>
          </Flex>
          <div>
            <ActButton
              size="sm"
              actor={actor}
              act={{ type: 'act', act: clock.everyDay ? 'clock.bankingDays' : 'clock.everyDay' }}
            >
              {clock.everyDay ? 'Process on banking days only' : 'Process on every day'}
            </ActButton>
            <Text color="fg.muted" fontSize="sm">
              {clock.everyDay
                ? 'Batches are processed on every day, also those that wait.'
                : 'Batches wait for the next banking day of their scheme.'}
            </Text>
          </div>
        </Box>
        <LabForm
          machine={clockMove}
          kind={clockForm}
          submitLabel="Move the clock"
          secondary
          said={(moved) => (
            <Text color="done">{clockWords(moved as LabClock) || 'The clock is at the machine’s time'}.</Text>
          )}
        />
      </Columns>
    </Section>
  );
}
