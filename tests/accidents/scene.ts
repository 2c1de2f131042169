import type { Facts } from '#contract/facts.ts';
import type { Accident } from './accidents.ts';
import type { Position, Tab } from './tab.ts';
import type { Notes } from './user.ts';
import type { World } from './world.ts';

/** A walk in progress. */
export interface Walk {
  /** Causes an accident in the user's present state. */
  happen: (what: Accident) => Promise<void>;
  /** Plans it for the next call, or the next idle moment, in this state; without a state for the very next call. */
  await: (what: Accident, state?: string) => void;
  /** Performs the user's next action. Throws if no action is possible. */
  step: () => Promise<void>;
  /** Walks to the end and returns the result. Throws if no action is possible. */
  finish: () => Promise<Walked>;
}

/** One tab of the user. */
export interface Seat {
  number: 1 | 2;
  /** The journey that was open last. */
  journey?: Position['journey'];
  tab: Tab;
  notes: Notes;
  /** Retries by journey and state, and the number of actions. */
  tries: Map<string, number>;
  acts: number;
  /** Whether a second tab has done the same since this one read the facts. */
  outdone: boolean;
}

/** A walk, as an accident sees it. */
export interface Scene {
  world: World;
  /** Loads the page again. */
  reload: () => Promise<void>;
  /** Goes back and forward in the page's history. */
  backAndForward: () => Promise<void>;
  /** Opens the page in a second tab and does the same there, up to where the first one is. */
  double: () => Promise<void>;
  /** Selects another company in another tab. */
  elsewhere: () => Promise<void>;
}

/** The result of a walk. */
export interface Walked {
  /** The accidents that occurred. */
  happened: readonly Accident[];
  ended: Tab['ended'];
  /** Facts of the user's company before and afterwards. */
  before: Facts;
  facts: Facts;
  /** The records created in between, without those of the accident. */
  made: string[];
  /** The place at which the walk stopped if its goal was out of reach because the service had lost the records. */
  stopped: string;
  /** The log of states and actions, for messages. */
  log: string[];
}
