import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { standingTitle, standingWords, isOpen } from '#rules/lab.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';

/** Maximum number of lines shown; the lab's page shows all. */
const shown = 2;

/** The button that stops what the lab is doing: faults and clock, or the clock alone. */
const stops = {
  all: { act: { type: 'act', act: 'lab.stop' }, label: 'Stop all', busy: 'Stopping …' },
  clock: { act: { type: 'act', act: 'clock.reset' }, label: 'Back to machine time', busy: 'Setting the clock …' },
} as const;

/** What the fault lab is doing, with a button that stops all of it. */
export function LabStanding() {
  const { actor, known, acting, failure } = useResource(lab);
  if (!known) return null;
  const lines = standingWords(known);
  const more = lines.length - shown;
  if (lines.length === 0) return null;
  const stop = known.rules.some(isOpen) ? stops.all : stops.clock;
  return (
    <Flex data-notice align="center" gap="3" fontSize="sm">
      <Box flex="1" minWidth="0" overflowWrap="anywhere">
        <Text as="span" fontWeight="medium">
          <chakra.span aria-hidden="true" color="waiting" me="1.5">
            △
          </chakra.span>
          {standingTitle(known)}.
        </Text>{' '}
        <Text as="span" color="fg.muted">
          {lines.slice(0, shown).join('. ')}
          {more > 0 && `, and ${more} more`}.
        </Text>{' '}
        {failure && <chakra.span color="failed">The last change failed: {failure.title}.</chakra.span>}{' '}
        <Link asChild>
          <RouterLink to="/sandbox">Fault lab</RouterLink>
        </Link>
      </Box>
      <ActButton size="sm" flex="none" actor={actor} act={stop.act}>
        {acting?.act === stop.act.act ? stop.busy : stop.label}
      </ActButton>
    </Flex>
  );
}
