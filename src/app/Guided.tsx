import { Box, Heading } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import type { Facts } from '#contract/facts.ts';
import { nextJourney } from '#machines/journeys.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { Card } from '#steps/kit/Card.tsx';
import { Band } from './Band.tsx';
import { Phases } from './Phases.tsx';
import { phaseRows } from './phases.ts';

const RunDone = lazy(() => chunk(async () => import('./RunDone.tsx')));

/** The guided path: the user's position, one button that continues there, and the phases. */
export function Guided({ facts }: { facts: Facts }) {
  const phases = phaseRows(facts);
  const rows = phases.flatMap((each) => each.rows);
  const next = nextJourney(facts);
  return (
    <Box as="section" aria-labelledby="guided-path" display="grid" gap="6" gridTemplateColumns="minmax(0, 1fr)">
      <Heading as="h2" id="guided-path" srOnly>
        Guided path
      </Heading>
      {next ? (
        <Band facts={facts} rows={rows} next={next} />
      ) : (
        <Suspense fallback={<Card minHeight="13.5rem" />}>
          <RunDone facts={facts} of={rows.length} />
        </Suspense>
      )}
      <Phases phases={phases} facts={facts} />
    </Box>
  );
}
