import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { statement } from '#tests/support/postgres.ts';
import { runsOf } from '#tests/support/runCounts.ts';
import { severalProcesses, type SeveralProcesses } from '#tests/support/severalProcesses.ts';
import { batchStatus, choosePayment, enter, entries, payButton, press } from './guidedSteps.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/** Accidents over all kinds: one of each, two of each in `npm run kill`. */
const runs = Math.min(runsOf(6), 12);

const ends: (() => void)[] = [];
let browser: Browser;
let several: SeveralProcesses;
let ada: Visit;
let api: ReturnType<typeof apiAt>;
let material: Awaited<ReturnType<typeof subscribe>>;

beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'));
  several = await severalProcesses(3, async (url) => {
    const { issuer, clientId, clientSecret } = await identityProvider(url, {}, (end) => ends.push(end));
    return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret!, PUBLIC_URL: url };
  });
  const { url } = several.proxy;
  ada = await visit(browser, url);
  const { page } = ada;
  await page.goto('/settings');
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('any');
  await press(page, 'Sign-in');
  await press(page, 'Continue');
  await page.waitForURL('**/settings');
  const cookies = await page.context().cookies(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  api = apiAt(url, () => ({ cookie, origin: url }));
  await onboard(api);
  material = await subscribe(api, 'Larkfield Bacs Bureau');
});
afterEach(async ({ task }) => {
  for (const context of browser.contexts().slice(1)) {
    const [page] = context.pages();
    if (task.result?.state === 'fail') console.error(await storyOf({ ...ada, page: page!, errors: [] })); // each has one
    await context.close();
  }
});
afterAll(async () => {
  await browser.close();
  await several.close();
  for (const end of ends) end();
}, 60_000);

/**
 * What a user has open, each in a window of its own, whose connections no other one takes: a page that waits for a
 * webhook, one that polls a batch, a form, a payment, the timeline.
 */
async function open() {
  const storageState = await ada.page.context().storageState();
  const one = async () => (await visit(browser, several.proxy.url, { storageState })).page;
  return { waits: await one(), polls: await one(), form: await one(), pays: await one(), timeline: await one() };
}
type Pages = Awaited<ReturnType<typeof open>>;

const isHome = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/');
const live = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' });

/** Brings each page to its place; the service decides nothing and sends no webhook from then on. */
async function begin({ waits, polls, form, pays, timeline }: Pages, name: string): Promise<void> {
  await timeline.goto('/timeline?reads=true');
  await live(timeline).waitFor();
  await several.lab().ask('PATCH', '/clock', { still: true });
  await pay(api, material.subscriptionId, paymentForm(material.rules), undefined, true);
  await polls.goto('/getbatch');
  await batchStatus(polls, 'Received').waitFor();
  await pays.goto('/electronicpayments');
  await choosePayment(pays);
  await form.goto('/creditors');
  await enter(form, { ...entries.creditor, 'Payee name': `${name} & Co` });
  await waits.goto('/debtors');
  await enter(waits, { ...entries.debtor, 'Account name': name });
  await press(waits, 'Create debtor');
  await waits.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
}

const consoleAt = (url: string | undefined) => several.consoles.find((each) => each.url === url)!; // one of them
/** Presses the button that pays, and returns once a server has the request, which the service answers late. */
async function send({ pays }: Pages): Promise<void> {
  await several.lab().set({ on: 'call', of: 'createBatch', fault: { kind: 'slow', ms: 1000 } });
  const asked = pays.waitForRequest('**/api/batchpayments');
  await payButton(pays).click();
  await asked;
}

/** What happens once the payment is sent; the returned function ends it. */
const accidents: Record<string, () => Promise<() => Promise<unknown>>> = {
  'the servers of its stream and of its payment are killed': async () => {
    const victims = new Set(['/api/events', '/api/batchpayments'].map((path) => consoleAt(several.proxy.latest(path))));
    await Promise.all([...victims].map((each) => each.stop('SIGKILL')));
    return () => Promise.all([...victims].map((each) => each.start()));
  },
  'the database is away': async () => {
    await several.database.stop();
    return () => several.database.start();
  },
  'all servers are killed': async () => {
    await Promise.all(several.consoles.map((each) => each.stop('SIGKILL')));
    return () => Promise.all(several.consoles.map((each) => each.start()));
  },
  'all servers but one are told to end': async () => {
    const [one, ...others] = several.consoles;
    await Promise.all(others.map((each) => each.stop('SIGTERM')));
    return async () => {
      await Promise.all(others.map((each) => each.start()));
      await one!.stop('SIGTERM'); // there are three
      await one!.start();
    };
  },
  'a server stands still for longer than its lease': async () => {
    const pid = consoleAt(several.proxy.latest('/api/batchpayments')).pid();
    process.kill(pid, 'SIGSTOP');
    await wait(7000);
    return () => Promise.resolve(process.kill(pid, 'SIGCONT'));
  },
  'all connections to the database are cut': async () => {
    const others = 'datname = current_database() and pid <> pg_backend_pid()';
    await statement(several.database.url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    return () => Promise.resolve();
  },
};

/** The entries of the timeline as the page shows them. */
const shown = (page: Page) =>
  page
    .getByRole('table', { name: 'Timeline' })
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.flatMap((row) => {
        const [at, url] = [row.querySelector('time')?.dateTime, row.querySelector('button')?.title];
        return at ? [`${at} ${url}`] : [];
      }),
    );
/** The latest entries of calls of the service and of webhooks, reads among them as on the page. */
async function kept(): Promise<string[]> {
  const { data } = await api.done('getTimeline', {
    query: { kind: 'service,webhook,program', limit: '40' },
  });
  return data.map(({ at, url }) => `${at} ${url}`);
}

/** The page goes on, or asks whether to send the payment once more. */
async function expectPaidOnce({ pays }: Pages, before: readonly string[]): Promise<void> {
  // A payment that was not sent is tried again; one whose response was lost is resent.
  const again = pays.getByRole('button', { name: /^(Try again|Resend with the same key)$/ });
  // A webhook may name the batch first: then the page settles the payment by itself.
  const settled = pays.getByText(/^(Paid once|Sent once)/).first();
  await Promise.race([isHome(pays), again.waitFor(), settled.waitFor()]);
  if (await again.isVisible()) await again.click();
  await Promise.race([isHome(pays), settled.waitFor()]);
  const made = several.made('batch').filter((id) => !before.includes(id));
  expect(made).toHaveLength(1);
  const posted = JSON.parse((await api.done('getPostedBatches')).data) as { batchId: string }[];
  expect(posted.filter(({ batchId }) => batchId === made[0])).toHaveLength(1);
}

it('a page that is opened while the database is away says so, then shows its step; each console prints a few lines', async () => {
  const storageState = await ada.page.context().storageState();
  const { page } = await visit(browser, several.proxy.url, { storageState });
  const printed = () => several.consoles.map((each) => each.printed().match(/^\{"level":/gm)?.length ?? 0);
  const before = printed();
  await several.database.stop();
  const answer = await page.goto('/debtors');
  expect(answer?.status()).toBe(503);
  await page.getByText('The console’s database could not be reached.').waitFor();
  await page.waitForResponse((again) => again.request().isNavigationRequest() && again.status() === 503);
  await several.database.start();
  await page.getByRole('button', { name: 'Create debtor', exact: true }).waitFor();
  for (const [index, lines] of printed().entries()) {
    expect(lines).toBeGreaterThan(before[index]!); // as many
    expect(lines - before[index]!).toBeLessThan(15);
  }
});

const kinds = Object.entries(accidents).slice(0, runs);

describe.each(kinds)('while %s', (_kind, accident) => {
  for (let run = 1; run <= runs / kinds.length; run += 1)
    it(`pages continue without a reload, a payment is made once, and input is kept: ${run}`, async () => {
      const name = `Awaited ${_kind.length}-${run}`;
      const pages = await open();
      await begin(pages, name);
      const before = several.made('batch');
      await send(pages);
      const end = await accident();
      await several.lab().ask('DELETE', '/clock');
      await wait(2500);
      await end();

      const { waits, polls, form, timeline } = pages;
      await Promise.all([isHome(waits), batchStatus(polls, 'Completed').waitFor()]);
      const { data } = await api.done('getDebtors');
      expect(data.filter(({ debtorAccountname }) => debtorAccountname === name)).toHaveLength(1);
      await expectPaidOnce(pages, before);
      expect(await form.getByLabel('Payee name', { exact: true }).inputValue()).toBe(`${name} & Co`);
      await press(form, 'Create creditor');
      await isHome(form);
      await live(timeline).waitFor();
      const latest = await kept();
      await expect
        .poll(async () => (await shown(timeline)).filter((each) => latest.includes(each)).toSorted(), {
          timeout: 15_000,
        })
        .toEqual(latest.toSorted());
      for (const page of Object.values(pages)) {
        expect(await page.getByText('ada <& Co>').count()).toBe(1);
        expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
      }
      await Promise.all(
        Object.values(pages)
          .slice(1)
          .map((page) => page.close()),
      );
    });
});
