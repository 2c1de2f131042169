import { Box, chakra, Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, madeBy, resultText, addressOf, alternatives, nameOf } from '#machines/journeys.ts';
import { Badge, StatusDot } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { Card } from '#ui/surfaces.tsx';
import type { GuidedRow } from '../frame/guidedRows.ts';
import type { PhaseRows } from '../frame/phaseRows.ts';

const List = chakra('ol', { base: { listStyleType: 'none', pb: '2' } });

/** A step of the guided path: its name, its result and the time of that result. */
function Row({ row: { id, journey, name, tone, word, explanation }, facts }: { row: GuidedRow; facts: Facts }) {
  const status = tone === 'next' ? (journeyOf(id).status?.(facts) ?? '') : '';
  const isOver = tone === 'done' || tone === 'failed';
  const made = isOver ? madeBy(id, facts) : undefined;
  const others = isOver || word === 'Expired' ? [] : alternatives(id);
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns={{ base: '1rem minmax(0, 1fr)', md: '1rem 12.5rem minmax(0, 1fr) auto' }}
      columnGap="3"
      alignItems="center"
      minHeight="9"
      px="5"
      py="1"
      fontSize="sm"
    >
      <StatusDot tone={tone} word={word} />
      <Link
        asChild
        color={tone === 'next' ? 'accent' : 'fg'}
        textDecoration="none"
        _hover={{ textDecoration: 'underline' }}
      >
        <RouterLink to={addressOf(journey, { guided: true })} title={explanation || undefined}>
          {name}
        </RouterLink>
      </Link>
      <Box gridColumn={{ base: '2', md: 'auto' }} color="fg.muted" fontSize="xs" overflowWrap="anywhere">
        {isOver && <Box as="code">{resultText(id, facts)}</Box>}
        {word === 'Expired' && <Badge tone="idle">Expired</Badge>}
        {status && <Badge tone="waiting">{status}</Badge>}
        {others.map((other) => (
          <span key={other}>
            or{' '}
            <Link asChild>
              <RouterLink to={addressOf(other, { guided: true })}>{nameOf(other)}</RouterLink>
            </Link>
          </span>
        ))}
      </Box>
      {made && (
        <Box gridColumn={{ base: '2', md: 'auto' }} color="fg.muted" fontSize="xs" whiteSpace="nowrap">
          <Time at={made.at} />
        </Box>
      )}
    </Box>
  );
}

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    gap: '3',
    alignItems: 'center',
    px: '5',
    minHeight: '12',
    cursor: 'pointer',
    fontWeight: 'medium',
    listStyle: 'none',
    borderRadius: 'lg',
    '&::-webkit-details-marker': { display: 'none' },
    _focusVisible: { outlineOffset: '-2px' },
  },
});

/** The guided path by phases; the current phase is open. */
export function Phases({ phases, facts }: { phases: readonly PhaseRows[]; facts: Facts }) {
  return (
    <Card>
      {phases.map(({ phase, rows, tone, word, stands }) => (
        // Remounted, and so open again, when the path reaches this phase.
        <chakra.details
          key={`${phase} ${tone}`}
          open={tone === 'next'}
          borderTopWidth="1px"
          _first={{ borderTopWidth: '0' }}
        >
          <Summary color={tone === 'idle' ? 'fg.faint' : 'fg'}>
            <StatusDot tone={tone} word={word} />
            {phase}
            <Box as="span" ms="auto" fontSize="xs" fontWeight="normal" color="fg.muted" textAlign="end">
              {stands}
            </Box>
          </Summary>
          <List>
            {rows.map((row) => (
              <Row key={row.id} row={row} facts={facts} />
            ))}
          </List>
        </chakra.details>
      ))}
    </Card>
  );
}
