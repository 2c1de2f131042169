import type { Facts } from '#contract/facts.ts';
import type { Accident } from './accidents.ts';
import type { Position, Tab } from './tab.ts';
import type { Notes } from './user.ts';
import type { World } from './world.ts';

/** A walk under way. */
export interface Walk {
  /** Has an accident happen where the user is now. */
  happen: (what: Accident) => Promise<void>;
  /** Has it happen in the next call, or else at rest, in that state; without a state in the next call of all. */
  await: (what: Accident, state?: string) => void;
  /** Lets the user do one thing. Throws where no way leads on. */
  step: () => Promise<void>;
  /** Walks to the end and looks what has become of it. Throws where no way leads on. */
  finish: () => Promise<Walked>;
}

/** Somebody before a screen. */
export interface Seat {
  number: 1 | 2;
  /** The journey that was open last. */
  journey?: Position['journey'];
  tab: Tab;
  notes: Notes;
  /** How often something was tried again, by journey and state, and how much was done. */
  tries: Map<string, number>;
  acts: number;
  /** Whether a second tab has done the same since this one has looked what there is. */
  outdone: boolean;
}

/** A walk, as an accident finds it. */
export interface Scene {
  world: World;
  /** Loads the page again. */
  reload: () => Promise<void>;
  /** Goes back and forward in the page's history. */
  backAndForward: () => Promise<void>;
  /** Opens the page in a second tab and does the same there, up to where the first one is. */
  double: () => Promise<void>;
  /** Makes another company current in another tab. */
  elsewhere: () => Promise<void>;
}

/** What has become of a walk. */
export interface Walked {
  /** Accidents that have happened. */
  happened: readonly Accident[];
  ended: Tab['ended'];
  /** Facts of the user's company before and afterwards. */
  before: Facts;
  facts: Facts;
  /** What was made in between, other than by the accident itself. */
  made: string[];
  /** Where the walk has ended if no way led to what was wanted, because the service has forgotten it. */
  stopped: string;
  /** Everything seen and done, for messages. */
  log: string[];
}
