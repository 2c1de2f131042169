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

/** Calls that are repeated until there is an answer. */
const repeated = /^\/api\/(messages|subscription|batchpayments)\//;
/** The record of all calls: its lists, and the stream that follows it. */
const recorded = /^\/api\/timeline/;

/** The calls of each step besides those, the home page's with the first one. */
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

it('the home page and each step of the guided path read the facts at most once, and ask nothing twice', async () => {
  const { page } = visiting;
  const steps: Record<string, number> = { Home: 0 };
  let all = 0;
  let since = 0;
  const made: Record<string, number> = {};
  const twice: string[] = [];
  let asked: string[] = [];
  /** Those since the last write, after which an answer may be another one. */
  let read = new Set<string>();
  /** What was read of the record in a step; a write does not change what the stream tells. */
  let record = new Set<string>();
  let streams = 0;
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!/^\/api(-msg-v1)?\//.test(pathname)) return;
    all += 1;
    const name = `${request.method()} ${pathname}${search}`;
    if (request.method() !== 'GET') read = new Set();
    if (recorded.test(pathname)) {
      if (pathname.endsWith('/events')) streams += 1;
      if (record.has(name)) twice.push(name);
      record.add(name);
    } else if (!repeated.test(pathname)) {
      asked.push(name);
      if (read.has(name)) twice.push(name);
      read.add(name);
    }
    if (pathname !== '/api/facts') return;
    if (new URL(page.url()).pathname === '/') steps['Home'] = (steps['Home'] ?? 0) + 1;
    else since += 1;
  });
  const count = (title: string) => {
    steps[title] = since;
    since = 0;
    made[title] = asked.length;
    asked = [];
    read = new Set();
    record = new Set();
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
  expect(twice).toEqual([]);
  expect(made).toEqual(calls);
  // The login leaves the page.
  expect(streams).toBe(2);
  const more = Object.entries(steps).filter(([, times]) => times > 1);
  expect(more).toEqual([]);
  expect(Object.keys(steps)).toHaveLength(14);
});
