import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import type { KeptRule } from '#contract/controlShapes.ts';
import { answerPatience, bankProviderName, webhookPollInterval } from '#contract/constants.ts';
import { addressOf, type JourneyId } from '#machines/journeys.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { stateOf } from '#machines/lib/state.ts';
import { runningEffects } from '#tests/support/invoked.ts';
import { causeOf, isInterim, isOverdue, type Path, type Step } from '#tests/support/paths.ts';
import { delayOf } from '#tests/support/pathsReplay.ts';
import { blank } from '#tests/browser/visit.ts';
import { gestureOf } from './gestures.ts';
import type { Seen } from './seen.ts';
import { situationOf } from './situations.ts';
import type { World } from './world.ts';

/** Everything that the page asks the console for, beside itself and the timeline, which no machine waits for. */
const calls = /^\/api(?!\/timeline)/;

/** The reading of the facts, which other reads of a page may come before. */
export const readsFacts = /^\/api\/facts/;

/** How long an answer may take before whatever else waits is let through as well, in ms. */
const moment = 100;

/** How long a page may take until it asks for what it needs, and shows what comes of an answer, in ms. */
const patience = 20_000;

/** A party's approval is asked of the console, that of a subscription or a batch of the service. */
const isOfConsole = (journey: JourneyId, port: string): boolean =>
  port === 'watch' && (journey === 'debtor' || journey === 'creditor');

/** Ports that only the service can answer: they fail because it cannot be reached, all others because the console cannot. */
const ofService = [
  'submit',
  'createSubscription',
  'send',
  'pay',
  'suspend',
  'readRow',
  'watch',
  'readBatch',
  'followBatch',
  'hearBatch',
  'pollBatch',
  'downloadFile',
];

const invokes = (snapshot: AnyMachineSnapshot): boolean => runningEffects(snapshot).length > 0;

/** Where a path leads, state by state; what stays in its state cannot be seen. */
function route({ start, steps }: Path): string[] {
  const states = [start, ...steps.map(({ snapshot }) => snapshot)].map(stateOf);
  return states.filter((state, index) => state !== states[index - 1]);
}

export interface Walker {
  page: Page;
  seen: Seen;
  world: World;
}

/** Opens a page anew; what the one before was still waiting for goes with it, and calls wait from now on. */
export async function openPage({ page, seen, world }: Walker, address: string): Promise<void> {
  world.front.line.turn('held', calls);
  seen.forget();
  await page.goto(address, { waitUntil: 'commit' });
}

/**
 * Leaves the page for one without code, which costs less than one of another origin: what it still asks for is dropped
 * until the next is opened, so that it comes about in no later situation. Dropped first: a browser has six connections,
 * and calls that wait on all of them would let no other page through.
 */
export async function leavePage({ page, world }: Walker): Promise<void> {
  world.front.line.turn('cut', calls);
  await page.goto(blank);
}

/** Whether the page believes that real money moves, as the facts say: a console between proxies is always live. */
const believing = ({ front }: World, environment: 'live' | 'sandbox'): void =>
  front.change('/api/facts', (facts) => ({ ...facts, environment }));

/** Whether a second provider has the name of the bank’s; the sandbox has one in each country. */
const listing = ({ front }: World, isTwice: boolean): void =>
  front.change('/api/providers', (answer) => {
    const { data } = answer as { data: { providerId: string; name: string }[] }; // as the console answers
    const bank = isTwice ? data.filter(({ name }) => name === bankProviderName) : [];
    return {
      ...answer,
      data: [...data, ...bank.map((each) => ({ ...each, providerId: `${each.providerId}-second` }))],
    };
  });

/** Walks paths of a journey in the page. What the ports ask for waits until the path says what becomes of it. */
export function walker(journey: JourneyId, walking: Walker) {
  const { page, seen, world } = walking;
  const { front, lab } = world;

  /** Waits until the page has been exactly where the path leads up to this step. */
  async function arrive(path: Path, taken: number): Promise<void> {
    const should = route({ ...path, steps: path.steps.slice(0, taken) });
    await seen.until(() => seen.journeys.length >= should.length, should.join(', '));
    if (seen.journeys.join() !== should.join())
      throw new Error(`The page has been in ${seen.journeys.join(', ')} and should have been in ${should.join(', ')}`);
  }

  /** Brings about the facts that the journey starts with. */
  async function begin({ facts, steps }: Path): Promise<void> {
    const situation = situationOf(facts);
    if (facts !== '' && !situation) throw new Error(`Nobody said how it comes about that there is ${facts}`);
    await situation?.(
      world,
      steps.map((step) => step.name),
    );
  }

  /** Lets the page read the facts, and nothing that it asks for afterwards. */
  async function release(): Promise<void> {
    const late = Date.now() + patience;
    while (Date.now() < late && seen.journeys.length === 0) {
      if (!front.line.waiting().includes('GET')) await wait(20);
      else {
        front.line.release('GET');
        const until = Date.now() + 30 * moment;
        while (Date.now() < until && seen.journeys.length === 0) await wait(5);
      }
    }
  }

  /** Resolves once the page has shown, and so has told, what came before; a page that goes tells nothing more. */
  async function shown(): Promise<void> {
    const drawn = page.evaluate(
      () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = resolve;
          port2.postMessage(null);
        }),
    );
    await Promise.race([drawn.catch(() => undefined), wait(1_000)]);
  }

  /** Lets the time pass after which a poll asks, if the step is what a poll makes of an answer. */
  async function hurry({ event, snapshot }: Step): Promise<void> {
    if (effectsOf(snapshot.machine)[causeOf(snapshot.machine, event).of]?.declared.polls === true)
      await page.clock.runFor(webhookPollInterval);
  }

  async function answer(path: Path, index: number, step: Step): Promise<void> {
    const { name, event, snapshot } = step;
    const ahead = path.steps.slice(index + 1).map((step) => step.name);
    const situation = situationOf(name);
    if (!situation) throw new Error(`Nobody said how it comes about that ${name}`);
    await situation(world, ahead);
    if (!invokes(snapshot)) {
      front.line.turn('open', calls);
      return hurry(step);
    }
    if (isOverdue(event)) return page.clock.runFor(answerPatience);
    // The next port asks at once, a poll after an interval: what it asks for is to wait again.
    const from = seen.journeys.length;
    const stays = stateOf(path.steps[index - 1]?.snapshot ?? path.start) === stateOf(snapshot);
    const method = isInterim(event) ? 'GET' : 'POST';
    let released: string[] = [];
    const over = () =>
      stays ? released.includes(method) && front.line.waiting().includes(method) : seen.journeys.length > from;
    // What else the page reads meanwhile must not be taken for what the poll asks.
    if (stays) await hurry(step);
    const late = Date.now() + patience;
    for (let tries = 0; Date.now() < late; tries += 1) {
      // What is asked for in the next state may wait already before that state is told.
      const most = front.line.waiting().length;
      if (tries > 0 && most > 0) await shown();
      if (over()) return;
      if (most > 0) released = front.line.release(undefined, most);
      else await hurry(step);
      const until = Date.now() + moment;
      while (Date.now() < until && (most > 0 || front.line.waiting().length === 0)) {
        if (over()) return;
        await wait(5);
      }
    }
    throw new Error(`Nothing comes of it that ${name}`);
  }

  async function act(step: Step, before: AnyMachineSnapshot): Promise<void> {
    if (stateOf(before) !== 'leaving') return void (await gestureOf(page, journey, step).act());
    // Nothing can be found on a page that waits for another; the keys go from the button that was pressed back to Cancel.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
  }

  /** Resolves once the page asks for something at this path. */
  const isAsked = (path: RegExp) =>
    vi.waitFor(() => expect(front.line.waiting(path)).not.toEqual([]), { timeout: patience, interval: 5 });

  /** Has the service receive a payment whose response is lost. What the page asks for afterwards waits. */
  async function losePayment(): Promise<void> {
    await isAsked(/^\/api\/batchpayments/);
    const held = world.back.hold(endpoints.batches);
    front.line.release('POST');
    await held.answered;
    held.lose();
  }

  /** Has the batch known by its webhook before the page reads the facts. */
  async function readSettled(): Promise<void> {
    const from = seen.journeys.length;
    await isAsked(readsFacts);
    await world.settle();
    while (front.line.release('GET').length > 0 && seen.journeys.length === from) await wait(moment);
  }

  async function perform(path: Path, index: number, step: Step): Promise<void> {
    const { cause, of } = causeOf(step.snapshot.machine, step.event);
    let down: KeptRule | undefined;
    if (of === 'facts.arrived') await readSettled();
    else if (cause === 'failure' && path.steps[index + 1]?.event.type === 'facts.arrived') await losePayment();
    else if (cause === 'answer') await answer(path, index, step);
    else if (cause === 'user') await act(step, path.steps[index - 1]?.snapshot ?? path.start);
    else if (cause === 'time') await page.clock.runFor(delayOf(step.snapshot.machine, of));
    else if (cause === 'failure') {
      await hurry(step);
      const isDown = ofService.includes(of) && !isOfConsole(journey, of);
      if (isDown) down = await lab.set({ on: 'call', times: 'always', fault: { kind: 'reset' } });
      front.line.turn(isDown ? 'open' : 'cut', calls);
    }
    await arrive(path, index + 1);
    front.line.turn('held', calls);
    if (down) await lab.remove(down.ruleId);
  }

  /** Throws at the first step after which the page is not where the path says. */
  return async function walk(path: Path): Promise<void> {
    const { outcome = '', guided = false } = (path.input ?? {}) as { outcome?: string; guided?: boolean }; // of the journeys' inputs these come by the address
    await leavePage(walking);
    await world.reset();
    await begin(path);
    believing(world, path.facts.endsWith('live') ? 'live' : 'sandbox');
    listing(
      world,
      path.steps.some(({ name }) => name.endsWith(' gives two ecospends')),
    );
    await world.refuse(false);
    await openPage(walking, addressOf(journey, { guided }) + (outcome && `?outcome=${outcome}`));
    await release();
    await arrive(path, 0);
    for (const [index, step] of path.steps.entries()) await perform(path, index, step);
  };
}
