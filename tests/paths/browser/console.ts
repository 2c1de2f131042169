import { setTimeout as wait } from 'node:timers/promises';
import type { Request } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
import { addressOf, type JourneyId } from '#machines/journeys.ts';
import type { ConsolePath } from '#tests/support/consolePaths.ts';
import { confirmAnother, enter, entries, press } from '#tests/browser/guidedSteps.ts';
import { failure } from '#tests/support/fixtures.ts';
import { leavePage, openPage, readsFacts, type Walker } from './walk.ts';
import type { World } from './world.ts';

/** States in which the journeys of the openings wait for the user, or have ended. */
const restful = ['choosing', 'form.editing', 'succeeded'];

/** The button by which the user leaves a journey of the openings. */
const leaves: Partial<Record<JourneyId, string>> = {
  company: 'Cancel',
  creditor: 'Cancel',
  settings: 'Close',
};

/** Points of the guided path at which the facts are as in the models. */
const stages: Readonly<Record<string, Parameters<World['at']>[0]>> = {
  'facts.arrived with no settings': 'nothing',
  'facts.arrived with the organisation': 'organisation',
  'facts.arrived with the company': 'company',
  'facts.arrived with the company in part': 'company',
  'facts.arrived with everything': 'batch',
};

/** What happens elsewhere, or would take the page with it. */
const beside: readonly string[] = [
  'facts.known with the company',
  'facts.known with the company in part',
  'subscription.switched',
  'company.switched by setSetting',
  'company.switched by createCompany',
  'the journey dies',
];

/** The tab acts for the company that it has made besides another: facts of a time without it cannot be read. */
function isAnothers(names: readonly string[]): boolean {
  const [made, before] = [names.indexOf('the journey has succeeded'), names[0] ?? ''];
  return (
    made >= 0 &&
    before !== 'facts.arrived with the organisation' &&
    names.slice(made).some((name) => name.startsWith('facts.arrived with '))
  );
}

type Step = ConsolePath['steps'][number];

/** What waits until the path says what becomes of it: what the page asks the console for, but not its news. */
const calls = /^\/api(?!\/(timeline|events))/;

/**
 * Whether a page can go this step: news of the subscription, which the facts after everything have, tell it that they are
 * stale; a journey behind its gate does not end, and only the company's is filled in here.
 */
function isWithin({ name, event, snapshot: { value, context } }: Step, before: readonly Step[]): boolean {
  const known = before.findLast((step) => step.name.startsWith('facts.arrived'))?.name;
  const isOpen = known === 'facts.arrived with everything';
  if (name === 'facts.stale') return isOpen && ['earlier', 'gone'].includes(value.result);
  if (event.type !== 'xstate.done.actor.step') return true;
  const journey = context.opening?.journey;
  if (event.output.type === 'succeeded') return journey === 'company';
  return isOpen || journey === 'company' || journey === 'settings';
}

/** What can be brought about: the code comes before the facts, which are held, whatever the path says. */
export function isPossible({ steps }: ConsolePath): boolean {
  const names = steps.map(({ name }) => name);
  const [first = '', second = ''] = names;
  return (
    (first.startsWith('journey.') || (first.startsWith('facts.arrived with ') && second === 'journey.loaded')) &&
    !names.some((name) => beside.includes(name) || /^address.changed to (?!home)/.test(name)) &&
    !names.slice(1).includes('journey.broken') &&
    steps.every((step, index) => isWithin(step, steps.slice(0, index))) &&
    !isAnothers(names)
  );
}

/** The steps with the code first. */
function ordered([first, second, ...others]: ConsolePath['steps']): ConsolePath['steps'] {
  if (!first || !second || first.event.type !== 'facts.arrived')
    return [first, second, ...others].flatMap((each) => each ?? []);
  return [{ ...second, snapshot: first.snapshot }, { ...first, snapshot: second.snapshot }, ...others];
}

const isOfFacts = (request: Request): boolean => readsFacts.test(new URL(request.url()).pathname);

/** States that a page says on its section. */
const isSaid = (state: string): boolean => state !== 'home' && state !== 'broken';

/** The facts of a sandbox; what they say of providers, the service may not answer. */
const reading = ({ front }: World, inPart: boolean): void =>
  front.change('/api/facts', (facts) => ({
    ...facts,
    environment: 'sandbox',
    ...(inPart && { unread: ['providers'], unreadBecause: failure }),
  }));

/** Walks paths of the console on the page of its journey. */
export function consoleWalker(walking: Walker) {
  const { page, seen, world } = walking;
  const { line } = world.front;
  const isAsked = (what = readsFacts, timeout = 10_000) =>
    vi.waitFor(() => expect(line.waiting(what)).not.toEqual([]), { timeout, interval: 5 });

  /** Resolves once the browser reports what has been waited for just now: it is told before it is asked this. */
  const listens = () => page.evaluate(() => undefined);

  /** Lets the page read what it asks for until that has led somewhere. */
  async function release(isThere: () => boolean): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if (isThere()) return;
      line.release('GET');
      await wait(50);
    }
    throw new Error(`It leads nowhere; the journey: ${seen.journeys.join()}; the console: ${seen.wizards.join()}`);
  }

  /** Lets the journey get to where the user can do something. */
  const rest = () => release(() => restful.includes(seen.journeys.at(-1) ?? ''));

  const acts: Partial<Record<ConsoleEvent['type'], (step: Step, isThere: () => boolean) => Promise<unknown>>> = {
    'journey.loaded': () => isAsked(),
    async 'journey.broken'() {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
      // As after the one automatic reload: the message stays.
      await page.evaluate(() => sessionStorage.setItem('reloaded', 'true'));
      line.turn('cut', /^\/assets\/steps-/);
      await page.reload({ waitUntil: 'commit' });
      const failed = page.getByRole('heading', { name: 'Loading chunk failed' });
      await vi.waitFor(
        async () => {
          // The page requests the code once more after a second of its clock, which stands still.
          await page.clock.runFor(1000);
          expect(await failed.isVisible()).toBe(true);
        },
        { timeout: 20_000, interval: 100 },
      );
      await session.detach();
    },
    async 'facts.arrived'({ name }, isThere) {
      const stage = stages[name];
      if (stage) await world.at(stage);
      reading(world, name.endsWith(' in part'));
      await isAsked();
      if (!isThere()) return release(isThere);
      // The page stays as it is.
      const arrived = page.waitForEvent('requestfinished', isOfFacts);
      await listens();
      line.release('GET');
      await arrived;
    },
    async 'facts.failed'({ snapshot }) {
      await isAsked();
      // Where a next step is offered, the page stays as it is.
      const failed = ['unavailable', 'showing'].includes(snapshot.value.page)
        ? page.getByRole('button', { name: 'Try again' }).waitFor()
        : page.waitForEvent('requestfailed', isOfFacts);
      await listens();
      line.turn('cut', readsFacts);
      await failed;
      line.turn('held', calls);
    },
    async 'xstate.done.actor.step'(step) {
      const { event } = step;
      await rest();
      if (event.type === 'xstate.done.actor.step' && event.output.type === 'cancelled')
        return press(page, leaves[step.snapshot.context.opening?.journey ?? 'company'] ?? 'Cancel');
      await enter(page, entries.company);
      await press(page, 'Create company');
      await isAsked(/^\/api\/company/);
      line.release('POST');
      await seen.until(() => seen.journeys.includes('succeeded'), 'succeeded');
    },
    async 'facts.stale'() {
      await rest();
      await vi.waitFor(
        async () => {
          // A page that listens only after the facts have arrived reads them again by itself.
          if (line.waiting(readsFacts).length > 0) return;
          await world.hintAtSubscription();
          // The page hears no further news until some of its time has passed.
          await page.clock.runFor(1000);
          await isAsked(readsFacts, 1000);
        },
        { timeout: 20_000, interval: 5 },
      );
    },
    'another.start': () => confirmAnother(page),
    'next.accept': () => page.getByRole('button', { name: /^(Next:|Back to )/ }).click(),
    'result.close': () => page.getByRole('button', { name: 'Close' }).click(),
    retry: () => press(page, 'Try again'),
    async 'address.changed'() {
      await page.getByRole('link', { name: 'Payments Out Console' }).click();
      await page.waitForURL(({ pathname }) => pathname === '/');
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  };

  /** Throws at the first step after which the page is not where the path says. */
  return async function walk({ journey, guided, back }: JourneyLocation, { steps }: ConsolePath): Promise<void> {
    await leavePage(walking);
    // Whatever the page reads first tells it its company, which the facts must know.
    await world.at(steps.map(({ name }) => stages[name]).find(Boolean) ?? 'company');
    await openPage(walking, addressOf(journey, { guided, then: back ?? '' }));
    line.turn('held', calls);
    const should = ['loading'];
    for (const step of ordered(steps)) {
      const { page: value } = step.snapshot.value;
      if (value !== should.at(-1) && isSaid(value)) should.push(value);
      const isThere = () => seen.wizards.length >= should.length || !isSaid(value);
      await acts[step.event.type]?.(step, isThere);
      await seen.until(isThere, should.join());
      // Where it leads to there are further ones.
      const been = seen.wizards.slice(0, should.length).join();
      if (isSaid(value) && been !== should.join())
        throw new Error(`The console has been in ${been} and should have been in ${should.join()}`);
    }
  };
}
