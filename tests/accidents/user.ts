import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Tab } from './tab.ts';
import type { Kept, World } from './world.ts';

/** What a user knows besides the screen. */
export interface Notes {
  /** Words for the ways in which this one differs from the usual user. */
  habits: readonly string[];
  /** What has been done once, since the page was loaded (`here`) or at all. */
  here: Set<string>;
  done: Set<string>;
  /** The facts at the beginning. */
  before: Facts;
  /** The one of several that is wanted, in whatever tab, once it has been chosen. */
  wanted: { id?: string };
}

export interface Now {
  snapshot: AnyMachineSnapshot;
  facts: Facts;
  notes: Notes;
  world: World;
  tab: Tab;
}

/**
 * What a user does next in a state: an event; `leaves` the page, because what was wanted is there; comes `again`,
 * because it may be there by now; `reloads` the page at once; waits, if nothing.
 */
export type Act = EventObject | 'leaves' | 'again' | 'reloads' | undefined;
export type Does = (now: Now) => Act | Promise<Act>;

/** Somebody who wants one thing of one journey. */
export interface User {
  journey: JourneyId;
  at: Kept;
  /** What the user does, by state. */
  does: Readonly<Record<string, Does>>;
  /** Whether the facts say that what was wanted is there. */
  isThere: (facts: Facts, before: Facts) => boolean;
  /** The ids at the service of all that was made, or asked for, as is wanted here. */
  made: (world: World) => string[];
  /** The ways in which the journey is walked. */
  ways: readonly Way[];
}

/** A way through a journey, and the states that no way before it has seen. */
export interface Way {
  /** Habits of this user, of which `does` knows. */
  habits?: readonly string[];
  /** Faults on the way. */
  faults?: Faults;
  /** What is set up at the service before. */
  before?: (world: World) => Promise<unknown>;
  /** Where console and service are put back to, if not where the user begins. */
  at?: Kept;
  states: readonly string[];
}

/** Calls of these states fail once: `cut` before they leave the page, `lost` after the service has done its work. */
export type Faults = Readonly<Record<string, 'cut' | 'lost'>>;
