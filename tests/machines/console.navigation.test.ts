import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
import { onwardLabel } from '#machines/console.shown.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { facts as known, openings } from '#tests/support/consolePaths.ts';
import { failure } from '#tests/support/fixtures.ts';
import { after, last, loaded, open, opened } from './console.running.ts';

const facts = (arrived: Facts): ConsoleEvent => ({ type: 'facts.arrived', facts: arrived });
const ended: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: {} } };
const left: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'cancelled' } };

const { directly, 'from the guided path': guided, 'to come back to a gate': back } = openings;
const incapable = { providerId: 'provider-1', name: 'Example Bacs', capabilities: ['SubscriptionRequired'] };
const partial = withFacts(everything, { unread: ['providers'], unreadBecause: failure });
const [lacking, company] = [factsAfter('organisation'), factsAfter('company')];

describe('the console’s navigation', () => {
  it.each([
    ['leads to the root after success of a page opened directly', directly, lacking, [ended], '/'],
    ['leads to the root after Cancel of a page opened directly', directly, lacking, [left], '/'],
    ['leads back to the blocked page after success', back, lacking, [ended], '/onboardingsubscription'],
    [
      'leads back to the blocked page when the user accepts that on a page without an end',
      back,
      lacking,
      [facts(company), { type: 'next.accept' }],
      '/onboardingsubscription',
    ],
    ['stays on a page without an end until the user accepts going back', back, lacking, [facts(company)], null],
    [
      'stays if the user accepts before the prerequisite is met, although the page was completed before',
      { journey: 'subscription', guided: false, back: '/debtors', query: '' },
      withFacts(factsAfter('authorisation'), { provider: incapable }),
      [{ type: 'next.accept' }],
      null,
    ],
    ['leads to the root after Cancel of a page opened for a gate', back, lacking, [left], '/'],
    ['leads to the root after Cancel while the next step is offered', guided, company, [left], '/'],
    ['leads to the root after Cancel on the guided path', guided, lacking, [left], '/'],
    ['stays after success on the guided path until the facts arrive', guided, lacking, [ended], null],
    [
      'leads to the next step when the user accepts it',
      guided,
      lacking,
      [ended, facts(company), { type: 'next.accept' }],
      '/getaccesstoken?guided=true',
    ],
    [
      'leads to the next step accepted on a page without an end',
      guided,
      company,
      [{ type: 'next.accept' }],
      '/getaccesstoken?guided=true',
    ],
    [
      'leads back to the blocked page after success if its prerequisite is met already',
      back,
      company,
      [ended],
      '/onboardingsubscription',
    ],
    ['leads to the root after Cancel while the way back is offered', back, company, [left], '/'],
    ['leads to the root after Cancel at the end of the guided path', last, everything, [left], '/'],
    [
      'leads to the root after success if the facts name the same step as the next one',
      openings['to set up the guided path'],
      factsAfter('nothing'),
      [ended, facts(factsAfter('nothing'))],
      '/',
    ],
    [
      'leads to the root when the user closes a last step without an end',
      last,
      everything,
      [{ type: 'result.close' }],
      '/',
    ],
    [
      'leads to the root when the user closes the earlier result of a page opened directly',
      { ...directly, journey: 'organisation' },
      lacking,
      [{ type: 'result.close' }],
      '/',
    ],
    ['stays where the user closes no result that is shown', directly, lacking, [{ type: 'result.close' }], null],
    [
      'leads to the root when the user declines the next step',
      guided,
      lacking,
      [ended, facts(company), { type: 'result.close' }],
      '/',
    ],
  ] as [string, JourneyLocation, Facts, ConsoleEvent[], string | null][])(
    '%s',
    (_, opening, before, events, expected) => {
      const { gone, snapshot } = opened(opening, before, events);
      expect(gone.map(({ to }) => to)).toEqual(expected === null ? [] : [expected]);
      expect(snapshot.value.page === 'leaving').toBe(expected !== null);
    },
  );
});

describe('the button that leads on', () => {
  const another: ConsoleEvent = { type: 'another.start' };
  const settings = openings['to set up the guided path'];
  const subscription: JourneyLocation = { journey: 'subscription', guided: true, back: null, query: '' };
  const { creditor: record } = known.everything.made;
  const heldUp = withFacts(everything, { provider: incapable, made: { subscription: record! } }); // it has one

  it.each<[string, JourneyLocation, Facts, ConsoleEvent[], string]>([
    ['names the page that requires what is there now', back, company, [], 'Back to Create with OnBoarding'],
    ['says so of a page that is no journey', { ...back, back: '/timeline?' }, company, [], 'Back to the page before'],
    ['names the next step', guided, company, [], 'Next: Get Access Token'],
    ['is left out before the step is done', guided, lacking, [], ''],
    ['is left out while another one is created', guided, company, [another], ''],
    ['is left out at the end of the path', last, everything, [], ''],
    ['is left out where the journey’s own button leads on', settings, lacking, [], ''],
    ['is left out where the step is to be done again', subscription, heldUp, [], ''],
  ])('%s', (_, opening, before, events, label) => {
    expect(onwardLabel(opened(opening, before, events).snapshot)).toBe(label);
  });

  it('is left out where no journey is open', () => {
    expect(onwardLabel(createActor(consoleMachine).getSnapshot())).toBe('');
  });
});

describe('a journey opened to create another record', () => {
  const another = {
    journey: 'company',
    guided: false,
    back: '/onboardingsubscription',
    another: true,
    query: '',
  } as const;

  it.each([
    ['for a page that requires it', another, 'working', '/onboardingsubscription'],
    ['from the guided path', { ...another, guided: true, back: null }, 'working', null],
  ])(
    'offers nothing by the existing record, and goes on after its own: %s (behaviour 10.14.6)',
    (_, opening, state, to) => {
      for (const events of [[], [facts(company)]])
        expect(opened(opening, company, events).snapshot.value.page).toBe(state);
      const { gone, snapshot } = opened(opening, company, [ended, facts(company)]);
      expect([gone.map((each) => each.to), snapshot.value.page]).toEqual(to ? [[to], 'leaving'] : [[], 'offering']);
    },
  );
});

describe('the end of the guided path', () => {
  it('is reached when the facts of the last step arrive', () => {
    expect(opened(last, lacking, [facts(everything)]).snapshot.value.page).toBe('complete');
    expect(opened(last, everything).snapshot.value.page).toBe('complete');
  });

  it.each(['electronicPayment', 'filePayment'] as const)(
    'offers the batch of the payment that has just ended, although a webhook has completed it: %s (behaviour 10.16.2)',
    (journey) => {
      const opening = { ...last, journey };
      for (const events of [[ended], [ended, facts(factsAfter('electronicPayment'))]]) {
        const { snapshot, actor, gone } = opened(opening, lacking, [...events, facts(everything)]);
        expect([snapshot.value.page, snapshot.context.next]).toEqual(['offering', 'batch']);
        actor.send({ type: 'next.accept' });
        expect(gone.map(({ to }) => to)).toEqual(['/getbatch?guided=true']);
      }
      expect(opened(opening, everything).snapshot.value.page).toBe('complete');
    },
  );
});

describe('the facts of an open journey', () => {
  it.each([
    ['working', directly, lacking, []],
    ['working', guided, lacking, []],
    ['showing', guided, lacking, [ended]],
    ['returning', back, company, []],
    ['offering', guided, company, []],
    ['complete', last, everything, []],
  ] as [string, JourneyLocation, Facts, ConsoleEvent[]][])(
    'determine the next step as soon as they arrive: %s',
    (state, opening, before, events) => {
      const { snapshot } = opened(opening, before, events);
      expect(snapshot.value.page).toBe(state);
      expect(snapshot.hasTag('offered')).toBe(['returning', 'offering', 'complete'].includes(state));
      for (const [arrived, next] of [
        [lacking, 'company'],
        [company, 'accessToken'],
        [everything, null],
      ] as const) {
        const { context } = opened(opening, before, [...events, facts(arrived)]).snapshot;
        const offered = next === null && state === 'showing' ? 'accessToken' : next; // the row after the one that ended
        expect(context).toMatchObject({ facts: arrived, next: offered, failure: null });
      }
    },
  );

  it.each([
    ['the next step is done as well', guided, company, everything, 'complete'],
    ['there is a next step again', guided, everything, company, 'offering'],
    ['the completed record was deleted', guided, company, lacking, 'working'],
    ['the last record of the path was deleted', last, everything, company, 'working'],
  ] as const)('change the console’s state: %s', (_, opening, before, now, state) => {
    expect(opened(opening, before, [facts(now)]).snapshot.value.page).toBe(state);
  });
});

describe('the console reads the facts', () => {
  const onward = { ...guided, journey: 'accessToken' } as const;
  const next = [open(onward), loaded(onward)];

  it.each([
    ['once when a page opens', [], 1],
    ['again at the end of a journey', [ended], 2],
    [
      'no more for an offered next journey, which uses the same facts',
      [ended, facts(company), { type: 'next.accept' }, ...next],
      2,
    ],
    ['no more for the home page after a journey was cancelled', [left, open(null)], 1],
    ['again for a journey where a part of them is unread', [facts(partial), ...next], 2],
    ['again when the journey reports stale facts', [{ type: 'facts.stale' }], 2],
    ['again after a failed read', [{ type: 'facts.stale' }, { type: 'facts.failed', failure }, ...next], 3],
  ] as [string, ConsoleEvent[], number][])('%s', (_, events, count) => {
    const { asked } = after(open(guided), loaded(guided), facts(lacking), ...events);
    expect(asked.filter((name) => name === 'readFacts')).toHaveLength(count);
  });
});
