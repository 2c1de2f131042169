import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Tab } from './tab.ts';
import type { Kept, World } from './world.ts';

/** The user's knowledge beyond the screen. */
export interface Notes {
  /** Habits in which this user differs from the usual one. */
  habits: readonly string[];
  /** Actions already done, since the page was loaded (`here`) or at all. */
  here: Set<string>;
  done: Set<string>;
  /** The facts at the start. */
  before: Facts;
  /** The chosen one of several options, the same in every tab. */
  wanted: { id?: string };
}

export interface Now {
  snapshot: AnyMachineSnapshot;
  facts: Facts;
  notes: Notes;
  /** The user's ways beyond the page. */
  world: Pick<World, 'url' | 'api' | 'fetch' | 'lab'>;
  tab: Tab;
}

/**
 * The user's next action in a state: an event; `leaves` because the goal is reached; loads the page `again`,
 * because it may be reached by now; `reloads` the page at once; undefined to wait.
 */
export type Act = EventObject | 'leaves' | 'again' | 'reloads' | undefined;
export type Does = (now: Now) => Act | Promise<Act>;

/** A user with one goal in one journey. */
export interface User {
  journey: JourneyId;
  at: Kept;
  /** The user's actions, by state. */
  does: Readonly<Record<string, Does>>;
  /** Whether the goal is reached, according to the facts. */
  isThere: (facts: Facts, before: Facts) => boolean;
  /** The ids of all records at the service that this goal creates or requests. */
  made: (world: World) => string[];
  /** The ways in which the journey is walked. */
  ways: readonly Way[];
}

/** A way through a journey, and the states that no earlier way covers. */
export interface Way {
  /** Habits of this user, which `does` checks. */
  habits?: readonly string[];
  /** The faults set for it. */
  faults?: Faults;
  /** Preparations at the service. */
  before?: (world: World) => Promise<unknown>;
  /** The stage to which console and service are restored, if not the user's usual one. */
  at?: Kept;
  states: readonly string[];
}

/** Calls of these states fail once: `cut` before they leave the page, `lost` after the service has done its work. */
export type Faults = Readonly<Record<string, 'cut' | 'lost'>>;
