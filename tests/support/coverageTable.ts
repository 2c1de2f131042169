import type { AnyStateMachine } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import { messageMachine } from '#machines/lib/message.machine.ts';
import { subscriptionApproval } from '#machines/subscription/rows.ts';
import { models } from '#tests/machines/models.ts';
import { chartBranch } from './chartNames.ts';
import { allPaths, commandRuns, runs, type Covered, type Run } from './coverage.ts';
import { goalsOf, type Goals } from './pathsFaults.ts';

/** A machine, and the runs that must cover it, if not all. */
interface Walked {
  runs?: readonly Run[];
  machine: AnyStateMachine;
}

/** All machines of the page. */
const walked: readonly Walked[] = [
  ...Object.values(models).map(({ machine }) => ({ machine, runs: commandRuns })),
  { machine: consoleMachine, runs: commandRuns },
  // Once, by the paths of all journeys that invoke them.
  { machine: messageMachine, runs: commandRuns },
  { machine: subscriptionApproval, runs: commandRuns },
];

/** What each run must cover of every machine. */
const demanded: Readonly<Record<Run, readonly (keyof Goals)[]>> = {
  a: ['states', 'transitions'],
  b: ['states', 'transitions'],
  c: ['states'],
};

const kinds = ['states', 'transitions'] as const;

/** The names of what the run must cover: in the DOM `npm test` takes each branch of a chart in one of its journeys. */
const namesFor = (run: Run, machine: AnyStateMachine, whole: boolean): ((name: string) => string) =>
  run !== 'b' || whole ? (name) => name : (name) => chartBranch(machine, name);

const reachedBy = (run: Run, records: readonly Covered[]): Set<string> =>
  new Set(records.flatMap((record) => (record.run === run ? [...record.entered, ...record.taken] : [])));

/** What a run has covered of the machines that it walks: how many of how many, by how many paths. */
export interface Total {
  run: Run;
  kind: keyof Goals;
  covered: number;
  all: number;
  paths: number;
  /** Whether the run has to cover all. */
  isDemanded: boolean;
}

/** The machines of which there are records. */
const ranIn = (records: readonly Covered[]): readonly Walked[] =>
  walked.filter(({ machine }) => records.some((record) => record.machine === machine.id));

/** The totals of each run; a branch of a chart counts once where one of its journeys stands for the others. */
export function totalsOf(records: readonly Covered[], machines = ranIn(records), whole = allPaths): Total[] {
  return runs.flatMap((run) => {
    const ran = records.filter((record) => record.run === run);
    const paths = ran.reduce((sum, { shortest, simple }) => sum + shortest + simple, 0);
    return kinds.map((kind): Total => {
      const [all, covered] = [new Set<string>(), new Set<string>()];
      for (const { machine, runs: own = runs } of machines) {
        if (!own.includes(run)) continue;
        const nameOf = namesFor(run, machine, whole);
        const reached = reachedBy(
          run,
          ran.filter((record) => record.machine === machine.id),
        );
        for (const goal of goalsOf(machine)[kind]) {
          all.add(nameOf(goal));
          if (reached.has(goal)) covered.add(nameOf(goal));
        }
      }
      return { run, kind, covered: covered.size, all: all.size, paths, isDemanded: demanded[run].includes(kind) };
    });
  });
}

/** Names of what a run should have covered but has not; `whole` is a run of all paths. */
export function missingIn(records: readonly Covered[], machines = walked, whole = allPaths): string[] {
  return runs.flatMap((run) => {
    const reached = new Set(
      machines.flatMap(({ machine }) => {
        const mine = records.filter((record) => record.machine === machine.id);
        return [...reachedBy(run, mine)].map(namesFor(run, machine, whole));
      }),
    );
    return machines.flatMap(({ machine, runs: own = runs }) => {
      const nameOf = namesFor(run, machine, whole);
      const goals = own.includes(run) ? demanded[run].flatMap((kind) => goalsOf(machine)[kind]) : [];
      return goals.flatMap((name) => (reached.has(nameOf(name)) ? [] : `(${run}) did not reach ${name}`));
    });
  });
}
