import { Grid } from '@chakra-ui/react';
import { useMemo, type ReactNode } from 'react';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { Stack } from '#ui/surfaces.tsx';
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
 * A chart with the `chosen` state, by default the one at `from`, and the shortest path to it from there. The states are
 * buttons. `runs`: the machine is at `from` now, which may be a state of a machine that a state of the chart invokes, and
 * there is little room; otherwise the states are also listed as text, for screen readers and narrow pages.
 */
export function ChartView(props: {
  id: ChartId;
  from: (chart: DrawnChart) => string;
  chosen: string;
  onChoose: (state: string) => void;
  runs?: boolean;
  /** What stands beside it; it takes the id of the state at `from`. */
  children: (from: string) => ReactNode;
}) {
  const { id, onChoose, runs = false, children } = props;
  const drawn = chartOf(id);
  const chart = useMemo(() => plain(drawn), [drawn]);
  const stateAt = (state: string) => drawn.states.find((each) => each.id === state);
  const here = props.from(drawn);
  const from = drawn.states.findLast((state) => `${here}.`.startsWith(`${state.id}.`));
  if (!from) throw new Error(`The chart of ${id} is stale: run npm run charts`);
  const chosen = stateAt(props.chosen) ?? from;
  const within = chosen === from ? here.slice(from.id.length + 1) : '';
  const drawing = (below: ReactNode) => (
    <ZoomableChart chart={drawn} id={id} at={from.id} runs={runs} chosen={chosen.id} onChoose={onChoose}>
      {below}
    </ZoomableChart>
  );
  const details = <StateDetails chart={chart} from={from} chosen={chosen} runs={runs} within={within} />;
  if (runs)
    return (
      <Stack px="5" pt="3" pb="5" gap="3" fontSize="sm">
        {drawing(children(from.id))}
        {details}
      </Stack>
    );
  return (
    <Grid gap="5" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 20rem' }}>
      <Stack gap="2" alignContent="start">
        {drawing(<Legend>● begins here · {marks.join(' · ')}</Legend>)}
      </Stack>
      <Stack gap="4" alignContent="start">
        <ChoiceSelect
          label="State"
          options={drawn.states.map((state) => ({
            value: state.id,
            label: state.parent ? `${stateAt(state.parent)?.name}: ${state.name}` : state.name,
          }))}
          value={chosen.id}
          onChange={onChoose}
        />
        {details}
        {children(from.id)}
      </Stack>
    </Grid>
  );
}
