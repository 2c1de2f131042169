import { text } from 'node:stream/consumers';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { onboard } from '#tests/support/guidedPath.ts';
import { arrive, batchStatus, chooseFilePayment, goHome, goNext, goOn, mouse, pay, prepare } from './guidedSteps.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let program: ConsoleProcess;
let visiting: Visit;

beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'));
});
beforeEach(async () => {
  program = await newConsole();
  await program.start();
  visiting = await visit(browser, program.url);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
  await visiting.close();
  await program.remove();
});
afterAll(() => browser.close());

/** Ends the server, starts it again over the same data and goes to the home page, which knows where the user is. */
async function restart(page: Page, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  expect(await program.stop(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
  await program.start();
  await goHome(page);
}

/** Goes onwards, by a restart after the steps that `restarts` names. */
const through =
  (page: Page, restarts: Readonly<Record<string, 'SIGTERM' | 'SIGKILL'>> = {}) =>
  async (title: string): Promise<void> => {
    const signal = restarts[title];
    if (!signal) return goNext(page);
    await restart(page, signal);
    await goOn(page);
  };

/** What browser and page say of a server that is away, or that has gone while it answered. */
const absence =
  /ERR_(CONNECTION_(REFUSED|RESET)|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|Loading chunk failed/;
const besidesAbsence = (errors: readonly string[]) => errors.filter((each) => !absence.test(each));

/** Downloads the batch's file once there is one; gives it as it was shown and as it was saved. */
async function download(page: Page): Promise<{ shown: string; saved: string }> {
  await batchStatus(page, 'PaymentFileAvailable').waitFor();
  const arriving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download bank file' }).click();
  const saved = await text(await (await arriving).createReadStream());
  return { shown: (await page.getByRole('region', { name: 'Bank file' }).textContent()) ?? '', saved };
}

/** Pence in the amount's columns of a Standard 18 record. */
const penceOf = (record: string): bigint => BigInt(record.slice(35, 46));

function expectStandard18(file: string): void {
  const lines = file.trimEnd().split(/\r?\n/);
  expect(lines.slice(0, 3).map((line) => line.slice(0, 5))).toEqual(['VOL10', 'HDR1A', 'UHL1 ']);
  const details = lines.filter((line) => line.startsWith('44556687654321099'));
  expect(details).toHaveLength(8);
  for (const detail of details) {
    expect(detail).toHaveLength(100);
    expect(detail.slice(17, 31)).toBe('11223312345678');
    expect(detail.slice(82)).toBe('Orchard Supplies L');
  }
  const total = details.reduce((sum, detail) => sum + penceOf(detail), 0n);
  const [contra = '', totals = ''] = lines.slice(-2);
  expect(contra.slice(0, 17)).toBe('11223312345678017');
  expect(penceOf(contra)).toBe(total);
  expect(totals.slice(0, 30)).toBe(`UTL1${String(total).padStart(13, '0').repeat(2)}`);
  expect(totals.slice(37, 44)).toBe('0000008');
}

/** By its address: a batch that went on meanwhile may have come to its end, and nothing is left to continue with. */
async function openBatch(page: Page): Promise<void> {
  await page.goto('/getbatch');
  await arrive(page, 'Get Batch');
}

async function expectFile(page: Page): Promise<void> {
  const { shown, saved } = await download(page);
  expect(saved).toBe(shown);
  expectStandard18(saved);
}

async function payByFile(page: Page): Promise<void> {
  await goHome(page);
  await page.getByRole('main').getByRole('link', { name: 'File Payments' }).click();
  await chooseFilePayment(page);
  await pay(page);
}

// Payments are followed to their end in wholePath.long.test.ts, bank files in tests/paths/browser.long.test.ts.
describe('the guided path from its subscription on', () => {
  it('ends in a bank file although the server is stopped and killed, also while the batch is processed', async () => {
    const { page, errors } = visiting;
    // Up to here each step is walked in wholePath.long.test.ts.
    await onboard(apiAt(program.url));
    const restarts = { 'Create with OnBoarding': 'SIGKILL', 'Create Debtor': 'SIGTERM' } as const;
    await prepare(page, through(page, restarts), mouse, 'Create with OnBoarding');
    await payByFile(page);
    await restart(page, 'SIGKILL');
    await openBatch(page);
    await expectFile(page);
    expect(besidesAbsence(errors)).toEqual([]);
  });
});
