import { Box, Grid } from '@chakra-ui/react';
import { useMemo, type ReactNode } from 'react';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { Legend } from './Drawing.tsx';
import { kinds } from './stateKinds.ts';
import type { ChartId } from './chartNames.ts';
import { chartOf } from './layouts.ts';
import type { DrawnChart } from './drawnChart.ts';
import { ZoomableChart } from './ZoomableChart.tsx';
import { StateDetails } from './TransitionLine.tsx';

const marks = Object.values(kinds).flatMap(({ mark, word }) => (mark ? `${mark} ${word}` : []));

/** The chart with one transition for each label of an arrow, for the path search. */
const plain = (drawn: DrawnChart) => ({
  ...drawn,
  transitions: drawn.edges.flatMap(({ from, to, transitions }) => transitions.map((one) => ({ ...one, from, to }))),
});

/**
 * A journey's chart as a whole. Beside it the `chosen` state (by default `from`) with the shortest path to it from the
 * state `from`. The states are buttons, and are also listed as text for screen readers and narrow pages.
 */
export function ChartView(props: {
  id: ChartId;
  from: (chart: DrawnChart) => string;
  chosen: string;
  onChoose: (state: string) => void;
  children?: ReactNode;
}) {
  const { id, onChoose } = props;
  const drawn = chartOf(id);
  const chart = useMemo(() => plain(drawn), [drawn]);
  const stateAt = (state: string) => drawn.states.find((each) => each.id === state);
  const from = stateAt(props.from(drawn));
  if (!from) throw new Error(`The chart of ${id} is stale: run npm run charts`);
  const chosen = stateAt(props.chosen) ?? from;
  return (
    <Grid gap="5" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 20rem' }}>
      <Box display="grid" gap="2" alignContent="start">
        <ZoomableChart chart={drawn} id={id} at={from.id} chosen={chosen.id} onChoose={onChoose}>
          <Legend>● begins here · {marks.join(' · ')}</Legend>
        </ZoomableChart>
      </Box>
      <Box display="grid" gap="4" alignContent="start">
        <ChoiceSelect
          label="State"
          options={drawn.states.map((state) => ({
            value: state.id,
            label: state.parent ? `${stateAt(state.parent)?.name}: ${state.name}` : state.name,
          }))}
          value={chosen.id}
          onChange={onChoose}
        />
        <StateDetails chart={chart} from={from} chosen={chosen} />
        {props.children}
      </Box>
    </Grid>
  );
}
