// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { clearCompany, syncCompany } from '#app/client/companyOfTab.ts';
import { Shell } from '#app/frame/Shell.tsx';
import type { CallName } from '#contract/calls.ts';
import type { Facts } from '#contract/facts.ts';
import { outcomes } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { outcomeWords } from '#ui/outcomeWords.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { renderPage, supplying } from '#tests/support/page.tsx';

const problem: Problem = {
  type: 'about:blank',
  title: 'The console’s server did not answer',
  status: 0,
  detail: 'Network Error',
  code: 'console-unreachable',
};

/** The answer to a call names the company for which it was made, as the client reads it. */
const setScope = (companyKey: string, by: CallName) => syncCompany(by, companyKey, '');

/** The facts as the service has them, and how often they were read. */
let facts: Facts;
let readings = 0;
const load = () => ((readings += 1), Promise.resolve(facts));
const withSuspended = (suspendedByConsumer: boolean): Facts => ({
  ...everything,
  subscription: everything.subscription && { ...everything.subscription, suspendedByConsumer },
});
const patches = () => requests('patchSubscription').map(({ body }) => body?.data);

async function open() {
  renderPage(<Shell>page</Shell>, { load, at: '/settings' });
  await waitFor(() => expect(readings).toBeGreaterThan(0));
  await userEvent.keyboard('{Control>}k{/Control}');
  return (name: RegExp) => screen.findByRole('option', { name });
}

beforeEach(() => {
  clearCompany();
  server.made.length = 0;
  server.answers = { getDebtors: () => ({ data: [] }), getCreditors: () => ({ data: [] }) };
  facts = withSuspended(false);
  readings = 0;
});

describe('a switch of the company in the palette', () => {
  const other = {
    companyKey: 'second',
    companyId: 'company-2',
    organisationId: 'organisation-1',
    companyName: 'Second',
  };

  it.each([
    ['stays open', false],
    ['is closed before the answer comes', true],
  ])('opens the home page although the palette %s (behaviour 10.10.5)', async (_, closes) => {
    facts = { ...everything, companies: [...everything.companies, { ...everything.companies[0]!, ...other }] };
    let end: () => void = () => undefined;
    server.answers['setSetting'] = () => new Promise((resolve) => (end = () => resolve({})));
    renderPage(<Shell>page</Shell>, { load, at: '/createcompany', loadJourney: supplying(companyMachine) });
    await waitFor(() => expect(readings).toBeGreaterThan(0));
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.click(await screen.findByRole('option', { name: /^Use company Second/ }));
    if (closes) await userEvent.keyboard('{Control>}k{/Control}');
    expect(screen.getByRole('status', { name: 'address' }).textContent).toBe('/createcompany');
    setScope('first', 'getFacts');
    end();
    setScope('second', 'setSetting');
    await waitFor(() => expect(screen.getByRole('status', { name: 'address' }).textContent).toBe('/'));
    await waitFor(() => expect(screen.queryByRole('option', { name: 'Home' })).toBeNull());
  });
});

describe('Suspend in the palette', () => {
  it.each(outcomes)(
    'says the result after the outcome %s, and reads the present state (behaviour 10.10.3)',
    async (outcome) => {
      server.answers['patchSubscription'] = () => {
        facts = withSuspended(true); // executed, whatever the page hears
        return Promise.reject({ ...problem, outcome }); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- as calls do
      };
      const option = await open();
      await userEvent.click(await option(/^Suspend the current/));
      expect((await screen.findByRole('alert')).textContent).toBe(
        `${problem.title}. ${outcomeWords[outcome]} ${problem.detail}`,
      );
      expect(await option(/^Unsuspend the current/)).toBeDefined();
    },
  );

  it('suspends once under a double click (behaviour 10.10.3)', async () => {
    let end: (answer: object) => void = () => undefined;
    server.answers['patchSubscription'] = () => new Promise((resolve) => (end = resolve));
    const option = await open();
    await userEvent.dblClick(await option(/^Suspend the current/));
    facts = withSuspended(true);
    end({});
    expect(await option(/^Unsuspend the current/)).toBeDefined();
    expect(patches()).toEqual([{ suspendedByConsumer: true }]);
  });

  it('that ends after the palette was closed is announced: the present state is read', async () => {
    let end: (answer: object) => void = () => undefined;
    server.answers['patchSubscription'] = () => new Promise((resolve) => (end = resolve));
    const option = await open();
    await userEvent.click(await option(/^Suspend the current/));
    await userEvent.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(screen.queryByRole('option', { name: 'Home' })).toBeNull());
    const before = readings;
    end({});
    await waitFor(() => expect(readings).toBeGreaterThan(before));
  });

  it('copies no token where the browser refuses, and says nothing of a change', async () => {
    server.answers['getToken'] = () => ({ data: { token: 'secret' } });
    const option = await open();
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    await userEvent.click(await option(/^Copy the access token/));
    const words = (await screen.findByRole('alert')).textContent;
    expect(words).toMatch(/^The access token was not copied\./);
    for (const each of Object.values(outcomeWords)) expect(words).not.toContain(each);
  });
});

describe('the debtors and creditors in the palette', () => {
  it.each([
    ['had been listed', true],
    ['answers later', false],
  ])(
    'are those of the current company after a switch, although the earlier one %s (behaviour 10.10.5)',
    async (_, isListed) => {
      facts = { ...everything, companyKey: 'first', debtors: 1, creditors: 1 };
      const named = (debtorAccountname: string, subscriptionId = 'subscription-1') => ({
        data: [{ debtorId: `id of ${debtorAccountname}`, debtorAccountname, subscriptionId }],
      });
      let end: () => void = () => undefined;
      server.answers['getDebtors'] = () => new Promise((resolve) => (end = () => resolve(named('Old'))));
      const option = await open();
      await waitFor(() => expect(requests('getDebtors').length).toBeGreaterThan(0));
      if (isListed) {
        end();
        await option(/^Debtor Old/);
      }
      // Another tab has switched meanwhile: the next reading of the facts tells.
      server.answers['patchSubscription'] = () => {
        facts = { ...facts, companyKey: 'second', settings: { ...facts.settings, subscriptionId: 'subscription-2' } };
        server.answers['getDebtors'] = () => named('New', 'subscription-2');
        end();
        return {};
      };
      await userEvent.click(await option(/^Suspend the current/));
      await option(/^Debtor New/);
      await waitFor(() => expect(screen.queryByRole('option', { name: /^Debtor Old/ })).toBeNull());
      expect(await option(/^Debtor New/)).toBeDefined();
    },
  );

  it('are read again when the records of the company change', async () => {
    facts = { ...everything, debtors: 1 };
    server.answers['getDebtors'] = () => ({
      data: [{ debtorId: 'd1', debtorAccountname: 'First', subscriptionId: 'subscription-1' }],
    });
    server.answers['patchSubscription'] = () => {
      facts = { ...facts, debtors: 2 };
      server.answers['getDebtors'] = () => ({
        data: [{ debtorId: 'd2', debtorAccountname: 'Second', subscriptionId: 'subscription-1' }],
      });
      return {};
    };
    const option = await open();
    await option(/^Debtor First/);
    await userEvent.click(await option(/^Suspend the current/));
    expect(await option(/^Debtor Second/)).toBeDefined();
  });
});
