import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { clearSeenStates } from '../console/seenStates.ts';
import { PracticeMatrix } from './PracticeMatrix.tsx';
import { metOf, type Part } from './readinessSheet.ts';
import { Section } from './Section.tsx';
import { useReadinessSheet } from './useReadinessSheet.ts';

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
  const { sheet, rows, save } = useReadinessSheet();
  return (
    <Section
      id="readiness-sheet"
      title="Readiness"
      says="What you have rehearsed and seen in this browser. A cell runs its scenario in a rehearsal company. See every item once before your integration goes live."
    >
      <PracticeMatrix rows={rows} />
      <Box>
        {sheet.map((part) => (
          <PartOf key={part.title} part={part} />
        ))}
      </Box>
      <Flex gap="2" wrap="wrap">
        <Button onClick={save}>Export sheet</Button>
        <Button variant="ghost" onClick={clearSeenStates}>
          Reset the checklist
        </Button>
      </Flex>
    </Section>
  );
}
