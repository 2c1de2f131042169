import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { pay, subscribeTo, walk } from '#tests/support/guidedPath.ts';
import { batchStatus, choosePayment, confirmAnother, press } from './guidedSteps.ts';
import { faultsOf, settled } from './screen.ts';
import { plain } from '#runner/file.ts';
import { sharedConsole } from './shared.ts';
import { fileOf } from '#tests/support/journeyFile.ts';

/** Batch that breaks the rules of its bank file. */
let rejected = '';
/** The subscription that pays, and one that is still to be authorised. */
let [paying, waiting] = ['', ''];

const select = (url: string, value: string) =>
  apiAt(url).done('setSetting', { body: { key: 'subscriptionId', value } });

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  const { provider, rules, subscriptionId } = await walk(api);
  const [foreign] = (await api.done('getFileFormats', { query: { country: 'AU', language: 'en' } })).data;
  rejected = await pay(api, subscriptionId, paymentForm(rules), foreign?.fileFormatId);
  waiting = await subscribeTo(api, provider, rules);
  await eventually(async () => {
    const { data } = await api.done('getSubscription', { params: { subscriptionId: waiting } });
    expect(data.data.status).toBe('AwaitingAuthorisation');
  });
  paying = subscriptionId;
  await select(url, paying);
});
afterEach(() => select(program().url, paying));

/** What a page becomes by what a user does there; `shown` says that it has. */
interface State {
  name: string;
  path: () => string;
  act?: (page: Page) => Promise<unknown>;
  shown: (page: Page) => Promise<unknown>;
}

const states: readonly State[] = [
  {
    name: 'the palette',
    path: () => '/createcompany',
    act: (page) => page.keyboard.press('Control+K'),
    shown: (page) => page.getByRole('option', { name: /^Home/ }).waitFor(),
  },
  {
    name: 'a file of journeys before it is run',
    path: () => '/run',
    act: (page) =>
      page.getByLabel('Open a script').setInputFiles({
        name: 'journeys.json',
        mimeType: 'application/json',
        buffer: Buffer.from(fileOf([plain('company'), plain('batch')])),
      }),
    shown: (page) => page.getByRole('button', { name: 'Run these 2 journeys' }).waitFor(),
  },
  {
    name: 'the timeline, docked, with an entry',
    path: () => '/providers',
    act: async (page) => {
      await page.getByRole('button', { name: /^Timeline/ }).click();
      await page.getByRole('table', { name: 'Timeline' }).getByRole('button').first().click();
    },
    shown: (page) => page.getByRole('region', { name: 'Request' }).waitFor(),
  },
  {
    name: 'a form with its error summary, beside an open group of the menu',
    path: () => '/createcompany',
    act: async (page) => {
      await press(page, 'Debtors/Creditors');
      await page.getByRole('link', { name: 'Debtor Query' }).waitFor();
      await confirmAnother(page);
      await press(page, 'Create company');
    },
    shown: (page) => page.getByRole('alert').getByText('There are 6 problems').waitFor(),
  },
  {
    name: 'a result with its offer',
    path: () => '/createcompany?guided=true',
    act: async (page) => {
      await select(program().url, waiting);
      await page.reload();
    },
    shown: (page) => page.getByRole('button', { name: /^Next: / }).waitFor(),
  },
  {
    name: 'pasted rules that are no JSON',
    path: () => '/additionaldata',
    act: async (page) => {
      await page.getByText('Paste rules instead').click();
      await page.getByLabel('Or rules as JSON').fill('[\n  {');
      await press(page, 'Use these rules');
    },
    shown: (page) => page.getByText('Not valid JSON: line 2, column 4: expected a name in double quotes').waitFor(),
  },
  {
    name: 'the question before a row is deleted',
    path: () => '/debtorsquery',
    act: async (page) => {
      await press(page, 'Query debtors');
      await page.getByRole('button', { name: /^Delete / }).click();
    },
    shown: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'the authorise page in its frame',
    path: () => '/subscriptionlist',
    async act(page) {
      await page.getByRole('button', { name: `Authorise subscription ${waiting}` }).click();
    },
    shown: (page) => page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).waitFor(),
  },
  {
    name: 'a batch with errors',
    path: () => `/getbatch?batchId=${rejected}`,
    shown: (page) => batchStatus(page, 'Rejected').waitFor(),
  },
  {
    name: 'the review before paying',
    path: () => '/electronicpayments',
    act: choosePayment,
    shown: (page) => page.getByRole('heading', { name: 'Review before paying' }).waitFor(),
  },
];

describe('every telling state of a screen, in light and dark colours', () => {
  it.each(states)('$name', async ({ path, act, shown }) => {
    const { page, errors } = visiting();
    await page.goto(path());
    await settled(page);
    await act?.(page);
    await shown(page);
    expect(await faultsOf(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
