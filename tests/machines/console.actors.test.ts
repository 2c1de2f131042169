import { assign, createActor, createMachine, fromCallback, type AnyActorRef, type AnyMachineSnapshot } from 'xstate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { consoleGuards, type ConsoleEvent, type JourneyLocation } from '#machines/console.ts';
import { offersOnward } from '#machines/console.shown.ts';
import { openings } from '#tests/support/consolePaths.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { after, arrived, code, directly, facts, loaded, open } from './console.running.ts';

interface Heard {
  input: Record<string, unknown>;
  told: Facts[];
}

/** A journey that keeps what it begins with and what it is told, until it ends. */
const journey = createMachine({
  types: {} as { context: Heard; events: { type: 'facts.arrived'; facts: Facts } | { type: 'end' } },
  context: ({ input }) => ({ input: input as Heard['input'], told: [] }),
  initial: 'open',
  output: { type: 'cancelled' },
  states: {
    open: {
      on: {
        'facts.arrived': { actions: assign({ told: ({ context, event }) => [...context.told, event.facts] }) },
        end: 'ended',
      },
    },
    ended: { type: 'final' },
  },
});

/** A console whose effects are noted. */
function started() {
  const begun: { name: string; input: unknown }[] = [];
  const ended: unknown[] = [];
  const noted = (name: string) =>
    fromCallback(({ input }) => {
      begun.push({ name, input });
      return () => void ended.push(input);
    });
  const actors = { readFacts: noted('readFacts'), loadCode: noted('loadCode'), listen: noted('listen') };
  const actor = createActor(consoleMachine.provide({ actors: actors as never })).start(); // each notes its own input
  const send = (...events: ConsoleEvent[]) => events.forEach((event) => actor.send(event));
  const step = () => actor.getSnapshot().context.step as AnyActorRef;
  const heard = () => (step().getSnapshot() as AnyMachineSnapshot).context as Heard;
  const inputsOf = (name: string) => begun.flatMap((each) => (each.name === name ? [each.input] : []));
  return { actor, send, step, heard, inputsOf, ended };
}

const runs = (opening: JourneyLocation, more: object = {}): ConsoleEvent => ({
  type: 'journey.loaded',
  journey: opening.journey,
  code: { machine: journey, ...more },
});
const guided = openings['from the guided path'];
const company: ConsoleEvent = { type: 'facts.arrived', facts: factsAfter('company') };

/** What a step has created. */
const record = {
  id: '1',
  name: 'Paper mill',
  at: '2026-01-31T09:00:00.000Z',
  ms: 1,
  method: 'POST',
  url: '/',
  status: 202,
  interactionId: '',
};

describe('the actors of a page', () => {
  it('run the journey with the facts, what its address says and its draft, and listen to it', () => {
    const { send, heard, step, inputsOf } = started();
    const input = (query: URLSearchParams) => ({ batchId: query.get('batchId') });
    const draft = (isGuided: boolean) => ({ fills: isGuided });
    send(open({ ...guided, query: '?batchId=batch-1' }), runs(guided, { input, draft }), arrived);
    expect(heard().input).toEqual({ facts, batchId: 'batch-1', draft: { fills: true } });
    expect(inputsOf('listen')).toEqual([{ step: step(), journey: 'company' }]);
    expect(step().id).toBe('step');
  });

  it('fill in examples for the first record of the guided path only', () => {
    const draft = (fills: boolean) => ({ fills });
    const another: JourneyLocation = { ...guided, another: true };
    for (const opening of [openings.directly, guided, another]) {
      const { send, heard } = started();
      send(open(opening), runs(opening, { draft }), opening === guided ? company : arrived);
      expect(heard().input['draft']).toEqual({ fills: opening === guided ? false : opening.guided });
    }
  });

  it('read the facts and load the code of the page that is open, one of each at a time', () => {
    const { send, inputsOf, ended } = started();
    send(open(directly), arrived, { type: 'facts.stale' });
    expect([inputsOf('readFacts'), inputsOf('loadCode')]).toEqual([[undefined, undefined], [{ journey: 'company' }]]);
    expect(ended).toEqual([undefined]);
    send(open({ ...directly, journey: 'account' }));
    expect(inputsOf('loadCode')).toEqual([{ journey: 'company' }, { journey: 'account' }]);
    expect(ended).toContainEqual({ journey: 'company' });
  });

  it('run a journey without address and draft with the facts alone', () => {
    const { send, heard } = started();
    send(open(directly), runs(directly, { draft: () => undefined }), arrived);
    expect(heard().input).toEqual({ facts });
  });

  it('tell the journey the facts that arrive while it runs, unless those of its gate are unread', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { actor, send, heard, step } = started();
    const opening: JourneyLocation = { journey: 'subscription', guided: true, back: null, query: '' };
    send(open(opening), runs(opening), company);
    expect(heard().told).toEqual([]);
    send({ type: 'facts.stale' }, company);
    expect(heard().told).toEqual([factsAfter('company')]);
    const unread = withFacts(factsAfter('company'), { providers: 0, unread: ['providers'], unreadBecause: failure });
    send({ type: 'facts.stale' }, { type: 'facts.arrived', facts: unread });
    expect(heard().told).toHaveLength(1);
    send({ type: 'facts.stale' }, company, company);
    expect(heard().told).toHaveLength(3);
    const before = step();
    before.send({ type: 'end' });
    send(company);
    // XState warns of what is sent to an actor that has ended.
    expect([actor.getSnapshot().value.page, warn.mock.calls]).toEqual(['leaving', []]);
  });

  it('tell the journey the facts that arrive once the page before can be gone back to, and later ones', () => {
    const { send, heard, actor } = started();
    const back = openings['to come back to a gate'];
    send(open(back), runs(back), arrived, company, { type: 'facts.stale' }, company);
    expect([actor.getSnapshot().value.page, heard().told]).toEqual(['returning', Array(2).fill(factsAfter('company'))]);
  });

  it('lead from the last step of the guided path to the root', () => {
    const opening = openings['to set up the guided path'];
    const done: ConsoleEvent = { type: 'facts.arrived', facts: everything };
    const ended: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: {} } };
    const { context, gone } = after(open(opening), loaded(opening), done, ended);
    expect([context.next, gone]).toEqual([null, [{ type: 'go', to: '/', done: 'settings' }]]);
  });

  it('end with the page', () => {
    const { actor, send, step, ended } = started();
    send(open(directly), runs(directly), arrived);
    const before = step();
    send(open(null));
    expect([(before.getSnapshot() as AnyMachineSnapshot).status, actor.getSnapshot().context.step]).toEqual([
      'stopped',
      null,
    ]);
    expect(ended).toContainEqual({ step: before, journey: 'company' });
  });
});

describe('the guards of the console', () => {
  const context = {
    opening: guided,
    facts: everything,
    readAt: 0,
    failure: null,
    code: null,
    error: null,
    step: null,
    made: null,
    next: null,
  };
  const stale: ConsoleEvent = { type: 'facts.stale' };
  const holds = (name: keyof typeof consoleGuards, more: object, event: ConsoleEvent = stale) =>
    (consoleGuards[name] as (args: object) => boolean)({ context: { ...context, ...more }, event });

  it.each([
    'offers',
    'completes',
    'mayReturn',
    'hasEarlier',
    'isRepeatable',
    'isUnavailable',
    'goesOn',
    'isReady',
  ] as const)('hold for no page that is not open, nor before facts have arrived: %s', (name) => {
    for (const more of [{ opening: null }, { facts: null, opening: { ...guided, back: '/debtors' } }])
      expect(holds(name, more)).toBe(false);
  });

  it('let the user go on from a journey that has nothing to show only once it has succeeded', () => {
    const opening = openings['to set up the guided path'];
    const ends = (type: 'succeeded' | 'cancelled'): ConsoleEvent => ({
      type: 'xstate.done.actor.step',
      output: type === 'succeeded' ? { type, result: {} } : { type },
    });
    expect(holds('goesOn', { opening }, ends('succeeded'))).toBe(true);
    expect(holds('goesOn', { opening }, ends('cancelled'))).toBe(false);
    expect(holds('goesOn', { opening })).toBe(false);
    expect(holds('goesOn', { opening, made: { journey: 'settings', result: {} } })).toBe(true);
    expect(holds('goesOn', {}, ends('succeeded'))).toBe(false);
  });
});

describe('the code and the earlier result of a page', () => {
  it('are of the page that is open', () => {
    const foreign: ConsoleEvent = { type: 'journey.loaded', journey: 'account', code };
    expect(after(open(directly), arrived, foreign)).toMatchObject({
      code: 'loading',
      page: 'loading',
      context: { code: null },
    });
    const broken: ConsoleEvent = { type: 'journey.broken', journey: 'account', error: new Error('Another') };
    expect(after(open(directly), broken)).toMatchObject({ code: 'loading', page: 'loading', context: { error: null } });
    expect(after(open(directly), { ...broken, journey: 'company' })).toMatchObject({ code: 'failed', page: 'broken' });
    expect(after(open(directly), loaded())).toMatchObject({ code: 'loaded' });
  });

  it('stay with more of the same page and with facts that still name the result, and are gone with facts that do not', () => {
    const opening = openings['to repeat a step of the guided path'];
    const there: ConsoleEvent = { type: 'facts.arrived', facts: withFacts(everything, { made: { creditor: record } }) };
    const missing: ConsoleEvent = { type: 'facts.arrived', facts: withFacts(everything, { made: {} }) };
    const shown = [open(opening), loaded(opening), there];
    expect(after(...shown).result).toBe('earlier');
    expect(after(...shown, open({ ...opening, query: 'again' })).result).toBe('earlier');
    expect(after(...shown, { type: 'facts.stale' }, there).result).toBe('earlier');
    expect(after(...shown, { type: 'facts.stale' }, missing).result).toBe('gone');
    expect(after(...shown, { type: 'facts.stale' }, missing, { type: 'facts.stale' }, missing).result).toBe('gone');
    expect(after(...shown, { type: 'facts.stale' }, missing, { type: 'facts.stale' }, there).result).toBe('earlier');
    expect(after(...shown, open(null)).result).toBe('none');
  });

  it('let the page offer what follows, but not beside a step that is still to be repeated', () => {
    const offers = (...events: ConsoleEvent[]) => {
      const { actor, send } = started();
      send(...events);
      return offersOnward(actor.getSnapshot());
    };
    const repeated = openings['to repeat a step of the guided path'];
    const settings = openings['to set up the guided path'];
    expect(offers(open(null), arrived)).toBe(true);
    expect(offers(open(repeated))).toBe(true);
    expect(offers(open(repeated), runs(repeated), company)).toBe(false);
    expect(offers(open(settings), runs(settings), company)).toBe(true);
  });
});
