import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { batchStatus, choosePayment, goNext, payButton, prepare } from './guidedSteps.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let program: ConsoleProcess;
let visiting: Visit;

beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'));
  program = await newConsole();
  await program.start();
  visiting = await visit(browser, program.url);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
});
afterAll(async () => {
  await browser.close();
  await program.remove();
});

it('the home page and each step of the guided path read the facts at most once', async () => {
  const { page } = visiting;
  const steps: Record<string, number> = { Home: 0 };
  let all = 0;
  let since = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    all += 1;
    if (pathname !== '/api/facts') return;
    if (new URL(page.url()).pathname === '/') steps['Home'] = (steps['Home'] ?? 0) + 1;
    else since += 1;
  });
  const count = (title: string) => {
    steps[title] = since;
    since = 0;
  };
  await prepare(page, async (title) => {
    count(title);
    await goNext(page);
  });
  await choosePayment(page);
  await payButton(page).click();
  await page.getByRole('button', { name: 'Next: Get Batch' }).waitFor();
  count('Electronic Payments');
  await goNext(page);
  await batchStatus(page, 'Completed').waitFor();
  await page.getByText('The guided path is complete.').waitFor();
  count('Get Batch');
  const total = Object.values(steps).reduce((sum, each) => sum + each, 0);
  console.log(`${all} calls, ${total} of them read the facts: ${JSON.stringify(steps)}`);
  const more = Object.entries(steps).filter(([, times]) => times > 1);
  expect(more).toEqual([]);
  expect(Object.keys(steps)).toHaveLength(14);
});
