import { Box } from '@chakra-ui/react';
import { own } from '#contract/member.ts';
import { journeys, nameOf } from '#machines/journeys.ts';
import { useConsole, useFacts } from '../console/console.tsx';
import { rowResult } from '../home/guidedRows.ts';

/** The result of the previous step. The console's machine puts that step's id into the router's state. */
export function CreatedBanner({ id }: { id: string }) {
  const facts = useFacts();
  const reading = useConsole(({ context }) => context.reading);
  if (!own(journeys, id)) return null;
  // Reserves the height of one line.
  if (!facts || reading) return <Box role="status" minHeight="11" />;
  const journey = id; // just checked
  return (
    <Box role="status" p="3" bg="done.subtle" borderInlineStartWidth="4px" borderColor="done" maxWidth="measure">
      <strong>{nameOf(journey)}:</strong> {rowResult(journey, facts)}.
    </Box>
  );
}
