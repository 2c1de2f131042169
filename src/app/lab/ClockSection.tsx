import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useState, useId } from 'react';
import type { LabClock } from '#contract/labCalls.ts';
import { clockWords } from '#rules/lab.ts';
import { clockForm } from '#rules/labForms.ts';
import { clockMove } from '../effects/labForms.ts';
import { LabForm } from './LabForm.tsx';
import { Columns, Section } from './Section.tsx';
import type { LabActor } from './useLab.ts';

const minute = 60_000;
/** Moves with one click: the lifetimes of file links and of tokens, and longer times. */
const moves = [
  ['+5 minutes', 5 * minute],
  ['+20 minutes', 20 * minute],
  ['+1 hour', 60 * minute],
  ['+1 day', 24 * 60 * minute],
] as const;

const acts = ['clock.hold', 'clock.run', 'clock.reset'] as const;

/** The clock's current time (ms), computed from its time at mounting; needs a new `key` for each reading. */
function useTime({ now, still }: LabClock): number {
  const [read] = useState(() => performance.now());
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    if (still) return undefined;
    const timer = setInterval(() => setPassed(performance.now() - read), 1000);
    return () => clearInterval(timer);
  }, [still, read]);
  return Date.parse(now) + passed;
}

function Reading({ clock }: { clock: LabClock }) {
  const iso = new Date(useTime(clock)).toISOString();
  return (
    <chakra.time dateTime={iso} fontFamily="mono" fontSize="xl" lineHeight="xl">
      {iso.slice(0, 10)} {iso.slice(11, 19)} UTC
    </chakra.time>
  );
}

/** Moves, stops and resets the sandbox's clock. */
export function ClockSection({ actor }: { actor: LabActor }) {
  const clock = useSelector(actor, ({ context: { lab } }) => lab?.clock);
  const can = useSelector(actor, (snapshot) => acts.filter((type) => snapshot.can({ type })).join(' '));
  const standing = useId();
  const may = (type: (typeof acts)[number]) => ({
    size: 'sm' as const,
    'aria-disabled': !can.split(' ').includes(type),
    'aria-describedby': standing,
    onClick: () => actor.send({ type }),
  });
  if (!clock) return null;
  return (
    <Section
      id="lab-clock"
      title="Clock"
      says="Tokens (20 minutes), links to authorise (15 minutes), links to payment files (5 minutes), consents and the steps of batches follow the sandbox’s clock. The timestamps of webhooks do not: receivers compare them with the real time."
    >
      <Columns>
        <Box display="grid" gap="3">
          <div>
            <Reading key={`${clock.now} ${clock.offset}`} clock={clock} />
            <Text id={standing} color={clockWords(clock) ? 'waiting' : 'fg.muted'}>
              {clockWords(clock) || 'The machine’s time'}
            </Text>
          </div>
          <Flex gap="2" wrap="wrap">
            {moves.map(([label, ms]) => (
              <Button key={label} size="sm" onClick={() => actor.send({ type: 'clock.move', ms })}>
                {label}
              </Button>
            ))}
          </Flex>
          <Flex gap="2" wrap="wrap">
            {clock.still ? (
              <Button {...may('clock.run')}>Start the clock</Button>
            ) : (
              <Button {...may('clock.hold')}>Stop the clock</Button>
            )}
            <Button {...may('clock.reset')}>Back to machine time</Button>
          </Flex>
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
