import type { Told } from './apart.ts';
import { Coverage } from './coverage.ts';
import { happenedIn, neverHappened } from './sometimes.ts';

/** Counts what happened in many worlds. */
export class Tally {
  #worlds = 0;
  #steps = 0;
  #attempts = 0;
  #cpu = 0;
  readonly #accidents = new Map<string, number>();
  readonly #coverage = new Coverage();
  readonly #pairs = new Set<string>();
  readonly #happened = new Set<string>();

  add(told: Told): void {
    const { steps, attempts, cpu, covered, accidents } = told;
    for (const what of happenedIn(told)) this.#happened.add(what);
    this.#coverage.add(covered);
    this.#worlds += 1;
    this.#steps += steps;
    this.#attempts += attempts;
    this.#cpu += cpu;
    for (const each of accidents) this.#accidents.set(each, (this.#accidents.get(each) ?? 0) + 1);
    const kinds = [...new Set(accidents)].sort();
    for (const one of kinds) for (const other of kinds) if (one < other) this.#pairs.add(`${one} + ${other}`);
  }

  /** Returns what must sometimes happen in as many worlds as were added, and never did. */
  never(): string[] {
    return neverHappened(this.#worlds, this.#happened);
  }

  /** Returns the counts as lines of text, after so many seconds. */
  lines(from: number, seconds: number): string[] {
    const kinds = [...this.#accidents].sort(([, one], [, other]) => other - one);
    const each = (number: number, per: number) => (number / per).toFixed(1);
    const cpu = this.#cpu / 1000;
    return [
      `${this.#worlds} worlds from seed ${from} with ${this.#attempts} attempts to pay and ${this.#steps} events`,
      `in ${seconds.toFixed(0)} s: ${each(this.#worlds, seconds)} worlds and ${each(this.#attempts, seconds)} attempts a second; ` +
        `${each(this.#worlds, cpu)} and ${each(this.#attempts, cpu)} a second of one core`,
      `accidents: ${kinds.map(([name, number]) => `${name} ${number}`).join(', ') || 'none'}`,
      `pairs of accidents that met in one world: ${this.#pairs.size} of ${(kinds.length * (kinds.length - 1)) / 2}`,
      ...this.#coverage.lines(),
    ];
  }
}
