import { expect } from 'vitest';
import type { testConsole } from './console.ts';

/** Maximum length (characters) of an answer that does not contain a long list on request. */
export const longestAnswer = 1024 * 1024;

/** Checks that a page can read all of its data, and that no record was set aside. */
export async function expectReadable({
  done,
  url,
}: Pick<Awaited<ReturnType<typeof testConsole>>, 'done' | 'url'>): Promise<void> {
  const facts = await done('getFacts');
  expect(facts.setAside.total).toBe(0);
  expect(JSON.stringify(facts).length).toBeLessThan(longestAnswer);
  for (const name of ['subscriptions', 'postedBatches', 'webhookData'] as const)
    if (facts.settings[name] !== '') expect(JSON.parse(facts.settings[name])).toBeInstanceOf(Array);
  for (const name of ['getDebtors', 'getCreditors', 'listMessages', 'listWebhooks', 'getPostedBatches'] as const)
    await done(name);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ store: true });
}
