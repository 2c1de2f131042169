/**
 * The meaning of a state for the user; `deciding` is left immediately, `asking` waits for a call, `waiting` for a
 * delay.
 */
export type StateKind = 'open' | 'asking' | 'waiting' | 'deciding' | 'gate' | 'failed' | 'done' | 'left';

export interface ChartState {
  /** Names from the outermost state inwards, for example 'following.asking'. */
  id: string;
  /** The innermost name in words, for example 'no organisation'. */
  name: string;
  /** Id of the enclosing state; '' for none. */
  parent: string;
  /** Whether it is the initial state of its parent or of the machine. */
  initial: boolean;
  kind: StateKind;
  /** One sentence; '' for a state that is never shown. */
  description: string;
  /** The texts of a gate's alerts, in the order in which they are shown. */
  alerts?: readonly string[];
  /** Id of the machine that it invokes, which has a chart of its own. */
  invokes?: string;
  /** The events that its outer states do not get: it handles them itself, or ignores them. */
  keeps?: readonly string[];
}

/** The cause of a transition: the user, a call's answer or failure, a delay, or none (an immediate transition). */
export type Cause = 'user' | 'answer' | 'failure' | 'time' | 'none';

export interface ChartTransition {
  from: string;
  /** Equal to `from` if the active state stays as it is. */
  to: string;
  /** The type of the event; '' for an immediate transition. */
  event: string;
  cause: Cause;
  /**
   * The event in the words of the screen, with its condition; '' for the only transition of a state that is left
   * immediately.
   */
  words: string;
}

/** A machine as plain data for drawing; states in the order of the chart. */
export interface Chart {
  id: string;
  states: ChartState[];
  transitions: ChartTransition[];
}

const within = (state: string, outer: string): boolean => state === outer || state.startsWith(`${outer}.`);

/** The innermost state that is active after entering `state`. */
function entered(chart: Pick<Chart, 'states'>, state: string): string {
  const first = chart.states.find(({ parent, initial }) => parent === state && initial);
  return first ? entered(chart, first.id) : state;
}

/** The innermost initial state of the chart; of a chart of parallel regions, that of the region around `state`. */
export const beginning = (chart: Pick<Chart, 'states'>, state = ''): string =>
  entered(chart, '') || entered(chart, state.split('.')[0] ?? '');

/** All transitions out of a state or out of its ancestors, as far as they get their events. */
export function waysOut(chart: Chart, state: string): ChartTransition[] {
  const around = chart.states.filter(({ id }) => within(state, id));
  const isKept = ({ from, event }: ChartTransition): boolean =>
    around.some(({ id, keeps = [] }) => id !== from && within(id, from) && keeps.includes(event));
  return chart.transitions.filter((transition) => within(state, transition.from) && !isKept(transition));
}

const isConditional = ({ words }: ChartTransition): boolean => words.includes(', if ');

/**
 * The shortest path from an innermost state to another state; undefined if there is none. Of equally short paths it
 * prefers those without conditions.
 */
export function shortestPath(chart: Chart, from: string, to: string): ChartTransition[] | undefined {
  const paths = new Map<string, ChartTransition[]>([[from, []]]);
  // A breadth-first search: paths found are appended while iterating, so nearer states come first.
  for (const [state, path] of paths) {
    if (within(state, to)) return path;
    const ways = waysOut(chart, state)
      .filter((way) => way.to !== way.from)
      .sort((a, b) => Number(isConditional(a)) - Number(isConditional(b)));
    for (const way of ways) {
      const next = entered(chart, way.to);
      if (!paths.has(next)) paths.set(next, [...path, way]);
    }
  }
  return undefined;
}
