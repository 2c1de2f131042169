import { Box, chakra, Flex } from '@chakra-ui/react';
import { NavLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { MenuGroup } from '#machines/journey.ts';
import { addressOf, journeyOf, pagesOf, phaseOf, phases, referenceGroup, type JourneyId } from '#machines/journeys.ts';
import { StatusDot } from '#ui/Badge.tsx';
import { guidedRows, type GuidedRow } from '../page/guidedRows.ts';

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
    '&[aria-current]': { bg: 'accent.subtle', color: 'accent', fontWeight: 'medium' },
  },
});

/** The name of a list of the rail. No heading: it stands before the page's h1. */
const Title = chakra('p', {
  base: { fontSize: 'xs', lineHeight: 'xs', fontWeight: 'medium', color: 'fg.faint', mb: '1.5' },
});

/** The pages of a reference page's menu group. */
function GroupPages({ group }: { group: MenuGroup }) {
  return (
    <>
      <Title>{group}</Title>
      <Box as="ul" listStyleType="none">
        {pagesOf(group).map((id) => (
          <li key={id}>
            <Row to={addressOf(id)}>{journeyOf(id).title}</Row>
          </li>
        ))}
      </Box>
    </>
  );
}

/** What the rail leads to: "Guided path", or the menu group of a reference page. */
export const railName = (current: JourneyId): string => referenceGroup(current) ?? 'Guided path';

/** The pages of a reference page's group; for every other page the steps of the guided path. */
export function RailContent({ current, facts }: { current: JourneyId; facts: Facts }) {
  const group = referenceGroup(current);
  return group ? <GroupPages group={group} /> : <RailSteps current={current} facts={facts} />;
}

/** The steps of the guided path by phase, with the current one marked (behaviour, section 10.10). */
function RailSteps({ current, facts }: { current: JourneyId; facts: Facts }) {
  const rows = guidedRows(facts);
  const of = (phase: string): GuidedRow[] => rows.filter(({ id }) => phaseOf(id) === phase);
  return (
    <Box as="ol" listStyleType="none">
      {phases
        .filter((phase) => of(phase).length > 0)
        .map((phase) => (
          <Box as="li" key={phase} _notFirst={{ mt: '4' }}>
            <Title id={`phase-${phase}`}>{phase}</Title>
            <Box as="ol" listStyleType="none" aria-labelledby={`phase-${phase}`}>
              {of(phase).map(({ id, journey, name, tone, word }) => (
                <li key={id}>
                  <Row
                    to={addressOf(journey, { guided: true })}
                    data-tone={tone}
                    aria-current={[id, journey].includes(current) ? 'step' : undefined}
                  >
                    <StatusDot
                      tone={
                        [id, journey].includes(current) ? 'next' : tone === 'done' || tone === 'failed' ? tone : 'idle'
                      }
                      word={word}
                    />
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
      aria-label={railName(current)}
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
        {facts && <RailContent current={current} facts={facts} />}
      </Flex>
    </chakra.nav>
  );
}
