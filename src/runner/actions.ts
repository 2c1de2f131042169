import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { alerts } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { Field } from '#rules/field.ts';
import type { FormState } from '#machines/lib/form.ts';
import { gateOf, type JourneyContext, type JourneyOutput } from '#machines/lib/gate.ts';
import { hasTag } from '#machines/lib/state.ts';
import type { JourneyId } from '#machines/journeys.ts';

/** The value of a choice: a text, a number, a boolean, or a list of ids. */
export type Choice = string | number | boolean | readonly string[];

/**
 * One journey to run: its form's values by field id, and its choices (table.ts). For absent ones, the sandbox
 * takes the rules' examples; on a live service they are missing.
 */
export interface Walk {
  journey: JourneyId;
  values: Readonly<Record<string, string>>;
  choices: Readonly<Record<string, Choice>>;
}

/** The type and the meaning of a choice. */
export interface ChoiceKind {
  is: 'text' | 'yes or no' | 'number or ids' | readonly string[];
  means: string;
}

/** A web page for a person to visit: the address, and what to do there. */
export type Visit =
  | { page: 'login'; url: string; fields: Readonly<Record<string, string>>; values: Walk['values']; decision: string }
  | { page: 'authorise'; url: string; decision: string }
  | { page: 'transfer'; url: string; values: Walk['values'] };

/**
 * What to do in a state: send an event; wait for the machine; pause, then send an event; visit a page, then wait; or
 * stop, because the journey is done or stuck.
 */
export type Move =
  | { kind: 'send'; event: AnyEventObject }
  | { kind: 'wait' }
  | { kind: 'pause'; id: string; event: AnyEventObject }
  | { kind: 'visit'; visit: Visit }
  | { kind: 'done' }
  /** The journey has ended with a message sent before it was opened; it is opened again to send its own. */
  | { kind: 'reopen' }
  | { kind: 'stuck'; because: string; problem?: Problem };

/** The current state of a journey, for its moves. */
export interface Place {
  id: JourneyId;
  /** The active state as dotted names (../state.ts). */
  state: string;
  now: AnyMachineSnapshot;
  facts: Facts;
  walk: Walk;
  /** Returns the move on the first call with this name in the journey, null afterwards. */
  once: (name: string, move: Move) => Move | null;
  /** Whether `once` has returned the move of this name. */
  did: (name: string) => boolean;
}

/** The moves of a journey; null in a state whose moves are common to all journeys. */
export type Moves = (place: Place) => Move | null;

/** How a journey is run. */
export interface Runnable {
  moves: Moves;
  /** The fields that a file may give values for; absent if they come from rules or from a question. */
  fields?: readonly string[];
  /** The choices of the user besides the fields of the form. */
  choices?: Readonly<Record<string, ChoiceKind>>;
  /** Parameters of its address besides those of every journey; empty ones are left out. */
  query?: (walk: Walk) => Readonly<Record<string, string>>;
}

export const send = (event: AnyEventObject): Move => ({ kind: 'send', event });
export const wait: Move = { kind: 'wait' };
export const done: Move = { kind: 'done' };
export const stuck = (because: string, problem?: Problem | null): Move => ({
  kind: 'stuck',
  because,
  ...(problem && { problem }),
});

const names = (fields: readonly Field[]): string => fields.map(({ id }) => id).join(', ') || 'none';

/** Fills in the given values, on the sandbox after the rules' examples; null once all are filled in. */
export function fillIn({ id, now, walk, once }: Place): Move | null {
  const { form } = now.context as FormState; // called only for journeys with a form
  const unknown = Object.keys(walk.values).find((field) => !form.fields.some((each) => each.id === field));
  if (unknown !== undefined)
    return stuck(`values.${unknown} is not a field of ${id} here: there are ${names(form.fields)}`);
  const filled = now.can({ type: 'form.fill' }) && once('fill', send({ type: 'form.fill' }));
  if (filled) return filled;
  for (const [field, value] of Object.entries(walk.values)) {
    const change = once(`field ${field}`, send({ type: 'form.change', field, value }));
    if (change) return change;
  }
  return null;
}

/** The errors of a submitted form. */
const flaws = ({ errors }: FormState): string =>
  errors.map(({ id, message }) => `${id}: ${message}`).join('; ') || 'something is missing';

/** Fills in a form and submits it, once. */
export const fillAndSubmit = (place: Place): Move =>
  fillIn(place) ??
  place.once('submit', send({ type: 'form.submit' })) ??
  stuck(`The form was not accepted: ${flaws(place.now.context as FormState)}`); // a form's state

/**
 * The moves common to all journeys: at their end, gates and failures. `retries` is the number of retries after
 * failures.
 */
export function shared({ now, once }: Place, retries: number): Move | null {
  if (now.status === 'error') return stuck(`The journey stopped with an error: ${String(now.error)}`);
  if (now.status === 'done')
    return (now.output as JourneyOutput).type === 'succeeded' ? done : stuck('The journey was cancelled');
  const { failure } = now.context as JourneyContext; // in every journey's context
  const gate = gateOf(now);
  if (gate) return stuck(alerts[gate.alert]);
  if (!hasTag(now, 'failed')) return null;
  // A refused form is mended and sent by its own button.
  const again = [{ type: 'retry' }, { type: 'form.submit' }].find((event) => now.can(event));
  for (let turn = 0; again && turn < retries; turn += 1) {
    const move = once(`retry ${turn}`, send(again));
    if (move) return move;
  }
  return stuck([failure?.title, failure?.detail].filter(Boolean).join(': ') || 'It failed', failure);
}
