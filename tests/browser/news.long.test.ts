import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { enter, entries, press } from './guidedSteps.ts';
import { sharedBetween } from './shared.ts';

const { visiting, between, api } = sharedBetween(async (server) => {
  await onboard(server);
  await subscribe(server, 'Larkfield Bacs Bureau');
}, 'each');

beforeEach(() => between().pause());
afterEach(() => between().resume());

/** The statuses of a page's requests for its message, and its streams of events. */
function counted(page: Page) {
  const polls: number[] = [];
  const streams: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/messages/')) polls.push(response.status());
    if (pathname === '/api/events' && response.status() === 200) streams.push(pathname);
  });
  return { polls, streams };
}

/** Lets no poll come by itself in this page: a timer of its interval never ends. */
const withoutIntervals = (page: Page) =>
  page.addInitScript((interval) => {
    const later = globalThis.setTimeout;
    const timer = ((run: () => void, ms?: number) => later(run, ms === interval ? 1e8 : ms)) as typeof setTimeout; // what the page uses of it
    globalThis.setTimeout = timer;
  }, webhookPollInterval);

/** Sends a debtor of that name, whose webhook does not come before the service goes on. */
async function send(page: Page, name: string): Promise<void> {
  await page.goto('/debtors');
  await enter(page, { ...entries.debtor, 'Account name': name });
  const asked = page.waitForResponse(/\/api\/messages\//);
  await press(page, 'Create debtor');
  await page.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
  await asked;
}

/** Lets the service go on; the page has led home, and the debtor is there. */
async function expectDebtor(page: Page, name: string): Promise<void> {
  await between().resume();
  await page.waitForURL(({ pathname }) => pathname === '/');
  const { data } = await api().done('getDebtors');
  expect(data.map(({ debtorAccountname }) => debtorAccountname)).toContain(name);
}

describe('a debtor is there soon after its webhook', () => {
  it('without polling by the page, for one or two requests (behaviour 4.13)', async () => {
    const { page } = visiting();
    const { polls, streams } = counted(page);
    await withoutIntervals(page);
    await send(page, 'Woken Ltd');
    expect([1, 2], 'one at first, and one when the stream is open').toContain(polls.length);
    await expectDebtor(page, 'Woken Ltd');
    expect(streams).toEqual(['/api/events']);
    expect(polls.length).toBeGreaterThanOrEqual(2);
    expect(polls.length).toBeLessThanOrEqual(3);
  });

  it('while the timeline is open, with one stream for both', async () => {
    const { page } = visiting();
    await withoutIntervals(page);
    const { streams } = counted(page);
    await send(page, 'Docked Ltd');
    await expectDebtor(page, 'Docked Ltd');
    expect(streams).toEqual(['/api/events']);
  });

  it('also after a reload', async () => {
    const { page } = visiting();
    await withoutIntervals(page);
    await send(page, 'Reloaded Ltd');
    const { streams } = counted(page);
    await page.reload();
    await page.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
    await expect.poll(() => streams).toContain('/api/events');
    await expectDebtor(page, 'Reloaded Ltd');
  });
});

describe('a page that waits', () => {
  it('polls every second where no stream is possible, and receives nothing while nothing has changed (behaviour 4.13)', async () => {
    const { page, errors } = visiting();
    await page.route('**/api/events', (route) => route.fulfill({ status: 429, body: '' }));
    const { polls } = counted(page);
    await send(page, 'Polled Ltd');
    await expect.poll(() => polls.length, { timeout: 10_000 }).toBeGreaterThan(3);
    const [first, ...others] = polls;
    expect([first, ...new Set(others)]).toEqual([200, 304]);
    await expectDebtor(page, 'Polled Ltd');
    expect(errors.filter((each) => !each.includes('429'))).toEqual([]);
  });

  it('takes one of the connections that the browser has for all its tabs, and another tab takes over (behaviour 10.17.7)', async () => {
    const { page } = visiting();
    const [first, third] = await Promise.all([page.context().newPage(), page.context().newPage()]);
    const tabs = [first, page, third];
    const counts = tabs.map(counted);
    await Promise.all(tabs.map(withoutIntervals));
    await send(first, 'Tabs Ltd');
    for (const tab of tabs.slice(1)) {
      await tab.goto('/debtors');
      await tab.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
    }
    const open = () => counts.map(({ streams }) => streams.length);
    expect(open()).toEqual([1, 0, 0]);
    await first.close();
    await expect.poll(open).toEqual([1, 1, 0]);
    await expectDebtor(third, 'Tabs Ltd');
    expect(open(), 'which the other one hears through').toEqual([1, 1, 0]);
  });
});
