import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { wizardMachine, type Opening, type WizardEvent } from '#machines/wizard.machine.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { record } from '#tests/support/coverage.ts';
import { flawsOf, missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';
import { openings, wizardPaths } from '#tests/support/wizardPaths.ts';

describe('every path through the wizard', () => {
  it('reaches each state and takes each branch', async (test) => {
    const walk = nowhere();
    const paths = Object.values(openings).flatMap((opening) => wizardPaths(opening));
    for (const { replay } of paths) await replay(walk);
    expect([...flawsOf(wizardMachine), ...missedBy(wizardMachine, walk)]).toEqual([]);
    record(test, wizardMachine.id, 'a', { shortest: paths.length, walk });
  });

  it('is the same on every simple path', async (test) => {
    const simple = Object.values(openings).flatMap((opening) => wizardPaths(opening, 'simple'));
    for (const { replay } of simple) await replay(nowhere());
    record(test, wizardMachine.id, 'a', { simple: simple.length });
    expect(simple.length).toBeGreaterThan(0);
  });

  for (const [how, opening] of Object.entries(openings)) {
    for (const { name, replay } of wizardPaths(opening)) {
      it(`opened ${how}: ${name}`, async () => {
        await expect(replay(nowhere())).resolves.toBeUndefined();
      });
    }
  }

  it('goes somewhere at its end', () => {
    const ends = Object.values(openings).flatMap((opening) => wizardPaths(opening).map(({ end }) => end));
    const left = ends.filter(({ status }) => status === 'done');
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ context }) => context.destination === null)).toEqual([]);
  });
});

const after = (input: Opening, events: readonly WizardEvent[]) => {
  const actor = createActor(wizardMachine, { input }).start();
  events.forEach((event) => actor.send(event));
  return actor.getSnapshot();
};

/** Where the page goes; null while it stays. */
const destination = (input: Opening, ...events: WizardEvent[]): string | null => {
  const { status, context } = after(input, events);
  return status === 'done' ? context.destination : null;
};

const incapable = { providerId: 'provider-1', name: 'Example Bacs', capabilities: ['SubscriptionRequired'] };

const facts = (arrived: Facts): WizardEvent => ({ type: 'facts.arrived', facts: arrived });
const done: WizardEvent = { type: 'journey.done' };
const { directly, 'from the guided path': guided, 'to come back to a gate': back } = openings;
const last = openings['as the last row of the guided path'];

describe('where a journey leads', () => {
  it.each([
    ['success of a page opened directly', directly, [done], '/'],
    ['Cancel of a page opened directly', directly, [{ type: 'journey.closed' }], '/'],
    ['success of a page opened for a gate', back, [done], '/onboardingsubscription'],
    [
      'going back by press from a page that shows rather than ends',
      back,
      [facts(factsAfter('company')), { type: 'next.accept' }],
      '/onboardingsubscription',
    ],
    ['staying on it', back, [facts(factsAfter('company'))], null],
    [
      'a press before what was lacking is there, although the page has been done before',
      { journey: 'subscription', guided: false, back: '/debtors' },
      [facts(withFacts(factsAfter('authorisation'), { provider: incapable })), { type: 'next.accept' }],
      null,
    ],
    ['Cancel of a page opened for a gate', back, [{ type: 'journey.closed' }], '/'],
    [
      'Cancel of a page whose next step is offered',
      guided,
      [facts(factsAfter('company')), { type: 'journey.closed' }],
      '/',
    ],
    ['Cancel on the guided path', guided, [{ type: 'journey.closed' }], '/'],
    ['success on the guided path, until the facts are known', guided, [done], null],
    [
      'accepting the next step',
      guided,
      [done, facts(factsAfter('company')), { type: 'next.accept' }],
      '/getaccesstoken?guided=true',
    ],
    [
      'accepting it on a page that shows rather than ends',
      guided,
      [facts(factsAfter('company')), { type: 'next.accept' }],
      '/getaccesstoken?guided=true',
    ],
    ['success after what was lacking is there', back, [facts(factsAfter('company')), done], '/onboardingsubscription'],
    ['Cancel where the way back is offered', back, [facts(factsAfter('company')), { type: 'journey.closed' }], '/'],
    ['Cancel at the end of the guided path', last, [facts(everything), { type: 'journey.closed' }], '/'],
    ['declining the way back', back, [facts(factsAfter('company')), { type: 'result.close' }], '/'],
    ['closing the result of the last step', last, [done, facts(everything), { type: 'result.close' }], '/'],
    [
      'the last step done by a page that shows rather than ends',
      last,
      [facts(everything), { type: 'result.close' }],
      '/',
    ],
    ['declining the next step', guided, [done, facts(factsAfter('company')), { type: 'result.close' }], '/'],
  ] as [string, Opening, WizardEvent[], string | null][])('%s', (_, opening, events, expected) => {
    expect(destination(opening, ...events)).toBe(expected);
  });
});

describe('the end of the guided path', () => {
  it('is reached when the facts of the last step arrive', () => {
    expect(after(last, [done, facts(everything)]).value).toBe('complete');
    expect(after(last, [facts(everything)]).value).toBe('complete');
  });

  it('is not told on a page that was opened directly', () => {
    expect(after({ ...last, guided: false }, [facts(everything)]).value).toBe('working');
  });
});

describe('the facts', () => {
  const company = facts(factsAfter('company'));

  it.each([
    ['working', directly, []],
    ['working', guided, []],
    ['showing', guided, [done]],
    ['returning', back, [company]],
    ['returning', back, []],
    ['offering', guided, [done, company]],
    ['offering', guided, [done]],
    ['complete', last, [done, facts(everything)]],
  ] as [string, Opening, WizardEvent[]][])('are known as soon as they arrive: %s', (_, opening, before) => {
    for (const [arrived, next] of [
      [factsAfter('organisation'), 'company'],
      [factsAfter('company'), 'accessToken'],
      [everything, null],
    ] as const) {
      const { context } = after(opening, [...before, facts(arrived)]);
      expect(context).toMatchObject({ facts: arrived, next });
    }
  });

  it.each([
    ['the next row is done as well', guided, factsAfter('company'), everything, 'complete'],
    ['there is a next row again', guided, everything, factsAfter('company'), 'offering'],
    ['what was offered for is gone', guided, factsAfter('company'), factsAfter('organisation'), 'working'],
    ['the end of the path is gone', last, everything, factsAfter('company'), 'working'],
  ] as const)('change what is offered: %s', (_, opening, before, now, state) => {
    expect(after(opening, [facts(before), facts(now)]).value).toBe(state);
  });

  it('are not known before they arrive', () => {
    expect(after(guided, []).context).toEqual({ ...guided, facts: null, next: null, destination: null });
  });
});
