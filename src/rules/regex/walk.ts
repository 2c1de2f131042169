/** A value as it is walked through: a string, or code points in its place. */
export type Text = Pick<string, 'length' | 'charCodeAt' | 'charAt'>;
/** Condition of an edge that consumes no character: start of the value, word boundary, look-around. */
export type Condition = (tables: readonly Uint8Array[], value: Text, at: number) => boolean;
export type Takes = (unit: number) => boolean;
export const atStart: Condition = (_, __, at) => at === 0;
export const atEnd: Condition = (_, value, at) => at === value.length;
export interface Edge {
  from: number;
  to: number;
  takes?: Takes;
  holds?: Condition;
}

/** State 0 is the start, state 1 the end. */
export interface Automaton {
  states: number;
  edges: Edge[];
}

/** The number of steps that may still be taken; a step enters or leaves a state, or goes on to the next character. */
export interface Budget {
  left: number;
}

/**
 * Returns whether a match ends (backwards: begins) anywhere in a value; undefined if the budget does not suffice. With
 * `found`, visits all positions from 0 to the value's length and sets 1 where one does.
 */
export type Walk = (
  value: Text,
  budget: Budget,
  tables?: readonly Uint8Array[],
  found?: Uint8Array,
) => boolean | undefined;

/** The states that a walk may be in before a position, with cached steps from there. */
interface Present {
  states: readonly number[];
  /** By what is read: the kind of character, and which conditions hold. */
  steps: (Step | undefined)[];
  /** By kind of character, the next states if no match ends before it; only for a forward walk without conditions. */
  onwards: (Present | undefined)[];
}
interface Step {
  /** Whether a match ends at this position. */
  ends: boolean;
  next: Present;
}

const none: readonly Uint8Array[] = [];

/** The steps that a cached step counts for, and a condition that is looked at. */
const lookUp = 8;

/** Limits of one walk's cache: conditions, kinds of characters, and states in all sets. */
const [mostConditions, mostKinds, mostRemembered] = [4, 250, 4000];
/** Number of characters whose kind is cached, from U+0000. */
const usual = 256;

/**
 * Prepares a walk through an automaton. Time is at most proportional to edges times positions. Steps are cached, so
 * that a similar value takes one look-up per character.
 */
export function walkOf({ states, edges }: Automaton, forwards: boolean): Walk {
  const out: Edge[][] = Array.from({ length: states }, () => []);
  for (const edge of edges) out[forwards ? edge.from : edge.to]?.push(edge);
  const [first, last] = forwards ? [0, 1] : [1, 0];
  /** Conditions that do not depend on the position alone. */
  const conditions = [...new Set(edges.flatMap(({ holds }) => holds ?? []))].filter(
    (holds) => holds !== atStart && holds !== atEnd,
  );
  const isPlain = forwards && conditions.length === 0;
  const takers = [...new Set(edges.flatMap(({ takes }) => takes ?? []))];

  const sets = new Map<string, Present>();
  let room = conditions.length > mostConditions ? 0 : mostRemembered;
  function presentOf(next: readonly number[]): Present {
    const made = { states: next, steps: [], onwards: [] };
    if (room <= 0) return made;
    const key = [...new Set(next)].toSorted((one, other) => one - other).join();
    const known = sets.get(key);
    if (known) return known;
    sets.set(key, made);
    room -= next.length + 1;
    return made;
  }
  const beginning = presentOf([]);

  /** Characters that the same edges take are of one kind; kind 0 is unknown, or beyond the limit. */
  const kinds = new Map<string, number>();
  const kindOf = new Uint8Array(usual);
  function learn(unit: number): number {
    const key = takers.map((takes) => Number(takes(unit))).join('');
    const kind = kinds.get(key) ?? (kinds.size < mostKinds ? kinds.size + 1 : 0);
    if (kind > 0) kinds.set(key, kind);
    if (unit < usual) kindOf[unit] = kind;
    return kind;
  }

  /** By state, the turn in which it was last entered. */
  const entered = new Int32Array(states);
  let turn = 0;
  function take(
    present: Present,
    value: Text,
    at: number,
    unit: number,
    tables: readonly Uint8Array[],
    budget: Budget,
  ): Step {
    turn = (turn + 1) | 0;
    const here: number[] = [];
    const next: number[] = [];
    const enter = (state: number) => {
      if (entered[state] === turn) return;
      entered[state] = turn;
      here.push(state);
    };
    present.states.forEach(enter);
    enter(first);
    // `here` grows during the loop.
    for (let index = 0; index < here.length; index += 1) {
      const leaving = out[here[index]!] ?? [];
      budget.left -= 1 + leaving.length;
      for (const { from, to, takes, holds } of leaving) {
        const target = forwards ? to : from;
        if (takes) {
          if (unit >= 0 && takes(unit)) next.push(target);
        } else if (!holds || holds(tables, value, at)) enter(target);
      }
    }
    return { ends: entered[last] === turn, next: presentOf(next) };
  }

  return (value, budget, tables = none, found) => {
    const { length } = value;
    budget.left -= length;
    if (budget.left < 0) return undefined;
    let present = beginning;
    let any = false;
    for (let step = 0; step <= length; step += 1) {
      while (step > 0 && step < length) {
        const onwards = present.onwards[kindOf[value.charCodeAt(step)] ?? 0];
        if (onwards === undefined) break;
        present = onwards;
        step += 1;
      }
      budget.left -= lookUp * (1 + conditions.length);
      if (budget.left < 0) return undefined;
      const at = forwards ? step : length - step;
      // There is no character after the last position.
      const unit = step === length ? -1 : value.charCodeAt(forwards ? at : at - 1);
      const kind = unit < 0 ? 0 : (kindOf[unit] ?? 0) || learn(unit);
      let symbol = (kind << 2) | (step === 0 ? 1 : 0) | (unit < 0 ? 2 : 0);
      for (const holds of conditions) symbol = 2 * symbol + Number(holds(tables, value, at));
      const isKnown = kind > 0 || unit < 0;
      let taken = isKnown ? present.steps[symbol] : undefined;
      if (taken === undefined) {
        taken = take(present, value, at, unit, tables, budget);
        if (room > 0 && isKnown) {
          present.steps[symbol] = taken;
          if (isPlain && step > 0 && unit >= 0 && !taken.ends) present.onwards[kind] = taken.next;
          room -= 1;
        }
      }
      if (taken.ends) {
        if (!found) return true;
        found[at] = 1;
        any = true;
      }
      present = taken.next;
    }
    return any;
  };
}
