import type { DiskAccident } from './disk.ts';
import type { Hostility, NetworkAccident } from './network.ts';
import type { Scheduler } from './scheduler.ts';

/** What may go wrong in a world: the probability of each accident at each place where it can happen. */
export interface Climate {
  network: Partial<Record<NetworkAccident, number>>;
  service: Partial<Record<Hostility, number>>;
  disk: Partial<Record<DiskAccident, number>>;
  webhooks: { lost: number; twice: number; late: number; forged: number };
  /** Of the connection between a user and the console. */
  line: { requestLost: number; answerLost: number };
  /** Of a machine that the console runs on, each time that something may happen to it. */
  machine: { killed: number; clockSet: number; sessionEnded: number };
}

export const calm: Climate = {
  ...{ network: {}, service: {}, disk: {} },
  webhooks: { lost: 0, twice: 0, late: 0, forged: 0 },
  line: { requestLost: 0, answerLost: 0 },
  machine: { killed: 0, clockSet: 0, sessionEnded: 0 },
};

/** Decides by the seed which accident happens where, and notes those that do. */
export class Accidents {
  /** The accidents that happened, by the number of the place at which each could have happened. */
  readonly happened = new Map<number, string>();
  #places = 0;
  readonly #scheduler: Scheduler;
  readonly #without: ReadonlySet<number>;

  /** `without`: the accidents that are left out, by the number of their place. */
  constructor(scheduler: Scheduler, without: ReadonlySet<number>) {
    this.#scheduler = scheduler;
    this.#without = without;
  }

  /** Returns one of the accidents that are possible at a place, with its probability, if any happens. */
  strikes<Name extends string>(kind: string, possible: Partial<Record<Name, number>>): Name | undefined {
    this.#places += 1;
    let left = this.#scheduler.random();
    const name = (Object.keys(possible) as Name[]).find((each) => (left -= possible[each] ?? 0) < 0);
    if (name === undefined || this.#without.has(this.#places)) return undefined;
    this.happened.set(this.#places, `${kind} ${name}`);
    return name;
  }
}
