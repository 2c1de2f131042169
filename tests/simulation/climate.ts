import { diskAccidents, type DiskAccident } from './disk.ts';
import { hostilities, networkAccidents, type Habit, type Hostility, type NetworkAccident } from './network.ts';
import type { Scheduler } from './scheduler.ts';

/** What becomes of payments that were sent: they come back, told by statuses or by a webhook alone, or are held. */
const bankAccidents = ['returned', 'returned-silently', 'held'] as const;
type BankAccident = (typeof bankAccidents)[number];

/** What may go wrong in a world: the probability of each accident at each place where it can happen. */
export interface Climate {
  network: Partial<Record<NetworkAccident, number>>;
  service: Partial<Record<Hostility, number>>;
  /** How the service answers every read, at rest too. */
  habit?: Habit | undefined;
  disk: Partial<Record<DiskAccident, number>>;
  webhooks: { lost: number; twice: number; late: number; forged: number };
  /** Of the connection between a user and the console. */
  line: { requestLost: number; answerLost: number };
  /** Of a machine that the console runs on, each time that something may happen to it. */
  machine: { killed: number; clockSet: number; sessionEnded: number; suspended: number };
  /** What the service does besides where a batch is created. */
  atPayments: Partial<Record<Hostility, number>>;
  /** What the service does besides where a batch is read. */
  atReads: Partial<Record<Hostility, number>>;
  /** How far (ms) the service's clock is ahead of the world's. */
  serviceAhead: number;
  /** How often, and by how much at most (ms), the service's clock is set forward. */
  serviceSet: { times: number; most: number };
  /**
   * Work at the machines of both: how likely each commit is followed by a suspension of its process, and each suspension by
   * a setting of the service's clock.
   */
  maintenance: { pauses: number; setsClock: number };
  /** What the bank does with the payments of the next batch after they were sent, each time that it may. */
  bank: Record<BankAccident, number>;
  /** After how long (ms) the proxy before several servers repeats a request that has a key at another one; 0 if it never does. */
  proxyRepeats: number;
}

export const calm: Climate = {
  network: {},
  service: {},
  disk: {},
  webhooks: { lost: 0, twice: 0, late: 0, forged: 0 },
  line: { requestLost: 0, answerLost: 0 },
  machine: { killed: 0, clockSet: 0, sessionEnded: 0, suspended: 0 },
  atPayments: {},
  atReads: {},
  serviceAhead: 0,
  serviceSet: { times: 0, most: 0 },
  maintenance: { pauses: 0, setsClock: 0 },
  bank: { returned: 0, 'returned-silently': 0, held: 0 },
  proxyRepeats: 0,
};

/** Each accident of a world, as it is noted where it happens. */
export const accidentNames: readonly string[] = Object.entries({
  network: networkAccidents,
  service: hostilities,
  disk: diskAccidents,
  webhook: Object.keys(calm.webhooks),
  line: Object.keys(calm.line),
  machine: Object.keys(calm.machine),
  bank: bankAccidents,
}).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`));

/** A climate of some accidents, chosen by the seed; where something is rehearsed, it mostly is a mild one. */
export function someClimate(scheduler: Scheduler, hasRehearsal = false): Climate {
  const { pick, chance, random, between } = scheduler.of('climate');
  const some = <Name extends string>(names: readonly Name[], most: number) =>
    Object.fromEntries(names.filter(() => chance(0.4)).map((name) => [name, random() * most])) as Partial<
      Record<Name, number>
    >;
  const rarely = (most: number) => (chance(0.5) ? random() * most : 0);
  const climate: Climate = {
    network: chance(0.7) ? some(networkAccidents, 0.12) : {},
    service: chance(0.6) ? some(hostilities, 0.08) : {},
    habit: chance(0.2) ? pick(['upper-case', 'reversed']) : undefined,
    disk: chance(0.6) ? some(['dies-before', 'dies-after', 'full'], pick([0.002, 0.01, 0.03])) : {},
    webhooks: { lost: rarely(0.5), twice: rarely(0.3), late: rarely(0.5), forged: rarely(0.2) },
    line: { requestLost: rarely(0.1), answerLost: rarely(0.2) },
    machine: { killed: 0.3, clockSet: rarely(0.3), sessionEnded: rarely(0.3), suspended: rarely(0.4) },
    atPayments: chance(0.3) ? { [pick(hostilities)]: 0.4 } : {},
    serviceAhead: chance(0.2) ? between(-900_000, 900_000) : 0,
    // What was added later is decided last, so that recorded decisions mean what they meant.
    atReads: chance(0.25) ? { earlier: 0.4 } : {},
    serviceSet: { times: chance(0.25) ? between(1, 2) : 0, most: 900_000 },
    maintenance: chance(0.1) ? { pauses: 0.1, setsClock: 0.7 } : { pauses: rarely(0.01), setsClock: 0 },
    proxyRepeats: chance(0.3) ? between(1000, 30_000) : 0,
    bank: chance(0.4) ? { returned: 0.35, 'returned-silently': 0.35, held: 0.3 } : calm.bank,
  };
  return hasRehearsal && chance(0.7) ? milder(climate) : climate;
}

/**
 * Returns the climate of a world after its beginning. One that began with nothing has known the service with its clock right:
 * set back then, a payment under way would stay unknown, and rightly so.
 */
export const climateAfter = (start: object | undefined, climate: Climate): Climate =>
  start ? climate : { ...climate, serviceAhead: Math.abs(climate.serviceAhead) };

/** How much of what happens elsewhere happens in a mild climate. */
const mildly = 0.05;

/** Returns a climate with the same accidents, but few of them: one that ends something of hundreds of calls would always happen. */
export function milder(climate: Climate): Climate {
  const scaled = <Names extends Partial<Record<string, number>>>(chances: Names) =>
    Object.fromEntries(Object.entries(chances).map(([name, chance]) => [name, (chance ?? 0) * mildly])) as Names;
  const { network, service, disk, webhooks, line, machine, atPayments, atReads } = climate;
  return {
    ...climate,
    network: scaled(network),
    service: scaled(service),
    disk: scaled(disk),
    webhooks: scaled(webhooks),
    line: scaled(line),
    machine: scaled(machine),
    atPayments: scaled(atPayments),
    atReads: scaled(atReads),
    maintenance: scaled(climate.maintenance),
    serviceAhead: Math.round(climate.serviceAhead * mildly),
  };
}

/** Whether everything of these names may happen in a climate. */
export function hasAll(climate: object, names: readonly string[]): boolean {
  const found = new Set<string>();
  const look = (part: object) => {
    for (const [name, value] of Object.entries(part) as [string, unknown][])
      if (typeof value === 'object' && value !== null) look(value);
      else if (typeof value === 'number' && value > 0) found.add(name);
  };
  look(climate);
  return names.every((name) => found.has(name));
}

/** Decides by the seed which accident happens where, and notes those that do. */
export class Accidents {
  /** The accidents that happened, by the number of the place at which each could have happened. */
  readonly happened = new Map<number, string>();
  /** Called with each accident that happens. */
  onStrike: (accident: string) => void = () => undefined;
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
    const choice = this.#scheduler.of(`accident ${kind}`);
    let left = this.#without.has(this.#places) ? choice.nothing() : choice.random();
    const name = (Object.keys(possible) as Name[]).find((each) => (left -= possible[each] ?? 0) < 0);
    if (name === undefined) return undefined;
    this.happened.set(this.#places, `${kind} ${name}`);
    this.onStrike(`${kind} ${name}`);
    return name;
  }
}
