import { createActor } from 'xstate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
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

  it('are read anew while a reading is under way, which may be older, or after one that failed', () => {
    const reading = after(...working, { type: 'facts.stale' }, known);
    expect([reading.facts, reading.asked.filter((name) => name === 'readFacts').length]).toEqual(['reading', 3]);
    const failed = after(...working, { type: 'facts.failed', failure }, known);
    expect([failed.facts, failed.asked.filter((name) => name === 'readFacts').length]).toEqual(['reading', 2]);
  });
});

describe('new facts of an open page', () => {
  const company = factsAfter('company');
  const arrive = (given: typeof facts): ConsoleEvent => ({ type: 'facts.arrived', facts: given });

  /** Each state of a page with an open journey, and what led there. */
  const pages = {
    working: working,
    returning: [open(back), loaded(back), arrive(company)],
    offering: [open(guided), loaded(guided), arrive(company)],
    complete: [open(last), loaded(last), arrive(everything)],
    showing: [open(guided), loaded(guided), arrived, succeeded],
  };

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
      context: { step: null, made: null, opening: after(...events).context.opening },
    });
    expect(switched.asked.slice(-2)).toEqual(['close', 'readFacts']);
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
});
