import { Link } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { JourneyId } from '#machines/journeys.ts';
import { ChartView } from './ChartView.tsx';

/** The journey's chart in the inspector; `here` is its active state. */
export function ChartTab({ id, here }: { id: JourneyId; here: string }) {
  const [chosen, setChosen] = useState('');
  return (
    <ChartView id={id} from={() => here} chosen={chosen} onChoose={setChosen} runs>
      {(at) => (
        <Link asChild>
          <RouterLink to={`/journeys/${id}?${new URLSearchParams({ at }).toString()}`}>
            Open this chart on its page
          </RouterLink>
        </Link>
      )}
    </ChartView>
  );
}
