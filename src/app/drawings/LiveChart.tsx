import { Box, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { JourneyId } from '#machines/journeys.ts';
import { ChartView } from './ChartView.tsx';

/** The chart of the page that is open, with the state lit that its journey is in. */
export function LiveChart({ id, here }: { id: JourneyId; here: string }) {
  const [chosen, setChosen] = useState('');
  return (
    <Box display="grid" gap="2" pt="3" gridTemplateColumns="minmax(0, 1fr)">
      <Text color="fg.muted" fontSize="sm">
        <Link asChild>
          <RouterLink to={`/journeys/${id}?${new URLSearchParams({ at: here }).toString()}`}>
            This chart on a page of its own
          </RouterLink>
        </Link>
      </Text>
      <ChartView id={id} here={() => here} chosen={chosen} onChoose={setChosen} />
    </Box>
  );
}
