import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import { journeyOrder } from '#machines/journeys.ts';
import type { Exchange } from './line.ts';
import type { Diary } from './walks.ts';

/** What a world has covered. */
export interface Covered {
  /** The states of journeys that were reached, as `journey/state`. */
  states: readonly string[];
  /** The accidents that happened while a journey was open, by journey. */
  met: Readonly<Record<string, readonly string[]>>;
  /** The states that writes reached for their users, as `call: state`. */
  writes: readonly string[];
  /** How their rows changed, as `call: state to state`. */
  changes: readonly string[];
  /** What became of batches on the days of their scheme, and after their payments were sent. */
  days: readonly string[];
}
export const nothing: Covered = { states: [], met: {}, writes: [], changes: [], days: [] };

const writes = (Object.keys(calls) as CallName[]).filter((name) => 'write' in calls[name]); // the keys of a const object
const writeOf = ({ method, path }: Exchange) =>
  writes.find((name) => calls[name].method === method && calls[name].path === path);

/** The state in which a write is for its user. */
function stateOf({ status, text }: Exchange): string {
  if (status === 0) return 'no answer';
  if (status < 300) return 'done';
  if (!text.startsWith('{')) return 'no answer of the console';
  const { outcome, earlier, code } = JSON.parse(text) as Problem; // the server's own promise
  return `${outcome ?? 'refused'}${earlier ? `, earlier ${earlier.state}` : ''} (${code})`;
}

export function coveredBy(
  { been, met }: Diary,
  exchanges: readonly Exchange[],
): Pick<Covered, 'states' | 'met' | 'writes'> {
  const states = exchanges.flatMap((each) => {
    const name = writeOf(each);
    return name ? [`${name}: ${stateOf(each)}`] : [];
  });
  return {
    states: [...been],
    met: Object.fromEntries([...met].map(([journey, accidents]) => [journey, [...accidents].sort()])),
    writes: [...new Set(states)],
  };
}

/** Adds up what worlds have covered. */
export class Coverage {
  readonly #states = new Set<string>();
  readonly #kinds = new Map<string, Set<string>>();
  readonly #pairs = new Map<string, Set<string>>();
  readonly #writes = new Set<string>();
  readonly #changes = new Set<string>();

  add({ states, met, writes, changes }: Covered): void {
    for (const state of states) this.#states.add(state);
    for (const write of writes) this.#writes.add(write);
    for (const change of changes) this.#changes.add(change);
    for (const [journey, accidents] of Object.entries(met)) {
      const kinds = this.#kinds.get(journey) ?? new Set<string>();
      const pairs = this.#pairs.get(journey) ?? new Set<string>();
      for (const one of accidents) {
        kinds.add(one);
        for (const other of accidents) if (one < other) pairs.add(`${one} + ${other}`);
      }
      this.#kinds.set(journey, kinds);
      this.#pairs.set(journey, pairs);
    }
  }

  /** Returns the sums in words, a line each. */
  lines(): string[] {
    const journeys = journeyOrder.flatMap((journey) => {
      const states = [...this.#states].filter((each) => each.startsWith(`${journey}/`)).length;
      const [kinds, pairs] = [this.#kinds.get(journey)?.size ?? 0, this.#pairs.get(journey)?.size ?? 0];
      return states + kinds === 0
        ? []
        : [`  ${journey}: ${states} states, ${kinds} kinds of accidents, ${pairs} pairs of them`];
    });
    const missed = journeyOrder.filter((journey) => !this.#kinds.has(journey));
    return [
      'accidents while a journey was open:',
      ...journeys,
      ...(missed.length > 0 ? [`  none in ${missed.join(', ')}`] : []),
      'states of writes:',
      ...[...this.#writes].sort().map((each) => `  ${each}`),
      'changes of their rows:',
      ...[...this.#changes].sort().map((each) => `  ${each}`),
    ];
  }
}
