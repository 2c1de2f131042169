import { Heading } from '@chakra-ui/react';
import type { Facts } from '#contract/facts.ts';
import { nextJourney } from '#machines/journeys.ts';
import { GuidedHeader } from '../step/GuidedHeader.tsx';
import { Phases } from './Phases.tsx';
import { phaseRows } from './phaseRows.ts';
import { PathCompleted } from './PathCompleted.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The guided path: the user's position, one button that continues there, and the phases. */
export function Guided({ facts }: { facts: Facts }) {
  const phases = phaseRows(facts);
  const rows = phases.flatMap((each) => each.rows);
  const next = nextJourney(facts);
  return (
    <Stack as="section" aria-labelledby="guided-path" gap="6">
      <Heading as="h2" id="guided-path" srOnly>
        Guided path
      </Heading>
      {next ? <GuidedHeader facts={facts} rows={rows} next={next} /> : <PathCompleted facts={facts} of={rows.length} />}
      <Phases phases={phases} facts={facts} />
    </Stack>
  );
}
