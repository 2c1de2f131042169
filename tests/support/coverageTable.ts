import type { AnyStateMachine } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import { pollMachineOf } from '#machines/poll.ts';
import { models } from '#tests/machines/models.ts';
import { runs, type Covered, type Run } from './coverage.ts';
import { goalsOf, type Goals } from './pathsFaults.ts';

/**
 * A machine, its unreachable states and branches with the reasons (as in a model), and the runs that must cover it, if
 * not all.
 */
interface Walked {
  runs?: readonly Run[];
  machine: AnyStateMachine;
  never: Readonly<Record<string, string>>;
}

/** All machines of the page. */
const walked: readonly Walked[] = [
  ...Object.values(models),
  { machine: consoleMachine, never: {} },
  // In the other runs the screens show the events that the poll sends to its invoker.
  { machine: pollMachineOf({ answers: '', fails: '' }, { isEnough: () => true }), never: {}, runs: ['a'] },
];

/** What each run must cover of every machine. */
const demanded: Readonly<Record<Run, readonly (keyof Goals)[]>> = {
  a: ['states', 'transitions'],
  b: ['states', 'transitions'],
  c: ['states'],
};

const kinds = ['states', 'transitions'] as const;

const reachedBy = (run: Run, records: readonly Covered[]): Set<string> =>
  new Set(records.flatMap((record) => (record.run === run ? [...record.entered, ...record.taken] : [])));

/** One row for each machine: the numbers of states and transitions, and how many of each every run has covered. */
export function rowsOf(records: readonly Covered[], machines = walked) {
  return machines.map(({ machine, never }) => {
    const goals = goalsOf(machine, never);
    const mine = records.filter((record) => record.machine === machine.id);
    const cellOf = (run: Run): string => {
      const reached = reachedBy(run, mine);
      return mine.some((record) => record.run === run)
        ? kinds.map((kind) => goals[kind].filter((name) => reached.has(name)).length).join(' + ')
        : '-';
    };
    return {
      machine: machine.id,
      states: goals.states.length,
      transitions: goals.transitions.length,
      shortest: Math.max(0, ...mine.map(({ shortest }) => shortest)),
      simple: Math.max(0, ...mine.map(({ simple }) => simple)),
      ...Object.fromEntries(runs.map((run) => [`(${run})`, cellOf(run)])),
    };
  });
}

/** Names of what a run should have covered but has not. */
export const missingIn = (records: readonly Covered[], machines = walked): string[] =>
  machines.flatMap(({ machine, never, runs: own = runs }) => {
    const mine = records.filter((record) => record.machine === machine.id);
    return own.flatMap((run) => {
      const reached = reachedBy(run, mine);
      return demanded[run].flatMap((kind) =>
        goalsOf(machine, never)[kind].flatMap((name) => (reached.has(name) ? [] : `(${run}) did not reach ${name}`)),
      );
    });
  });
