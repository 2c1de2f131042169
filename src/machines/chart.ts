/** What a state is to the user; `deciding` is left at once, `asking` waits for a call, `waiting` for time to pass. */
export type StateKind = 'open' | 'asking' | 'waiting' | 'deciding' | 'gate' | 'failed' | 'done' | 'left';

export interface ChartState {
  /** Names from the outermost state inwards, e.g. 'following.asking'. */
  id: string;
  /** The last of them in words, e.g. 'no organisation'. */
  name: string;
  /** Id of the state around it, '' for none. */
  parent: string;
  /** Where its parent, or the machine, begins. */
  initial: boolean;
  kind: StateKind;
  /** One sentence; '' for a state that nobody sees. */
  description: string;
  /** The text of a gate. */
  alert?: string;
}

/** What makes a transition happen: the user, a call's answer or failure, time, or nothing but the state itself. */
export type Cause = 'user' | 'answer' | 'failure' | 'time' | 'none';

export interface ChartTransition {
  from: string;
  to: string;
  cause: Cause;
  /** In the words of the screen, with what has to hold; '' for the one way out of a state that is left at once. */
  words: string;
}

/** A machine as it can be drawn: plain data, states in the order of the chart. */
export interface Chart {
  id: string;
  states: ChartState[];
  transitions: ChartTransition[];
}

const within = (state: string, outer: string): boolean => state === outer || state.startsWith(`${outer}.`);

/** The innermost state that is active once `state` has been entered. */
function entered(chart: Pick<Chart, 'states'>, state: string): string {
  const first = chart.states.find(({ parent, initial }) => parent === state && initial);
  return first ? entered(chart, first.id) : state;
}

/** The innermost state in which the chart begins. */
export const beginning = (chart: Pick<Chart, 'states'>): string => entered(chart, '');

/** Everything that leads out of a state or out of one around it. */
export const waysOut = (chart: Chart, state: string): ChartTransition[] =>
  chart.transitions.filter(({ from }) => within(state, from));

const isConditional = ({ words }: ChartTransition): boolean => words.includes(', if ');

/**
 * The fewest transitions that lead from an innermost state to another one, undefined if none do; of as many those that
 * depend on nothing.
 */
export function shortestPath(chart: Chart, from: string, to: string): ChartTransition[] | undefined {
  const paths = new Map<string, ChartTransition[]>([[from, []]]);
  // The map grows while it is walked: nearer states come before farther ones.
  for (const [state, path] of paths) {
    if (within(state, to)) return path;
    const ways = waysOut(chart, state).sort((a, b) => Number(isConditional(a)) - Number(isConditional(b)));
    for (const way of ways) {
      const next = entered(chart, way.to);
      if (!paths.has(next)) paths.set(next, [...path, way]);
    }
  }
  return undefined;
}

/** The id of the state that stands for all gates. */
export const foldedGates = 'gates';

/** The chart with its gates as one state, for who does not look for them; the chart itself if there are not several. */
export function withGatesFolded(chart: Chart): Chart {
  const gates = chart.states.filter(({ kind, parent }) => kind === 'gate' && parent === '').map(({ id }) => id);
  if (gates.length < 2) return chart;
  const folded: ChartState = {
    id: foldedGates,
    name: `${gates.length} gates`,
    parent: '',
    initial: false,
    kind: 'gate',
    description: 'Something that the step requires is missing',
  };
  const placed = (state: string): string => (gates.includes(state) ? foldedGates : state);
  const transitions = new Map(
    chart.transitions.map((transition) => {
      const moved = { ...transition, from: placed(transition.from), to: placed(transition.to) };
      return [JSON.stringify([moved.from, moved.to, moved.words]), moved];
    }),
  );
  return {
    ...chart,
    states: chart.states.flatMap((state) =>
      state.id === gates[0] ? [folded] : gates.includes(state.id) ? [] : [state],
    ),
    transitions: [...transitions.values()],
  };
}
