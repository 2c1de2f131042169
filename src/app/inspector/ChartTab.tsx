import { Box } from '@chakra-ui/react';
import type { JourneyId } from '#machines/journeys.ts';
import { LiveChart } from '../drawings/LiveChart.tsx';

/** The journey's chart with its present state lit. */
export function ChartTab({ id, here }: { id: JourneyId; here: string }) {
  return (
    <Box px="5" py="3">
      <LiveChart id={id} here={here} />
    </Box>
  );
}
