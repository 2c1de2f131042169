import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { addressOf } from '#machines/journeys.ts';
import type { Opening, WizardEvent } from '#machines/wizard.machine.ts';
import type { WizardPath } from '#tests/support/wizardPaths.ts';
import { enter, entries, press } from '../guidedSteps.ts';
import { openPage, type Walker } from './walk.ts';
import type { World } from './world.ts';

/** States in which the two journeys of the openings wait for the user, or have ended. */
const restful = ['another', 'editing', 'empty', 'settled', 'succeeded'];

/** Points of the guided path at which the facts are as in the models. */
const stages: Readonly<Record<string, Parameters<World['at']>[0]>> = {
  'facts with the organisation': 'organisation',
  'facts with the company': 'company',
  'facts with everything': 'batch',
};

/** What the page can do: it reads the facts when it opens, and once more when its journey has loaded. */
export function isPossible({ steps }: WizardPath): boolean {
  const types = steps.map(({ type }) => type);
  const ended = types.indexOf('journey.done');
  const readings = types.slice(0, ended < 0 ? types.length : ended).filter((type) => type === 'facts.arrived').length;
  return types[0] === 'facts.arrived' && readings <= 2;
}

/** Walks paths of the wizard on the page of its journey. */
export function wizardWalker({ page, seen, world }: Walker) {
  const { line } = world.front;
  const isWaiting = (method: string) =>
    vi.waitFor(() => expect(line.waiting()).toContain(method), { timeout: 10_000, interval: 5 });

  const rests = () => restful.includes(seen.journeys.at(-1) ?? '');

  /**
   * Facts are read at that point of the guided path: by the journey as it opens, later by the page alone, which may read
   * them again before it tells them. `isThere` says whether the wizard is where they lead.
   */
  async function arrive(name: string, isThere: () => boolean): Promise<void> {
    const stage = stages[name];
    if (stage) await world.at(stage);
    const opens = !rests();
    await isWaiting('GET');
    for (let tries = 0; tries < 200; tries += 1) {
      line.release('GET');
      await wait(150); // the browser asks for the same address once at a time
      if (isThere() && (opens ? rests() : !line.waiting().includes('GET'))) return;
    }
    throw new Error(
      `The facts lead nowhere; the journey: ${seen.journeys.join(', ')}; the wizard: ${seen.wizards.join(', ')}`,
    );
  }

  const acts: Record<WizardEvent['type'], (name: string, isThere: () => boolean) => Promise<unknown>> = {
    'facts.arrived': arrive,
    async 'journey.done'() {
      if (seen.journeys.at(-1) === 'another') await press(page, 'Create another');
      await enter(page, entries.company);
      await press(page, 'Create Company');
      await isWaiting('POST');
      line.release('POST');
      await seen.until(() => seen.journeys.includes('succeeded'), 'succeeded');
    },
    'journey.closed': () => press(page, 'Cancel'),
    'next.accept': () => page.getByRole('button', { name: /^(Next:|Back to (?!the home page))/ }).click(),
    'result.close': () => press(page, 'Back to the home page'),
  };

  /** Throws at the first step after which the page is not where the path says. */
  return async function walk({ journey, guided, back }: Opening, { steps }: WizardPath): Promise<void> {
    await openPage({ page, seen, world }, addressOf(journey, { guided, then: back ?? '' }));
    const should = ['working'];
    for (const { name, type, snapshot } of steps) {
      if (snapshot.value !== should.at(-1)) should.push(snapshot.value);
      const isThere = () => seen.wizards.length >= should.length;
      await acts[type](name, isThere);
      await seen.until(isThere, should.join(', '));
      // Where it leads to there is another wizard.
      const been = seen.wizards.slice(0, should.length).join();
      if (been !== should.join())
        throw new Error(`The wizard has been in ${been} and should have been in ${should.join()}`);
    }
  };
}
