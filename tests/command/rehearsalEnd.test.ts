import { expect, it } from 'vitest';
import type { Lab } from '#runner/rehearse.ts';
import { rehearse } from '#runner/rehearse.ts';
import type { Walker } from '#runner/runJourney.ts';
import { scenarios } from '#runner/scenarios.ts';
import { everything } from '#tests/support/facts.ts';

const lost = new Error('The answer was lost.');

/** Rehearses where the lab fails from its call number `from` on. Returns what was done at the end, and how it ended. */
async function rehearsed(from: number) {
  const done: string[] = [];
  let calls = 0;
  const ask = (name: string) => (): Promise<never> => {
    calls += 1;
    if (calls >= from) return Promise.reject(lost);
    done.push(name);
    return Promise.resolve([] as never); // nothing to list
  };
  const lab: Lab = {
    set: ask('set'),
    rules: ask('rules'),
    stop: ask('stop'),
    batches: ask('batches'),
    webhooks: ask('webhooks'),
    move: ask('move'),
    resetClock: ask('resetClock'),
    everyDay: ask('everyDay'),
  };
  const failed = [{ journey: 'company', end: 'failed', because: 'refused' }];
  const facts = () => Promise.resolve(everything);
  const walker = { facts, factsNow: facts, all: () => Promise.resolve(failed) } as unknown as Walker; // what is used
  const restore = (found: typeof everything) => void done.push(`restores ${found.settings.companyId}`);
  const ended = rehearse(scenarios[0]!, walker, lab, async (found) => Promise.resolve(restore(found)));
  return { ended: await ended.then(({ because }) => because, String), done };
}

it('a rehearsal restores the company that it found although the answer of the lab is lost at its end (behaviour 10.20.13)', async () => {
  const company = `restores ${everything.settings.companyId}`;
  const { ended, done } = await rehearsed(3);
  expect(done.at(-1)).toBe(company);
  expect(ended).toBe(String(lost));
  expect((await rehearsed(Infinity)).done.slice(-3)).toEqual(['stop', 'resetClock', company]);
});
