import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { allPaths } from '#tests/support/coverage.ts';
import { choosePayment, goNext, payButton, prepare } from './guidedSteps.ts';
import { expectPaid, expectTold } from './paid.ts';
import { keyboard } from './keyboard.ts';
import { sharedConsole } from './shared.ts';
import { barWatcher, callWatcher, expectNothingRepeated } from './watchers.ts';

/** In CSS px: as wide as an ordinary window, lower than most. */
const viewport = { width: 1440, height: 720 };

/** The calls of each step without those that wait for an answer and the record, the home page's with the first one. */
const calls = {
  Settings: 4,
  'Create Organisation': 2,
  'Create Company': 2,
  'Get Access Token': 2,
  'Get User Token': 4,
  'Create Account': 4,
  'Create DataSet': 2,
  'Create with OnBoarding': 5,
  List: 4,
  'Create Debtor': 5,
  'Create Creditor': 5,
  'Electronic Payments': 8,
  'Get Batch': 2,
};

/** Waits until another step than this one is open, which may have been done at once. */
const leaves = (page: Page, journey: string | null) =>
  page
    .locator(`main [data-journey]:not([data-journey="${journey}"])`)
    .and(page.locator('[data-wizard=working], [data-wizard=offering]'))
    .waitFor();

// One walk by keyboard alone, from an empty data folder to completed payments: each test looks at something else of it.
const { visiting, program } = sharedConsole(undefined, 'all');
let hands: ReturnType<typeof keyboard>;
let bar: ReturnType<typeof barWatcher>;
let asked: ReturnType<typeof callWatcher>;

it('the whole guided path is walked to a batch whose payments are all completed', async () => {
  const { page, errors } = visiting();
  hands = keyboard(page);
  await page.setViewportSize(viewport);
  bar = barWatcher(page, viewport.height);
  asked = callWatcher(page);
  const step = page.locator('main [data-journey]');
  const onwards = async (title: string) => {
    asked.count(title);
    await bar.lookAtStep(title, true);
    const journey = await step.getAttribute('data-journey');
    await goNext(page, hands);
    await leaves(page, journey);
    await bar.lookAtStep(`after ${title}`);
  };
  await prepare(page, onwards, hands);
  await choosePayment(page, hands);
  await bar.look('the review');
  await hands.press(payButton(page));
  await page.getByRole('button', { name: 'Next: Get Batch' }).waitFor();
  asked.count('Electronic Payments');
  await goNext(page, hands);
  await bar.look('the batch');
  await expectPaid(page);
  asked.count('Get Batch');
  await expectTold(program().url);
  expect(errors).toEqual([]);
});

it('on the whole guided path the one bar keeps its place, with one primary action above the fold (behaviour 10.16.2)', () => {
  expect(bar.seen()).toEqual({ bars: 1, headings: [], below: [], primaries: [] });
});

it('the home page and each step of the guided path read the facts at most once, and ask nothing twice (behaviour 10.17.9)', () => {
  expect(asked.twice()).toEqual([]);
  expect(asked.made).toEqual(calls);
  // The login leaves the page.
  expect(asked.streams()).toBe(2);
  expect(Object.keys(asked.facts)).toHaveLength(14);
  expect(Object.entries(asked.facts).filter(([, times]) => times > 1)).toEqual([]);
});

it.runIf(allPaths)(
  'back, forward and reload repeat nothing of the whole guided path: there is still one batch',
  async () => {
    const { page, errors } = visiting();
    await expectNothingRepeated(page, program().url);
    expect(errors).toEqual([]);
  },
);

it('the focus is visible on the whole guided path by keyboard alone (behaviour 10.10.1)', () => {
  expect([...hands.wrong]).toEqual([]);
});
