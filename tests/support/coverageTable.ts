import type { AnyStateMachine } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import { pollMachineOf } from '#machines/poll.ts';
import { models } from '#tests/machines/models.ts';
import { runs, type Covered, type Run } from './coverage.ts';
import { goalsOf, type Goals } from './pathsFaults.ts';

/**
 * A machine, which of its states and branches cannot be reached, and why (as in a model), and in which runs it is walked
 * by itself, if not in all.
 */
interface Walked {
  runs?: readonly Run[];
  machine: AnyStateMachine;
  never: Readonly<Record<string, string>>;
}

/** Every machine of the page. */
const walked: readonly Walked[] = [
  ...Object.values(models),
  { machine: consoleMachine, never: {} },
  // The screens show what it tells whoever has invoked it.
  { machine: pollMachineOf({ answers: '', fails: '' }, { isEnough: () => true }), never: {}, runs: ['a'] },
];

/** What each run has to cover of every machine. */
const demanded: Readonly<Record<Run, readonly (keyof Goals)[]>> = {
  a: ['states', 'transitions'],
  b: ['states', 'transitions'],
  c: ['states'],
};

const kinds = ['states', 'transitions'] as const;

const reachedBy = (run: Run, records: readonly Covered[]): Set<string> =>
  new Set(records.flatMap((record) => (record.run === run ? [...record.entered, ...record.taken] : [])));

/** One row for each machine: how much there is and how much of it each run has covered, states first. */
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

/** What a run had to cover and did not, by name. */
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
