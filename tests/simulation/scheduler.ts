import { setImmediate } from 'node:timers';
import { createHash } from 'node:crypto';
import { Decisions, type Choice, type Recorded } from './decisions.ts';

/** The owner of events, such as a process: once it is dead, none of its events happens. */
export interface Owner {
  name: string;
  isDead: boolean;
  /** Until when (ms) none of its events happens, because its machine is suspended. */
  asleepUntil?: number;
}

interface Event {
  due: number;
  number: number;
  what: string;
  run: () => unknown;
  owner: Owner | undefined;
}

/** When a world begins (ms since the epoch). */
const beginning = Date.UTC(2026, 0, 5, 9);

/** Real turns of the event loop that may pass until all that follows from one event has happened. */
const mostTurns = 5000;

/**
 * Owns the time of a world and the order of its events. Everything that could vary comes from the seed: the same seed
 * gives the same events in the same order.
 */
export class Scheduler {
  readonly seed: number;
  readonly decisions: Decisions;
  /** Orders the events of the same time. */
  readonly #order: Choice;
  #now: number;
  readonly #beginning: number;
  #count = 0;
  readonly #events: Event[] = [];
  readonly #hash = createHash('sha256');
  /** What happened, a line each; absent unless it was asked for, because it is long. */
  readonly lines: string[] | undefined;

  constructor(
    seed: number,
    {
      traces = false,
      at = beginning,
      recorded,
    }: { traces?: boolean; at?: number; recorded?: Recorded | undefined } = {},
  ) {
    this.seed = seed;
    this.#now = at;
    this.#beginning = at;
    this.decisions = new Decisions(seed, recorded);
    this.#order = this.decisions.of('order');
    this.lines = traces ? [] : undefined;
  }

  now = (): number => this.#now;
  /** The number of events that have been planned. */
  get steps(): number {
    return this.#count;
  }
  /** One thing that decides in this world, by its name: see decisions.ts. */
  of = (name: string): Choice => this.decisions.of(name);

  /** Notes what happened in the trace, and in its hash. */
  note(line: string): void {
    const text = `${this.#now - this.#beginning} ${line}`;
    this.#hash.update(text).update('\n');
    this.lines?.push(text);
  }
  /** Takes a text into the hash, which is too long for the trace. */
  mix(text: string): void {
    this.#hash.update(text);
  }
  /** The hash of everything noted so far. */
  hash = (): string => this.#hash.copy().digest('hex').slice(0, 16);

  /** Plans an event in `delay` ms. Events of the same time happen in random order. */
  plan(delay: number, what: string, run: () => unknown, owner?: Owner): Event {
    this.#count += 1;
    const event = { due: Math.round(this.#now + Math.max(0, delay)), number: this.#order.random(), what, run, owner };
    insert(this.#events, event);
    return event;
  }
  cancel(event: Event): void {
    event.owner = ended;
  }
  isAsleep = ({ asleepUntil = 0 }: Owner): boolean => asleepUntil > this.#now;
  wait = (ms: number, owner?: Owner): Promise<void> => new Promise((resolve) => void this.plan(ms, '', resolve, owner));

  /** Lets time pass until the condition holds. Throws if it does not within `most` ms of the world's time. */
  async until(holds: () => boolean, most = 3_600_000): Promise<void> {
    const end = this.#now + most;
    await settled();
    while (!holds()) {
      const next = this.#events.shift();
      if (!next || next.due > end) throw new Error('The world does not come to rest');
      if (next.owner?.isDead) continue;
      const { asleepUntil = 0 } = next.owner ?? {};
      if (asleepUntil > next.due) {
        next.due = asleepUntil;
        insert(this.#events, next);
        continue;
      }
      this.#now = Math.max(this.#now, next.due);
      if (next.what !== '') this.note(next.what);
      next.run();
      await settled();
    }
  }
}

/** The owner of cancelled events. */
const ended: Owner = { name: 'nobody', isDead: true };

const isBefore = (one: Event, other: Event): boolean =>
  one.due < other.due || (one.due === other.due && one.number < other.number);

/** Inserts an event into a sorted list. */
function insert(events: Event[], event: Event): void {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(events[middle]!, event))
      low = middle + 1; // within the list
    else high = middle;
  }
  events.splice(low, 0, event);
}

/** Resolves once everything that follows from what has happened has happened too, without time passing. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (!process.getActiveResourcesInfo().includes('Immediate')) return;
  }
  throw new Error('What follows from one event does not end');
}
