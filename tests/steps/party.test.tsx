// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { creditorMachine, debtorMachine } from '#machines/party/party.machine.ts';
import { CreditorStep, DebtorStep } from '#steps/party/PartyStep.tsx';
import { failure, debtor } from '#tests/support/fixtures.ts';
import { messageOf, listOf } from '#tests/support/messages.ts';
import { rule } from '#tests/rules/support.ts';
import { enter } from '#tests/support/gestures.ts';
import { debtorQueryMachine } from '#machines/party/query.machine.ts';
import { DebtorQueryStep } from '#steps/party/DebtorQueryStep.tsx';
import { drawn } from './drawn.tsx';

const rules = [
  rule('DebtorAccounts', 'debtorAccount.name', { uiLabel: 'Account name' }),
  rule('DebtorAccounts', 'debtorAgent.identification', {
    uiLabel: 'Sort code',
    regex: '^\\d{6}$',
    errorMessage: 'Six digits, please',
  }),
  rule('Creditors', 'creditor.name', { uiLabel: 'Payee name' }),
];

async function filledDebtor() {
  const step = drawn(debtorMachine, DebtorStep);
  await step.answer('loadRules', { rules, pending: [] });
  await enter(step.user, screen.getByLabelText('Account name'), 'Main account');
  await enter(step.user, screen.getByLabelText('Sort code'), '200000');
  return step;
}

const submit = () => screen.getByRole('button', { name: 'Create debtor' });

describe('creating a debtor', () => {
  it("asks for what the provider's rules name and nothing else", async () => {
    const { answer } = drawn(debtorMachine, DebtorStep);
    await answer('loadRules', { rules, pending: [] });
    expect(screen.getAllByRole('textbox')).toHaveLength(2);
    expect(screen.getByLabelText('Sort code')).toBeTruthy();
  });

  it("shows the rule's own message at the field and in the summary, and sends nothing", async () => {
    const { answer, user, calls } = drawn(debtorMachine, DebtorStep);
    await answer('loadRules', { rules, pending: [] });
    await user.type(screen.getByLabelText('Account name'), 'Main account');
    await user.type(screen.getByLabelText('Sort code'), '20-00-00');
    await user.click(submit());
    expect(screen.getByRole('link', { name: 'Six digits, please' })).toBeTruthy();
    expect(screen.getAllByText('Six digits, please')).toHaveLength(2);
    expect(calls.map(({ port }) => port)).not.toContain('send');
  });

  it('puts nested values for the subscription that the rules belong to', async () => {
    const { user, pending } = await filledDebtor();
    await user.click(submit());
    expect(pending('send').input).toEqual({
      request: 'put',
      party: 'debtor',
      subscriptionId: 'subscription-1',
      body: { debtorAccount: { name: 'Main account' }, debtorAgent: { identification: '200000' } },
      again: false,
    });
    expect(screen.getByRole('button', { name: 'Sending …' }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('a message whose answer was lost', () => {
  const kept = (messageId: string, name: string) => messageOf({ messageId, name, resourceId: name, forwarded: false });

  it('has a button while it is followed, which resends it with its id and disappears once the service has it', async () => {
    const { user, answer, pending } = drawn(creditorMachine, CreditorStep);
    await answer('loadRules', { rules, pending: [kept('m-1', 'Paper & Sons')] });
    const button = () => screen.queryByRole('button', { name: 'Send again' });
    expect(screen.getByText(/The outcome is unknown/)).toBeTruthy();
    await user.click(button()!); // shown, or the test ends here
    expect(pending('sendAgain').input).toEqual({ messageId: 'm-1' });
    expect(button()?.getAttribute('aria-disabled')).toBe('true');
    await answer('sendAgain', { ...kept('m-1', 'Paper & Sons'), forwarded: true });
    expect(button()).toBeNull();
    expect(screen.queryByText(/The outcome is unknown/)).toBeNull();
    expect(screen.getByText(/Waiting for .+\. You may leave this page\./)).toBeTruthy();
  });

  it('has a button in the list; input is kept whatever the outcome', async () => {
    const { user, answer, refuse, pending } = drawn(creditorMachine, CreditorStep);
    await answer('loadRules', { rules, pending: [kept('m-1', 'Paper & Sons'), kept('m-2', 'Ink & Co')] });
    await user.click(screen.getByRole('button', { name: 'Create another creditor' }));
    await user.type(screen.getByLabelText('Payee name'), 'Typed');
    await user.click(screen.getByRole('button', { name: 'Send again Ink & Co' }));
    expect(pending('sendAgain').input).toEqual({ messageId: 'm-2' });
    await refuse('sendAgain', failure);
    await user.click(screen.getByRole('button', { name: 'Send again Ink & Co' }));
    await answer('sendAgain', { ...kept('m-2', 'Ink & Co'), forwarded: true });
    expect(screen.queryByRole('button', { name: 'Send again Ink & Co' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Send again Paper & Sons' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Payee name').value).toBe('Typed');
  });
});

const second = { ...debtor, debtorId: 'debtor-2', debtorAccountname: 'Savings' };
const query = () => screen.getByRole('button', { name: 'Query debtors' });

async function listed(parties = [debtor, second]) {
  const step = drawn(debtorQueryMachine, DebtorQueryStep);
  await step.answer('loadQuery', { known: [], pending: [], asked: null });
  await step.user.click(query());
  await step.answer('send', { messageId: 'query-1', pending: false, held: false });
  await step.pass(1000);
  await step.answer('askOutcome', listOf({ debtors: parties }));
  await step.answer('clearAnswer');
  return step;
}

describe('querying debtors', () => {
  it('shows the known debtors at once, until the provider’s list replaces them (behaviour 4.53)', async () => {
    const { answer, user, pass, calls } = drawn(debtorQueryMachine, DebtorQueryStep);
    await answer('loadQuery', { known: [debtor, second], pending: [], asked: null });
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery']);
    screen.getByRole('table', { name: '2 debtors' });
    screen.getByText(/^Stored here; the provider was not asked/);
    await user.click(query());
    await answer('send', { messageId: 'query-1', pending: false, held: false });
    expect(screen.getByRole('button', { name: 'Delete Savings' }).getAttribute('aria-disabled')).toBe('true');
    await pass(1000);
    await answer('askOutcome', listOf({ debtors: [second] }));
    await answer('clearAnswer');
    screen.getByRole('table', { name: '1 debtor' });
    expect(screen.queryByText(/^Stored here; the provider was not asked/)).toBeNull();
  });

  it('says how often it has checked for the webhook, when last, and why the button is disabled', async () => {
    const { answer, user, pass, calls } = drawn(debtorQueryMachine, DebtorQueryStep);
    await answer('loadQuery', { known: [], pending: [], asked: null });
    await user.click(query());
    await answer('send', { messageId: 'query-1', pending: false, held: false });
    for (const looks of [1, 2]) {
      await pass(1000);
      await answer('askOutcome', { state: 'waiting', detail: '' });
      expect(screen.getByText(new RegExp(`Checked ${looks} time`)).textContent).toContain('last just now');
    }
    expect(screen.getByText(/^Waiting for .+\. You may leave this page\./)).toBeTruthy();
    expect(query().getAttribute('aria-disabled')).toBe('true');
    await user.click(query());
    expect(calls.filter(({ port }) => port === 'send')).toHaveLength(1);
  });

  it('lists the account of each debtor in at most six columns, and leaves the rest to the record', async () => {
    await listed();
    const table = screen.getByRole('table', { name: '2 debtors' });
    const headers = within(table).getAllByRole('columnheader');
    const titles = headers.map(({ textContent }) => textContent?.replace(/\W+$/, ''));
    expect(titles).toEqual(['Account name', 'Sort code', 'Account number', 'Debtor id', 'Actions']);
    const row = within(table).getByRole('row', { name: /Example Trading Ltd/ });
    const { subscriptionId, ...shown } = debtor;
    for (const value of Object.values(shown)) expect(row.textContent).toContain(value);
    expect(row.textContent).not.toContain(subscriptionId);
  });

  it('lists the newest debtor first, by its name and a short id', async () => {
    const id = 'debtor_0123456789abcdef';
    await listed([debtor, { ...second, debtorId: id }]);
    const [, first] = within(screen.getByRole('table', { name: '2 debtors' })).getAllByRole('row');
    const [name, ...others] = within(first!).getAllByRole('cell');
    expect(name!.textContent).toMatch(/^Savings/);
    expect(others.some(({ textContent }) => textContent?.startsWith('debtor_0…cdef'))).toBe(true);
  });

  it('says what an empty answer means and leads to creating a debtor', async () => {
    await listed([]);
    expect(screen.getByText(/^The provider has no debtors \(bank accounts\)/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create Debtor' }).getAttribute('href')).toBe('/debtors');
  });
});

describe('deleting a debtor', () => {
  it('is possible without a query, and leaves the other known ones (behaviour 4.53)', async () => {
    const { user, answer, pass, pending, calls } = drawn(debtorQueryMachine, DebtorQueryStep);
    await answer('loadQuery', { known: [debtor, second], pending: [], asked: null });
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    await press('Delete Savings');
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
    screen.getByText(/^Stored here; the provider was not asked/);
    await press('Delete Savings');
    await press('Delete');
    expect(pending('send').input).toMatchObject({
      request: 'delete',
      subscriptionId: 'subscription-1',
      id: 'debtor-2',
    });
    await answer('send', { messageId: 'deletion-1', pending: false, held: false });
    await pass(1000);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    screen.getByRole('table', { name: '1 debtor' });
    expect(calls.filter(({ port }) => port === 'send')).toHaveLength(1);
  });
});
