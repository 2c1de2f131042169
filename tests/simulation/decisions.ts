import { randomFrom } from '#tests/support/random.ts';

/** One thing that decides in a world: a user, the network, the disk. */
export interface Choice {
  /** A number from 0 to 1. */
  random: () => number;
  chance: (probability: number) => boolean;
  between: (least: number, most: number) => number;
  pick: <T>(list: readonly T[]) => T;
  /** Decides, whatever the seed says, for that in which nothing happens. */
  nothing: () => number;
}

/** Decisions by the name of what made them, each a whole number below `steps`. */
export type Recorded = Record<string, number[]>;

/** How finely a decision is told apart, so that a recorded one is exactly the one that was made. */
const steps = 1_000_000;
/** The decision for which no accident happens, and no chance is taken. */
const nothing = steps - 1;

/** A number of its own for each name, by FNV-1a. */
function numberOf(name: string): number {
  let number = 0x811c9dc5;
  for (const letter of name) number = Math.imul(number ^ letter.codePointAt(0)!, 0x01000193); // it is a letter
  return number;
}

/**
 * Decides everything that could vary in a world. Each name has numbers of its own, so that a world that grows by another
 * thing that decides leaves the others as they were. Recorded decisions are made again; what they do not decide goes the
 * way in which nothing happens.
 */
export class Decisions {
  readonly #seed: number;
  readonly #recorded: Recorded | undefined;
  readonly #made = new Map<string, number[]>();
  readonly #choices = new Map<string, Choice>();

  constructor(seed: number, recorded?: Recorded) {
    this.#seed = seed;
    this.#recorded = recorded;
  }

  /** What has been decided. */
  made = (): Recorded => Object.fromEntries([...this.#made].filter(([, those]) => those.length > 0));

  of(name: string): Choice {
    const choice = this.#choices.get(name) ?? this.#choiceOf(name);
    this.#choices.set(name, choice);
    return choice;
  }

  #choiceOf(name: string): Choice {
    const made: number[] = [];
    this.#made.set(name, made);
    const from = randomFrom(this.#seed ^ numberOf(name));
    const recorded = this.#recorded && (this.#recorded[name] ?? []);
    const drawn = (): number => {
      const number = from(); // drawn even if it does not count, so that the next one is the same
      return recorded ? (recorded[made.length] ?? nothing) : Math.floor(number * steps);
    };
    const decide = (decision: number): number => {
      made.push(decision);
      return decision / steps;
    };
    const random = (): number => decide(drawn());
    return {
      random,
      chance: (probability) => random() < probability,
      between: (least, most) => least + Math.floor(random() * (most - least + 1)),
      pick: (list) => list[Math.floor(random() * list.length)]!, // within the list
      nothing() {
        drawn();
        return decide(nothing);
      },
    };
  }
}
