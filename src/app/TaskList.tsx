import { Box, Button, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { addressOf, alternatives, journeyOf, nameOf, nextJourney } from '#machines/journeys.ts';
import { StatusWord } from '#steps/kit/StatusWord.tsx';
import { guidedRows, type GuidedRow } from './guidedRows.ts';
import { PathDrawing } from './PathDrawing.tsx';

function Row({ row: { id, name, tone, word, explanation } }: { row: GuidedRow }) {
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns={{ base: '1fr auto', md: '14rem 6rem minmax(0, 1fr) auto' }}
      columnGap="4"
      alignItems="baseline"
      py="1.5"
      borderBottomWidth="1px"
    >
      <Link asChild fontWeight="medium" minHeight="6">
        <RouterLink to={addressOf(id, { guided: true })}>{name}</RouterLink>
      </Link>
      <span>
        <StatusWord tone={tone}>{word}</StatusWord>
      </span>
      <Box gridColumn={{ base: '1 / -1', md: 'auto' }} color="fg.muted" fontSize="sm" overflowWrap="anywhere">
        {explanation}
        {alternatives(id).map((other) => (
          <Text key={other}>
            or{' '}
            <Link asChild>
              <RouterLink to={addressOf(other, { guided: true })}>{nameOf(other)}</RouterLink>
            </Link>
          </Text>
        ))}
      </Box>
      <Box hideBelow="md" color="fg.muted" fontSize="sm">
        {journeyOf(id).group}
      </Box>
    </Box>
  );
}

/** The guided path as a task list, with one button that continues where the user is. */
export function TaskList({ facts }: { facts: Facts }) {
  const rows = guidedRows(facts);
  const next = nextJourney(facts);
  const started = rows.some(({ tone }) => tone === 'done');
  return (
    <Box display="grid" gap="4">
      <div>
        <PathDrawing rows={rows} />
        <Link asChild fontSize="sm">
          <RouterLink to="/journeys">Map of all journeys</RouterLink>
        </Link>
      </div>
      {next ? (
        <Button asChild variant="solid" justifySelf="start">
          <RouterLink to={addressOf(next, { guided: true })}>
            {started ? `Continue with ${nameOf(next)}` : 'Start'}
          </RouterLink>
        </Button>
      ) : (
        <Text>Every step of the guided path is done.</Text>
      )}
      <Box as="ol" listStyleType="none">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </Box>
    </Box>
  );
}
