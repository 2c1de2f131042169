import { Box } from '@chakra-ui/react';
import { own } from '#contract/member.ts';
import { journeys, nameOf } from '#machines/journeys.ts';
import { useConsole, useFacts } from '../console/console.tsx';
import { rowResult } from '../home/guidedRows.ts';
import { Callout } from '#ui/surfaces.tsx';

/** The result of the previous step. The console's machine puts that step's id into the router's state. */
export function CreatedBanner({ id }: { id: string }) {
  const facts = useFacts();
  const reading = useConsole(({ context }) => context.reading);
  if (!own(journeys, id)) return null;
  // Reserves the height of one line.
  if (!facts || reading) return <Box role="status" minHeight="9" />;
  const journey = id; // just checked
  return (
    <Callout role="status" tone="done" size="sm" maxWidth="measure">
      <div>
        <strong>{nameOf(journey)}:</strong> {rowResult(journey, facts)}.
      </div>
    </Callout>
  );
}
