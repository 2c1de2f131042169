import { createActor } from 'xstate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, Go, JourneyLocation } from '#machines/console.ts';
import type { Facts } from '#contract/facts.ts';
import { openings } from '#tests/support/consolePaths.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { after, arrived, back, directly, facts, last, loaded, open, working } from './console.running.ts';

const guided = openings['from the guided path'];
const succeeded: ConsoleEvent = {
  type: 'xstate.done.actor.step',
  output: { type: 'succeeded', result: { companyId: '1' } },
};
const cancelled: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'cancelled' } };

describe('the age of the facts', () => {
  /** A console with an open journey, and how the facts stand once an address is opened `ms` after they were read. */
  const openedAfter = (ms: number, opening: JourneyLocation | null, given = facts) => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    onTestFinished(() => now.mockRestore());
    const actor = createActor(consoleMachine).start();
    actor.send({ type: 'facts.arrived', facts: given });
    actor.send(open(directly));
    now.mockReturnValue(1000 + ms);
    actor.send(open(opening));
    return actor.getSnapshot().value.facts;
  };

  it.each([null, { ...directly, journey: 'organisation' as const }])(
    'makes them be read again for another page from ten seconds on, and not a moment earlier: %o',
    (opening) => {
      expect([openedAfter(9_999, opening), openedAfter(10_000, opening)]).toEqual(['known', 'reading']);
    },
  );

  it('does not matter to the page that is open', () => {
    expect(openedAfter(10_000, directly)).toBe('known');
  });

  it('does not matter to facts of which a part is unread: they are read again for each page', () => {
    const unread = withFacts(facts, { unread: ['providers'], unreadBecause: failure });
    expect([openedAfter(0, null, unread), openedAfter(0, null)]).toEqual(['reading', 'known']);
  });

  it.each(['account', 'dataset', 'subscription'] as const)(
    'does not matter where the page of %s would lack something: a program may have provided it since',
    (journey) => {
      const stands = (given: Facts) => openedAfter(0, { ...directly, journey }, given);
      expect([stands(factsAfter('organisation')), stands(everything)]).toEqual(['reading', 'known']);
    },
  );
});

describe('facts that the open journey knows', () => {
  const company = factsAfter('company');
  const known: ConsoleEvent = { type: 'facts.known', facts: company };

  it('replace those that were read, and are told to the journey', () => {
    expect(after(...working, known)).toMatchObject({ facts: 'known', context: { facts: company } });
    expect(after(...working, known).asked.at(-1)).toBe('passOnToStep');
  });

  it('are read anew while a reading is under way, which may be older, or after one that failed', () => {
    const reading = after(...working, { type: 'facts.stale' }, known);
    expect([reading.facts, reading.asked.filter((name) => name === 'readFacts').length]).toEqual(['reading', 3]);
    const failed = after(...working, { type: 'facts.failed', failure }, known);
    expect([failed.facts, failed.asked.filter((name) => name === 'readFacts').length]).toEqual(['reading', 2]);
  });
});

describe('where the console goes', () => {
  const company: ConsoleEvent = { type: 'facts.arrived', facts: factsAfter('company') };
  const shown = [open(guided), loaded(guided), arrived, succeeded];

  it.each<[string, ConsoleEvent[], Go]>([
    [
      'home with what was made, from a page that was opened directly',
      [...working, succeeded],
      { type: 'go', to: '/', done: 'company' },
    ],
    ['home with nothing, when the journey is left', [...working, cancelled], { type: 'go', to: '/', done: null }],
    [
      'back with what was made, to the page that required it',
      [open(back), loaded(back), arrived, succeeded],
      { type: 'go', to: '/onboardingsubscription', done: 'company' },
    ],
    [
      'on to the next step, which is offered once the facts name it',
      [...shown, company, { type: 'next.accept' }],
      { type: 'go', to: '/getaccesstoken?guided=true', done: 'company' },
    ],
    [
      'home when the offer is declined',
      [...shown, company, { type: 'result.close' }],
      { type: 'go', to: '/', done: 'company' },
    ],
    [
      'home from a page whose facts could not be read',
      [open(directly), loaded(), { type: 'facts.failed', failure }, { type: 'result.close' }],
      { type: 'go', to: '/', done: null },
    ],
  ])('%s', (_, events, go) => {
    const { gone, page } = after(...events);
    expect([gone, page]).toEqual([[go], 'leaving']);
  });

  it('nowhere while the record of a journey on the guided path is awaited, nor for what it does not take', () => {
    expect(after(...shown)).toMatchObject({ page: 'showing', result: 'awaited', facts: 'reading', gone: [] });
    expect(after(...working, { type: 'next.accept' }, { type: 'result.close' })).toMatchObject({
      page: 'working',
      gone: [],
    });
  });
});

describe('new facts of an open page', () => {
  const company = factsAfter('company');
  const tells = (asked: readonly string[]) => asked.filter((name) => name === 'passOnToStep').length;
  const arrive = (given: typeof facts): ConsoleEvent => ({ type: 'facts.arrived', facts: given });

  /** Each state of a page with an open journey, and what led there. */
  const pages = {
    working: working,
    returning: [open(back), loaded(back), arrive(company)],
    offering: [open(guided), loaded(guided), arrive(company)],
    complete: [open(last), loaded(last), arrive(everything)],
    showing: [open(guided), loaded(guided), arrived, succeeded],
  };

  it.each(Object.entries(pages))('are told to the journey once, and shown: %s', (state, events) => {
    const before = after(...events);
    expect(before.page).toBe(state);
    for (const given of [facts, company, everything]) {
      const { asked, context } = after(...events, { type: 'facts.stale' }, arrive(given));
      expect([tells(asked) - tells(before.asked), context.facts]).toEqual([1, given]);
    }
  });

  it.each(Object.entries(pages))(
    'are read again without a change of the page when they may be stale: %s',
    (state, events) => {
      const { page, facts: age, asked } = after(...events, { type: 'facts.stale' });
      expect([page, age, asked.at(-1)]).toEqual([state, 'reading', 'readFacts']);
    },
  );

  it.each(Object.entries(pages))('keep the failure of a reading until they arrive: %s', (state, events) => {
    const failed = after(...events, { type: 'facts.failed', failure });
    expect([failed.page, failed.facts, failed.context.failure]).toEqual([state, 'failed', failure]);
    const known = failed.context.facts ?? facts;
    expect(after(...events, { type: 'facts.failed', failure }, { type: 'retry' }, arrive(known)).context.failure).toBe(
      null,
    );
  });

  it.each(Object.entries(pages))('are read for another page, and not for more of the same: %s', (state, events) => {
    const opening = after(...events).context.opening ?? directly;
    const more = after(...events, open({ ...opening, query: 'again' }));
    expect([more.page, more.code, more.asked.filter((name) => name === 'load').length]).toEqual([state, 'loaded', 1]);
    const other = after(...events, open({ ...opening, journey: 'account' }));
    expect(other).toMatchObject({
      page: 'loading',
      code: 'loading',
      result: 'none',
      context: { code: null, step: null, made: null },
    });
    const home = after(...events, open(null));
    expect(home).toMatchObject({ page: 'home', code: 'none', result: 'none', context: { opening: null } });
    for (const { asked } of [other, home]) expect(asked).toContain('close');
  });

  it.each(Object.entries(pages))('belong to another journey once the subscription is switched: %s', (_, events) => {
    const switched = after(...events, { type: 'subscription.switched' });
    expect(switched).toMatchObject({
      page: 'loading',
      facts: 'reading',
      result: 'none',
      context: { step: null, made: null },
    });
    expect(switched.asked).toContain('close');
  });

  it.each(Object.entries(pages))('do not matter once the journey has died, which says why: %s', (_, events) => {
    const error = new Error('The journey has died');
    expect(after(...events, { type: 'xstate.error.actor.step', error })).toMatchObject({
      page: 'broken',
      context: { error },
    });
  });

  it.each(['returning', 'offering', 'complete'] as const)(
    'lead home when the user leaves the journey or closes it: %s',
    (state) => {
      for (const event of [cancelled, { type: 'result.close' } as const]) {
        const { page, gone } = after(...pages[state], event);
        expect([page, gone]).toEqual(['leaving', [{ type: 'go', to: '/', done: null }]]);
      }
    },
  );

  it.each(['offering', 'complete'] as const)('stay beside what the journey has made once more: %s', (state) => {
    const { page, context, facts: age, gone } = after(...pages[state], succeeded);
    expect([page, context.made, age, gone]).toEqual([
      state,
      { journey: context.opening?.journey, result: { companyId: '1' } },
      'reading',
      [],
    ]);
  });
});
