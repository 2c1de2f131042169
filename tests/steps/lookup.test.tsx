// @vitest-environment jsdom
import { screen, within, fireEvent } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { useLocation } from 'react-router-dom';
import {
  bankFilesMachine,
  consumerHealthMachine,
  providersMachine,
  translationsMachine,
  type Translation,
} from '#machines/lookup/lookup.machine.ts';
import { BankFilesStep, ProvidersStep } from '#steps/lookup/DefinitionsStep.tsx';
import { HealthStep } from '#steps/lookup/HealthStep.tsx';
import { offered, pick, enter } from '#tests/support/gestures.ts';
import { fileFormat, provider, failure } from '#tests/support/fixtures.ts';
import { everything } from '#tests/support/facts.ts';
import { TranslationsStep } from '#steps/lookup/TranslationsStep.tsx';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { AdditionalDataStep } from '#steps/lookup/AdditionalDataStep.tsx';
import { rule } from '#tests/rules/support.ts';
import { drawn } from './drawn.tsx';

const health = {
  status: 'Up',
  httpStatus: 200,
  version: '3.0.0',
  branch: 'main',
  name: 'Consumer API',
  readAt: '2026-11-20T09:00:00.000Z',
};

async function optionsOf(label: string) {
  await userEvent.click(screen.getByLabelText(label));
  const texts = offered().map(({ textContent }) => textContent);
  await userEvent.keyboard('{Escape}');
  return texts;
}

describe('the health table', () => {
  it('shows status, version, branch and name once the API has answered', async () => {
    const { answer } = drawn(consumerHealthMachine, HealthStep);
    expect(screen.queryByRole('table')).toBeNull();
    await answer('look', health);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Version',
      'Branch',
      'Name',
    ]);
    for (const name of ['Up', '3.0.0', 'main', 'Consumer API']) screen.getByRole('cell', { name });
  });

  it.each([
    ['DOWN', 200, '✕'],
    ['UP (HTTP 503)', 503, '✕'],
    ['HTTP 500', 500, '✕'],
    ['UP', 200, '✓'],
    ['degraded', 200, '○'],
  ])('shows %s with HTTP %i as the service states it, and marks it accordingly', async (status, httpStatus, mark) => {
    const { answer } = drawn(consumerHealthMachine, HealthStep);
    await answer('look', { ...health, status, httpStatus });
    expect(screen.getAllByRole('cell')[0]?.textContent).toBe(`${mark}${status}`);
    expect(screen.queryByText('Up')).toBeNull();
  });

  it('says the time of the last check, and what has changed since the one before', async () => {
    const { answer, user } = drawn(consumerHealthMachine, HealthStep);
    const news = screen.getByRole('status');
    const again = async (now: typeof health) => {
      await user.click(screen.getByRole('button', { name: 'Refresh' }));
      expect(news.textContent).toBe('Checking …');
      await answer('look', now);
    };
    await answer('look', health);
    expect(news.textContent).toMatch(/^Updated .+\. $/);
    await again({ ...health, readAt: '2026-11-20T09:05:00.000Z' });
    expect(news.textContent).toMatch(/Nothing has changed since the last check\.$/);
    expect(news.querySelector('time')?.dateTime).toBe('2026-11-20T09:05:00.000Z');
    await again({ ...health, version: '3.1.0', branch: 'release' });
    expect(news.textContent).toMatch(/: version was 3\.0\.0, branch was main\.$/);
  });
});

describe('the pages of raw definitions', () => {
  it('offer the bank files page its own countries and languages', async () => {
    drawn(bankFilesMachine, BankFilesStep);
    expect(await optionsOf('Bank file country')).toEqual([
      'Australia (AU)',
      'France (FR)',
      'South Africa (ZA)',
      'United Kingdom (GB)',
    ]);
    expect(await optionsOf('Language')).toEqual(expect.arrayContaining(['de-DE', 'es-ES', 'none']));
  });

  it('show the answer as JSON that can be searched and copied', async () => {
    const { answer, user } = drawn(providersMachine, ProvidersStep);
    await answer('look', { country: 'GB', language: 'en', found: [provider], raw: { data: [provider] } });
    const json = screen.getByRole('group', { name: 'providers' });
    const search = screen.getByRole('searchbox', { name: 'Search in providers' });
    await user.type(search, 'example bacs');
    expect(within(json).getAllByText(/Example Bacs/)).not.toEqual([]);
    await user.clear(search);
    await user.type(search, 'nowhere');
    screen.getByText('No results for "nowhere"');
    screen.getByRole('button', { name: 'Copy JSON: providers' });
  });
});

describe('the cards of definitions', () => {
  const other = {
    ...provider,
    providerId: 'other',
    name: 'Other Pay',
    accountType: { validationRules: [], capabilities: [] },
  };

  it('say what a provider can do, and show its raw JSON when pressed, also behind one that could not be read (behaviour 4.35)', async () => {
    const { answer, user } = drawn(providersMachine, ProvidersStep);
    const raw = { data: [{ name: 'unreadable' }, provider, other] };
    await answer('look', { country: 'GB', language: 'en', found: [provider, other], raw });
    const card = screen.getByRole('button', { name: /^Other Pay/ });
    expect(card.textContent).toContain('no Subscription');
    expect(screen.getByRole('button', { name: /^Example Bacs/ }).textContent).toContain('✓ Debtor account');
    await user.click(card);
    expect(card.getAttribute('aria-pressed')).toBe('true');
    const lit = [...document.querySelectorAll('[role=treeitem][data-lit]')].map(({ textContent }) => textContent);
    expect(lit.join(' ')).toContain('Other Pay');
    expect(lit.join(' ')).not.toContain('Example Bacs');
    await user.click(card);
    expect(card.getAttribute('aria-pressed')).toBe('false');
    expect(document.querySelector('[role=treeitem][data-lit]')).toBeNull();
  });

  it('show the first lines of the file that a template writes', async () => {
    const { answer } = drawn(bankFilesMachine, BankFilesStep);
    await answer('look', { country: 'GB', language: 'en', found: [fileFormat], raw: { data: [fileFormat] } });
    expect(screen.getByRole('button', { name: new RegExp(`^${fileFormat.name}`) }).textContent).toContain(
      `${fileFormat.specification.rules.length} rule`,
    );
  });
});

describe('the rules of two definitions', () => {
  const changed = {
    ...provider,
    accountType: {
      ...provider.accountType,
      validationRules: provider.accountType.validationRules
        .slice(1)
        .map((rule, at) => (at === 0 ? { ...rule, validation: { ...rule.validation!, regex: '^A' } } : rule)),
    },
  };
  const here = { country: 'GB', language: 'en', found: [provider] };

  it('are compared on the page of the definitions: added, dropped, and the changed attributes (behaviour 4.33, 4.34)', async () => {
    const { answer, user, calls } = drawn(providersMachine, ProvidersStep);
    await answer('look', { ...here, other: null });
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(calls.at(-1)?.input).toEqual({ view: 'compare' });
    await answer('look', { ...here, other: { country: 'CA', language: 'fr-CA', found: [changed] }, instruments: [] });
    expect((await screen.findByText(/0 added, 1 dropped, 1 changed$/)).textContent).toMatch(
      /^From Example Bacs · United Kingdom \(GB\) · en to Example Bacs · Canada \(CA\) · fr-CA/,
    );
    const rows = within(screen.getByRole('table', { name: '2 differences' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/changed.*debtorAccount\.name.*regex: none → \^A/),
      expect.stringMatching(/dropped.*additionalData\.serviceUserNumber/),
    ]);
    await user.click(screen.getByRole('button', { name: /dropped 1/ }));
    expect(screen.getByRole('table', { name: '1 of 2 differences' })).toBeTruthy();
    await pick(user, screen.getByLabelText('With country'), 'US');
    expect(calls.at(-1)?.input).toEqual({ view: 'compare', otherCountry: 'US' });
  });

  it('are the same where nothing differs, and say so; there may be nothing to compare with', async () => {
    const { answer } = drawn(bankFilesMachine, BankFilesStep, {
      input: { facts: everything, question: { view: 'compare' } },
    });
    const formats = { ...here, found: [fileFormat] };
    await answer('look', { ...formats, other: formats });
    expect(await screen.findByText(/^The rules are the same\./)).toBeTruthy();
    await pick(userEvent.setup(), screen.getByLabelText('With country'), 'FR');
    await answer('look', { ...formats, other: { ...formats, found: [] } });
    expect(screen.getByText(/There is nothing to compare/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Capabilities' })).toBeNull();
  });
});

describe('the capabilities of the providers', () => {
  it('say what each can do, and why it blocks an entry (behaviour 4.35)', async () => {
    const other = {
      ...provider,
      providerId: 'provider-9',
      name: 'Other Pay',
      accountType: { validationRules: [], capabilities: [] },
    };
    const { answer } = drawn(providersMachine, ProvidersStep, {
      input: { facts: everything, question: { view: 'capabilities' } },
    });
    await answer('look', { country: 'GB', language: 'en', found: [provider, other], other: null });
    const table = await screen.findByRole('table', { name: 'Provider capabilities' });
    const cells = (row: RegExp) =>
      within(within(table).getByRole('row', { name: row }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells(/^DebtorQueries/)).toEqual(['✓yes', '–no']);
    expect(cells(/^Electronic Payments/)[0]).toContain('open');
    expect(cells(/^Electronic Payments/)[1]).toContain('The subscription is not authorised');
    expect(cells(/^Create with OnBoarding/)[1]).toContain('The selected provider does not support Subscriptions');
  });
});

const Address = () => <output aria-label="Address">{useLocation().search}</output>;
const address = () => Object.fromEntries(new URLSearchParams(screen.getByLabelText('Address').textContent ?? ''));

it('the pages under Rules keep country and language in the address', async () => {
  const { user } = drawn(providersMachine, ({ actor }) => (
    <>
      <ProvidersStep actor={actor} />
      <Address />
    </>
  ));
  await pick(user, screen.getByLabelText('Provider country'), 'CA');
  await pick(user, screen.getByLabelText('Language'), 'fr-CA');
  expect(address()).toEqual({ country: 'CA', language: 'fr-CA' });
  await pick(user, screen.getByLabelText('Language'), 'none');
  expect(address()).toEqual({ country: 'CA', language: '' });
});

it('the translations keep what is chosen in the address', async () => {
  const { user, answer } = drawn(translationsMachine, ({ actor }) => (
    <>
      <TranslationsStep actor={actor} />
      <Address />
    </>
  ));
  const rules = [{ id: 'sort-code', label: 'Sort code', fields: ['uiLabel', 'example'] }];
  const found = { entities: [{ id: 'bacs', type: 'FileFormat', name: 'Bacs', rules }], language: 'en', text: '' };
  await pick(user, screen.getByLabelText('Rules of'), 'Bank file rules');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Bank file template'), 'Bacs');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Rule'), 'Sort code');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Text'), 'example');
  expect(address()).toEqual({ entityType: 'FileFormat', entityId: 'bacs', ruleId: 'sort-code', field: 'example' });
});

const rules = [
  {
    id: 'sort-code',
    label: 'Sort code (DebtorAccounts debtorAgent.identification)',
    fields: ['uiLabel', 'errorMessage', 'description'],
  },
  { id: 'purpose', label: 'Purpose (BatchPayments additionalData.purpose)', fields: ['uiLabel'] },
];
const found: Translation = {
  entities: [{ id: 'provider-1', type: 'Provider', name: 'Example Bacs', rules }],
  language: 'en',
  text: '',
};

/** Up to where a provider's rule is chosen and its text has arrived. */
async function translated() {
  const step = drawn(translationsMachine, TranslationsStep);
  await step.answer('look', found);
  await pick(step.user, screen.getByLabelText('Provider'), 'Example Bacs');
  await step.answer('look', found);
  await pick(step.user, screen.getByLabelText('Rule'), rules[0]!.label); // the first of two
  await step.answer('look', { ...found, text: 'Sort code' });
  return step;
}

describe('the translations', () => {
  it("show a rule's text with the key that it was asked for by", async () => {
    await translated();
    const section = screen.getByRole('region', { name: 'Translation' });
    expect(section.textContent).toContain('Sort code');
    expect(section.textContent).toContain('provider-1Provider.sort-code.uiLabel');
  });

  it('do not show one text in place of a missing one', async () => {
    const { user, refuse } = await translated();
    await pick(user, screen.getByLabelText('Text'), 'description');
    await refuse('look', failure);
    expect(screen.queryByRole('region', { name: 'Translation' })).toBeNull();
  });
});

const number = rule('Subscriptions', 'additionalData.serviceUserNumber', {
  uiLabel: 'Service user number',
  example: '123456',
  regex: '^\\d{6}$',
  errorMessage: 'Six digits, please',
});

async function open() {
  const step = drawn(additionalDataMachine, AdditionalDataStep);
  await step.answer('loadProviders', [provider]);
  return step;
}

/** Pasting, which user-event would do key by key and with brackets of its own meaning. */
async function paste(user: Awaited<ReturnType<typeof open>>['user'], text: string) {
  fireEvent.change(screen.getByLabelText('Or rules as JSON'), { target: { value: text } });
  await user.click(screen.getByRole('button', { name: 'Use these rules' }));
}

const region = (name: string) => within(screen.getByRole('region', { name }));

describe('the rule playground', () => {
  it("makes a provider's form for each kind of body", async () => {
    const { user } = await open();
    await pick(user, screen.getByLabelText('Rules of provider'), 'Example Bacs');
    screen.getByRole('textbox', { name: 'serviceUserNumber' });
    await pick(user, screen.getByLabelText('Form for'), 'DebtorAccounts');
    screen.getByRole('textbox', { name: 'debtorAccount.name' });
    expect(screen.queryByRole('textbox', { name: 'serviceUserNumber' })).toBeNull();
  });

  it('says for each key which rule applies and why', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    const status = region('Request preview').getAllByRole('status')[0]!; // the firings come first
    expect(status.textContent).toContain('It is required but missing. It says: Six digits, please');
    await user.type(screen.getByRole('textbox', { name: 'Service user number' }), '12345');
    expect(status.textContent).toContain('The value does not match its pattern.');
    await user.type(screen.getByRole('textbox', { name: 'Service user number' }), '6');
    expect(status.textContent).toBe('No rule is broken: the form is valid.');
  });

  it('shows the request, with additionalData as a string that contains JSON', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    await enter(user, screen.getByRole('textbox', { name: 'Service user number' }), '654321');
    expect(screen.getByRole('group', { name: 'request body' }).textContent).toContain(
      '"additionalData": {  string on the wire"serviceUserNumber": "654321"}',
    );
  });

  it('tries values against each pattern, some that pass and some that fail', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    const outcomeOf = (value: string) =>
      region('Patterns')
        .getAllByRole('row')
        .find((row) => within(row).queryByText(value))?.textContent;
    expect(outcomeOf('123456')).toMatch(/Passes$/);
    expect(outcomeOf('12345')).toMatch(/Fails$/);
  });

  it('says why a hostile pattern is not tried', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([rule('Subscriptions', 'additionalData.x', { regex: '^(a+)\\1$' })]));
    region('Patterns').getByText(/refers back/);
    expect(region('Patterns').queryByRole('table')).toBeNull();
  });

  it('says what is wrong with pasted text and keeps the form', async () => {
    const { user } = await open();
    await paste(user, JSON.stringify([number]));
    await paste(user, '{"rules": 1}');
    screen.getByText(/Paste a list of rules/);
    screen.getByRole('textbox', { name: 'Service user number' });
  });
});
