import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { chartOf } from '#machines/lib/chartOf.ts';
import { journeyOrder } from '#machines/journeys.ts';
import { failures } from '#ui/failures.ts';
import { saveFile } from '#ui/saveFile.ts';
import { scenarios } from '#runner/scenarios.ts';
import { suppliedJourneys } from '../effects/journeys.ts';
import { clearSeenStates, useSeenStates } from '../console/seenStates.ts';
import { metOf, sheetOf, textOf, type Part } from './readinessSheet.ts';
import { useOutcomes } from '../runs/outcomes.ts';
import { Section } from './Section.tsx';

type Charts = Parameters<typeof sheetOf>[1]['charts'];

const charts: Charts = journeyOrder.map((journey) => ({ journey, chart: chartOf(suppliedJourneys[journey].machine) }));

function PartOf({ part }: { part: Part }) {
  return (
    <chakra.details borderTopWidth="1px" py="2">
      <chakra.summary cursor="pointer">
        {part.title}: {metOf(part)} of {part.lines.length}
      </chakra.summary>
      <chakra.ul listStyleType="none" fontSize="sm" pt="2" display="grid" gap="1" overflowWrap="anywhere">
        {part.lines.map(({ name, met }, index) => (
          <li key={index}>
            <chakra.span color={met ? 'done' : 'fg.muted'}>{met ? '✓ seen: ' : '○ not yet: '}</chakra.span>
            {name}
          </li>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}

/** The readiness sheet: which states, failures and scenarios the user of this browser has seen, and which not. */
export function ReadinessSection() {
  const met = useSeenStates();
  const outcomes = useOutcomes();
  const rehearsed = scenarios.map(({ id, name }) => ({ name, because: outcomes[id]?.because }));
  const sheet = sheetOf(met, { charts, failures, scenarios: rehearsed });
  return (
    <Section
      id="readiness-sheet"
      title="Readiness"
      says="What you have seen in this browser, in journeys and rehearsals. See every item once before your integration goes live."
    >
      <Box>
        {sheet.map((part) => (
          <PartOf key={part.title} part={part} />
        ))}
      </Box>
      <Flex gap="2" wrap="wrap">
        <Button onClick={() => saveFile(textOf(sheet, new Date().toISOString()), 'readiness.md', 'text/markdown')}>
          Save the sheet
        </Button>
        <Button variant="ghost" onClick={clearSeenStates}>
          Reset the checklist
        </Button>
      </Flex>
    </Section>
  );
}
