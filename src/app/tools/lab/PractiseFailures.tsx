import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { usePlaying } from '#app/console/runStorage.ts';
import { Ticks, type TickState } from '#ui/plots/Ticks.tsx';
import { Card } from '#ui/surfaces.tsx';
import { useOutcomes } from './outcomes.ts';
import { PracticeMatrix } from './PracticeMatrix.tsx';
import { practiceSays } from './PracticeSection.tsx';
import { countOf, matrixOf, type MatrixRow } from './practiceCells.ts';

/** The state of each cell that has a scenario. */
const ticksOf = (rows: readonly MatrixRow[], running: string | undefined): TickState[] =>
  rows.flatMap(({ cells }) =>
    cells.flatMap(({ scenario, state }): TickState[] =>
      !scenario || state === 'none' ? [] : scenario.name === running ? ['running'] : [state],
    ),
  );

/** The invitation of the finished home page to practise failures: a mark for each, and the matrix on request. */
export function PractiseFailures() {
  const rows = matrixOf(useOutcomes());
  const playing = usePlaying();
  const running = playing?.state === 'running' ? playing.rehearsal?.name : undefined;
  const failed = countOf(rows, 'failed');
  const says = `${countOf(rows, 'passed')} of ${countOf(rows)} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  return (
    <Card as="section" aria-labelledby="practise-failures" size="md" gap="3">
      <Flex align="center" justify="space-between" gap="3" wrap="wrap">
        <Heading as="h2" id="practise-failures">
          Practise failures
        </Heading>
        <Link asChild fontSize="sm">
          <RouterLink to="/sandbox#faults">Open the lab</RouterLink>
        </Link>
      </Flex>
      <Ticks states={ticksOf(rows, running)} label={says} />
      <details>
        <summary>{says}</summary>
        <Box pt="3">
          <Text color="fg.muted" fontSize="sm" pb="3">
            {practiceSays}
          </Text>
          <PracticeMatrix />
        </Box>
      </details>
    </Card>
  );
}
