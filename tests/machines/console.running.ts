import { createActor, createMachine } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, Go, JourneyLocation } from '#machines/console.ts';
import { openings } from '#tests/support/consolePaths.ts';
import { factsAfter } from '#tests/support/facts.ts';

/** The last row of the guided path, opened from there. */
export const last: JourneyLocation = { journey: 'batch', guided: true, back: null, query: '' };
export const { directly, 'to come back to a gate': back } = openings;
export const facts = factsAfter('organisation');
export const arrived: ConsoleEvent = { type: 'facts.arrived', facts };
export const open = (opening: JourneyLocation | null): ConsoleEvent => ({ type: 'address.changed', opening });
/** The code of a journey that only waits. */
export const code = { machine: createMachine({}) };
export const loaded = (opening: JourneyLocation = directly): ConsoleEvent => ({
  type: 'journey.loaded',
  journey: opening.journey,
  code,
});

/** The console after some events, and the effects that it has requested. */
export function after(...events: ConsoleEvent[]) {
  const asked: string[] = [];
  const ask = (name: string) => () => void asked.push(name);
  const actions = Object.fromEntries(
    ['load', 'readFacts', 'open', 'close', 'passOnToStep'].map((name) => [name, ask(name)]),
  );
  const actor = createActor(consoleMachine.provide({ actions })).start();
  const gone: Go[] = [];
  actor.on('go', (each) => gone.push(each));
  events.forEach((event) => actor.send(event));
  const { value, context } = actor.getSnapshot();
  return { ...value, context, asked, gone };
}
export const working = [open(directly), loaded(), arrived];

/** A console at the page of a journey that only waits, with these facts, and the navigation that it has requested. */
export function opened(opening: JourneyLocation, before: Facts, events: readonly ConsoleEvent[] = []) {
  const actor = createActor(consoleMachine).start();
  const gone: Go[] = [];
  actor.on('go', (each) => gone.push(each));
  const send = (...all: readonly ConsoleEvent[]) => all.forEach((event) => actor.send(event));
  send(open(opening), loaded(opening), { type: 'facts.arrived', facts: before }, ...events);
  return { actor, send, gone, snapshot: actor.getSnapshot() };
}
