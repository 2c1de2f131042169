import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import { alerts } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { Field } from '#rules/field.ts';
import type { FormState } from '#machines/form.ts';
import type { JourneyContext, JourneyOutput, Meta } from '#machines/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from './file.ts';

/** A web page that a person visits: the address, and what the person does there. */
export type Visit =
  | { page: 'login'; url: string; fields: Readonly<Record<string, string>>; values: Walk['values']; decision: string }
  | { page: 'authorise'; url: string; decision: string }
  | { page: 'transfer'; url: string; values: Walk['values'] };

/**
 * What is to be done in a state: send an event; wait for the machine; look again after a while, with an event; have a
 * page visited, then wait; or nothing, because the journey is done or cannot go on.
 */
export type Move =
  | { kind: 'send'; event: AnyEventObject }
  | { kind: 'wait' }
  | { kind: 'pause'; id: string; event: AnyEventObject }
  | { kind: 'visit'; visit: Visit }
  | { kind: 'done' }
  /** The journey has ended with what was sent before it was opened; it is opened again for its own. */
  | { kind: 'reopen' }
  | { kind: 'stuck'; because: string; problem?: Problem };

/** A journey in a state. */
export interface Place {
  id: JourneyId;
  /** The active state as dotted names (../state.ts). */
  state: string;
  now: AnyMachineSnapshot;
  facts: Facts;
  walk: Walk;
  /** Returns a move the first time that it is asked for by this name in the journey, afterwards null. */
  once: (name: string, move: Move) => Move | null;
  /** Whether that move was returned before. */
  did: (name: string) => boolean;
}

/** The moves of a journey in its own states; null leaves a state to the moves that all journeys share. */
export type Moves = (place: Place) => Move | null;

export const send = (event: AnyEventObject): Move => ({ kind: 'send', event });
export const wait: Move = { kind: 'wait' };
export const done: Move = { kind: 'done' };
export const stuck = (because: string, problem?: Problem | null): Move => ({
  kind: 'stuck',
  because,
  ...(problem && { problem }),
});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const names = (fields: readonly Field[]): string => fields.map(({ id }) => id).join(', ') || 'none';

/** Fills in what was given, on the sandbox after the rules' examples; null once that is done. */
export function fillIn({ id, now, walk, once }: Place): Move | null {
  const { form } = now.context as FormState; // asked of journeys with a form only
  const unknown = Object.keys(walk.values).find((field) => !form.fields.some((each) => each.id === field));
  if (unknown !== undefined)
    return stuck(`values.${unknown} is no field of ${id} here: there are ${names(form.fields)}`);
  const filled = now.can({ type: 'form.fill' }) && once('fill', send({ type: 'form.fill' }));
  if (filled) return filled;
  for (const [field, value] of Object.entries(walk.values)) {
    const change = once(`field ${field}`, send({ type: 'form.change', field, value }));
    if (change) return change;
  }
  return null;
}

/** What is wrong in a form that was submitted. */
const flaws = ({ errors }: FormState): string =>
  errors.map(({ id, message }) => `${id}: ${message}`).join('; ') || 'something is missing';

/** Fills in a form and submits it, once. */
export const fillAndSubmit = (place: Place): Move =>
  fillIn(place) ??
  place.once('submit', send({ type: 'form.submit' })) ??
  stuck(`The form was not taken: ${flaws(place.now.context as FormState)}`); // a form's state

/** The moves that every journey has: its end, its gates, its failures. `retries` is how often a failure is tried again. */
export function shared({ now, once }: Place, retries: number): Move | null {
  if (now.status === 'error') return stuck(`The journey has died: ${String(now.error)}`);
  if (now.status === 'done')
    return (now.output as JourneyOutput).type === 'succeeded' ? done : stuck('The journey was left');
  const { failure } = now.context as JourneyContext; // every journey's
  if (now.hasTag('gate')) {
    const [meta] = Object.values(now.getMeta() as Record<string, Meta | undefined>); // a gate is a state without others in it
    return stuck(meta?.alert ? alerts[meta.alert] : 'Something that the step requires is missing');
  }
  if (!now.hasTag('failed')) return null;
  for (let turn = 0; turn < retries && now.can({ type: 'retry' }); turn += 1) {
    const again = once(`retry ${turn}`, send({ type: 'retry' }));
    if (again) return again;
  }
  return stuck([failure?.title, failure?.detail].filter(Boolean).join(': ') || 'It failed', failure);
}
