import { Box, chakra, Flex } from '@chakra-ui/react';
import { NavLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { MenuGroup } from '#machines/journey.ts';
import { addressOf, journeyOf, pagesOf, phaseOf, referenceGroup, type JourneyId } from '#machines/journeys.ts';
import { StatusDot } from '#ui/Badge.tsx';
import type { GuidedRow } from '../frame/guidedRows.ts';
import { phaseRows } from '../frame/phaseRows.ts';

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

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minHeight: '6',
    fontSize: 'sm',
    lineHeight: 'sm',
    cursor: 'pointer',
    listStyle: 'none',
    _after: { content: '"▾" / ""', marginInlineStart: 'auto', color: 'fg.faint' },
    'details[open] > &': { _after: { content: '"▴" / ""' } },
    '&::-webkit-details-marker': { display: 'none' },
  },
});

const Steps = chakra('ol', { base: { listStyleType: 'none' } });

function Step({ row: { id, journey, name, tone, word }, current }: { row: GuidedRow; current: JourneyId }) {
  const isHere = id === current || journey === current;
  return (
    <li>
      <Row to={addressOf(journey, { guided: true })} data-tone={tone} aria-current={isHere ? 'step' : undefined}>
        <StatusDot tone={isHere ? 'next' : tone === 'done' || tone === 'failed' ? tone : 'idle'} word={word} />
        <span>{name}</span>
      </Row>
    </li>
  );
}

/** The steps of the guided path by phase: those of the current step's phase, the other phases folded (behaviour, section 10.10). */
function RailSteps({ current, facts }: { current: JourneyId; facts: Facts }) {
  const all = phaseRows(facts);
  const hasPhase = all.some(({ phase }) => phase === phaseOf(current));
  return (
    <Steps>
      {all.map(({ phase, rows, tone, word }) => {
        const id = `phase-${phase}`;
        const list = (
          <Steps aria-labelledby={id}>
            {rows.map((row) => (
              <Step key={row.id} row={row} current={current} />
            ))}
          </Steps>
        );
        const isOpen = hasPhase ? phase === phaseOf(current) : tone === 'next';
        return (
          <Box as="li" key={phase} _notFirst={{ mt: '3' }}>
            {isOpen ? (
              <>
                <Title id={id}>{phase}</Title>
                {list}
              </>
            ) : (
              <details>
                <Summary color={tone === 'idle' ? 'fg.faint' : 'fg'}>
                  <StatusDot tone={tone} word={word} />
                  <span id={id}>{phase}</span>
                </Summary>
                {list}
              </details>
            )}
          </Box>
        );
      })}
    </Steps>
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
        top="{sizes.above}"
        maxHeight="calc(100dvh - {sizes.above} - var(--below, 5rem))"
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
