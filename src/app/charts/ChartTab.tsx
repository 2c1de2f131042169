import { Link } from '@chakra-ui/react';
import { useMemo, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { JourneyId } from '#machines/journeys.ts';
import { chartOf } from './layouts.ts';
import { StateDetails } from './TransitionLine.tsx';
import { ZoomableChart } from './ZoomableChart.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The journey's chart in the inspector. */
export function ChartTab({ id, here }: { id: JourneyId; here: string }) {
  const [chosen, setChosen] = useState('');
  const chart = chartOf(id);
  const transitions = useMemo(
    () => chart.edges.flatMap(({ from, to, transitions: all }) => all.map((one) => ({ ...one, from, to }))),
    [chart],
  );
  // A state that invokes a machine is followed by that machine's own states.
  const at = chart.states.findLast((state) => `${here}.`.startsWith(`${state.id}.`));
  if (!at) throw new Error(`The chart of ${id} is stale: run npm run charts`);
  const looked = chart.states.find((state) => state.id === chosen) ?? at;
  return (
    <Stack px="5" pt="3" pb="5" gap="3" fontSize="sm">
      <ZoomableChart chart={chart} id={id} at={at.id} runs chosen={looked.id} onChoose={setChosen}>
        <Link asChild>
          <RouterLink to={`/journeys/${id}?${new URLSearchParams({ at: at.id }).toString()}`}>
            Open this chart on its page
          </RouterLink>
        </Link>
      </ZoomableChart>
      <StateDetails
        chart={{ ...chart, transitions }}
        from={at}
        chosen={looked}
        runs
        within={looked === at ? here.slice(at.id.length + 1) : ''}
      />
    </Stack>
  );
}
