import { Box, chakra, Flex, Heading } from '@chakra-ui/react';
import { NavLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { addressOf, phaseOf, phases, type JourneyId } from '#machines/journeys.ts';
import { StatusDot } from '#ui/Badge.tsx';
import { guidedRows, type GuidedRow } from '../home/guidedRows.ts';

const Row = chakra(NavLink, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    px: '2',
    // Aligned with the phases' names, so that the longest name fits into one line.
    ms: '-2',
    py: '5px',
    borderRadius: 'sm',
    fontSize: 'sm',
    lineHeight: 'sm',
    color: 'fg',
    _hover: { bg: 'bg.muted' },
    '&[data-tone=idle]': { color: 'fg.faint' },
    '&[aria-current=step]': { bg: 'accent.subtle', color: 'accent', fontWeight: 'medium' },
  },
});

/** The steps of the guided path by phase, with the current one marked (behaviour, section 10.10). */
export function RailSteps({ current, facts }: { current: JourneyId; facts: Facts }) {
  const rows = guidedRows(facts);
  const of = (phase: string): GuidedRow[] => rows.filter(({ id }) => phaseOf(id) === phase);
  return (
    <Box as="ol" listStyleType="none">
      {phases
        .filter((phase) => of(phase).length > 0)
        .map((phase) => (
          <Box as="li" key={phase} _notFirst={{ mt: '4' }}>
            <Heading
              as="h2"
              id={`phase-${phase}`}
              fontSize="xs"
              lineHeight="xs"
              fontWeight="medium"
              letterSpacing="0"
              color="fg.faint"
              mb="1.5"
            >
              {phase}
            </Heading>
            <Box as="ol" listStyleType="none">
              {of(phase).map(({ id, name, tone, word }) => (
                <li key={id}>
                  <Row
                    to={addressOf(id, { guided: true })}
                    data-tone={tone}
                    aria-current={id === current ? 'step' : undefined}
                  >
                    <StatusDot tone={id === current ? 'next' : tone === 'done' ? 'done' : 'idle'} word={word} />
                    <span>{name}</span>
                  </Row>
                </li>
              ))}
            </Box>
          </Box>
        ))}
    </Box>
  );
}

/** The rail beside a step on a wide page. */
export function Rail({ current, facts }: { current: JourneyId; facts: Facts | null }) {
  return (
    <chakra.nav
      aria-label="Guided path"
      hideBelow="lg"
      _print={{ display: 'none' }}
      borderEndWidth="1px"
      bg="bg"
      gridRow="1 / -1"
    >
      <Flex
        direction="column"
        position="sticky"
        top="{sizes.top}"
        maxHeight="calc(100dvh - {sizes.top} - var(--below, 5rem))"
        overflow="auto"
        pt="6"
        pb="6"
        ps="6"
        pe="3"
      >
        {facts && <RailSteps current={current} facts={facts} />}
      </Flex>
    </chakra.nav>
  );
}
