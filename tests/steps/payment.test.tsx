// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import type { PaymentMaterial } from '#machines/payment/payment.ts';
import PaymentStep from '#steps/payment/PaymentStep.tsx';
import { withFacts } from '#tests/support/facts.ts';
import { enter, pick } from '#tests/support/hand.ts';
import { debtor, failure, invoiceOf } from '#tests/support/material.ts';
import { rule } from '#tests/rules/support.ts';
import { drawn } from './drawn.tsx';
import { facts, material } from './paymentMaterial.ts';

// Loaded beside the form: without it, the first test would race its import.
beforeAll(() => import('#steps/payment/InvoiceSelector.tsx'));

const two = [debtor, { ...debtor, debtorId: 'debtor-2', debtorAccountname: 'Other account' }];

async function electronic(more: Partial<PaymentMaterial> = {}, at = facts) {
  const step = drawn(electronicPaymentMachine, PaymentStep, { input: { facts: at } });
  await step.answer('loadMaterial', { ...material, ...more });
  return step;
}

const review = () => screen.getByRole('button', { name: 'Review' });
const choice = () => screen.getByRole('status').textContent;

async function reviewed(at = facts) {
  const step = await electronic({}, at);
  await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
  await enter(step.user, screen.getByLabelText('Purpose'), 'goods');
  await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
  await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i3' }));
  await step.user.click(review());
  await step.answer('prepare', { key: 'key-1', covered: [] });
  return step;
}

describe('choosing what to pay', () => {
  it('counts what is ticked and adds it up in each currency, exactly', async () => {
    const { user } = await electronic();
    expect(choice()).toBe('0 of 3 selected');
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('3 of 3 selected: 120.60 GBP, 8.00 USD');
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(choice()).toBe('2 of 3 selected: 0.10 GBP, 8.00 USD');
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all invoices' });
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
  });

  it('names everything that is missing in one summary, each line leading to its control', async () => {
    const { user } = await electronic({ debtors: two });
    await user.click(review());
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    await user.click(within(summary).getByRole('link', { name: 'Please select a bank account' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Bank account'));
    await user.click(within(summary).getByRole('link', { name: 'Select at least one invoice' }));
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select all invoices' }));
  });

  it('leads from the summary to a field on another page of a long form, in the language of its message', async () => {
    const rules = Array.from({ length: 60 }, (_, i) =>
      rule('BatchPayments', `payments.additionalData.field${i}`, {
        uiLabel: `Champ ${i}`,
        lang: 'fr',
        errorMessage: `Remplissez ${i}`,
      }),
    );
    const { user } = await electronic({ rules });
    await user.click(review());
    const line = screen.getAllByRole('link').find(({ textContent }) => textContent === 'Remplissez 45');
    expect(line?.closest('[lang]')?.getAttribute('lang')).toBe('fr');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.queryByLabelText('Champ 45')).toBeNull();
    await user.click(line!); // found, or the expectation above fails
    expect(document.activeElement).toBe(screen.getByLabelText('Champ 45'));
  });

  it('takes back an error as soon as it is mended', async () => {
    const { user } = await electronic();
    await user.click(review());
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    expect(screen.queryByText('Please select a bank account')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(screen.queryByText('Select at least one invoice')).toBeNull();
  });

  it('says so when there are no invoices', async () => {
    await electronic({ invoices: [] });
    expect(screen.getByText(/none are open/)).toBeTruthy();
    expect(choice()).toBe('0 of 0 selected');
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  });

  it('copes with ten thousand invoices: draws a page of them and ticks them all', async () => {
    const invoices = Array.from({ length: 10_000 }, (_, index) => invoiceOf(`i${index}`, '0.01'));
    const { user } = await electronic({ invoices });
    expect(screen.getAllByRole('row').length).toBeLessThan(100);
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('10000 of 10000 selected: 100.00 GBP');
  });

  it('draws neither the accounts nor the invoices anew while a field is typed in', async () => {
    const looks: string[] = [];
    const watched = <T extends object>(value: T, name: string): T =>
      new Proxy(value, {
        get(target, key, receiver) {
          looks.push(name);
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
    const { user } = await electronic({
      debtors: [watched(debtor, 'debtor')],
      invoices: [watched(invoiceOf('i1', '120.50'), 'invoice')],
    });
    expect(new Set(looks)).toEqual(new Set(['debtor', 'invoice']));
    looks.length = 0;
    await user.type(screen.getByLabelText('Purpose'), 'goods');
    expect(screen.getByLabelText<HTMLInputElement>('Purpose').value).toBe('goods');
    expect(looks).toEqual([]);
  });
});

describe('choosing among many invoices', () => {
  const invoices = Array.from({ length: 30 }, (_, index) => invoiceOf(`i${index + 1}`, '0.01'));
  const filter = () => screen.getByRole('searchbox', { name: 'Filter invoices' });

  it('ticks all that the filter shows and says so, and how many it hides', async () => {
    const { user } = await electronic({ invoices });
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await user.type(filter(), 'i2');
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all 11 that the filter shows' });
    expect(all.checked).toBe(false);
    await user.click(all);
    expect(choice()).toBe('12 of 30 selected: 0.12 GBP (1 of them not shown by the filter)');
    expect(all.checked).toBe(true);
    await user.click(all);
    expect(choice()).toBe('1 of 30 selected: 0.01 GBP (1 of them not shown by the filter)');
  });

  it('keeps the filter while the payment is reviewed', async () => {
    const { user, answer } = await electronic({ invoices, rules: [] });
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    await user.type(filter(), 'i2');
    await user.click(screen.getByRole('checkbox', { name: /^Select all 11/ }));
    await new Promise((done) => setTimeout(done, 300)); // the address is written a moment after typing
    await user.click(review());
    await answer('prepare', { key: 'key-1', covered: [] });
    expect(screen.getByRole('table', { name: '11 payments' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('table', { name: '11 of 30 invoices' })).toBeTruthy();
  });
});

describe('paying', () => {
  it('shows account, payees, number, totals and date before anything is sent', async () => {
    const { calls } = await reviewed();
    const heading = screen.getByRole('heading', { name: 'Review before paying' });
    expect(document.activeElement).toBe(heading);
    const definitions = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(definitions).toEqual([
      'Example Trading Ltd · 200000 · 12345678 · GBP',
      '2 to 1 creditor',
      '120.50 GBP, 8.00 USD',
      '2026-11-20 (00:00 UTC of that day)',
      'goods',
    ]);
    expect(within(screen.getByRole('table', { name: '2 payments' })).getAllByText('Paper & Sons')).toHaveLength(2);
    expect(screen.getAllByText('300000 87654321')).toHaveLength(2);
    expect(calls.map(({ port }) => port)).toEqual(['loadMaterial', 'prepare']);
  });

  it('says of each payment who is paid on which account, for what and how much', async () => {
    const step = await electronic({
      invoices: [invoiceOf('i1', '1200.50'), invoiceOf('i2', '1000000', { currency: 'JPY' })],
    });
    await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
    await enter(step.user, screen.getByLabelText('Purpose'), 'goods');
    await step.user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    await step.user.click(review());
    await step.answer('prepare', { key: 'key-1', covered: [] });
    const table = within(screen.getByRole('table', { name: '2 payments' }));
    const headers = table
      .getAllByRole('columnheader')
      .map((header) => header.querySelector('button')?.firstChild?.textContent);
    expect(headers).toEqual(['Creditor', 'For', 'Amount']);
    const [, ...rows] = table.getAllByRole('row').map((row) => within(row).queryAllByRole('cell').map(({ textContent }) => textContent)); // prettier-ignore
    expect(rows).toEqual([
      ['Paper & Sons300000 87654321', 'Invoice i1', '1,200.50 GBP'],
      ['Paper & Sons300000 87654321', 'Invoice i2', '1,000,000 JPY'],
    ]);
  });

  it('goes back to the choices as they were', async () => {
    const { user } = await reviewed();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Bank account').dataset['value']).toBe('debtor-1');
    expect(screen.getByLabelText<HTMLInputElement>('Purpose').value).toBe('goods');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Pay invoice i3' }).checked).toBe(true);
  });

  it('posts one batch however often Pay is pressed', async () => {
    const { user, calls } = await reviewed();
    await user.dblClick(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
    const paid = calls.filter(({ port }) => port === 'pay');
    expect(paid).toHaveLength(1);
    expect(paid[0]?.input).toMatchObject({
      key: 'key-1',
      batch: {
        requestedExecutionDateTime: '2026-11-20T00:00:00Z',
        payments: [
          { instructedAmount: { amount: '120.50', currency: 'GBP' }, additionalData: { purpose: 'goods' } },
          { instructedAmount: { amount: '8.00', currency: 'USD' } },
        ],
      },
    });
    expect(screen.getByRole('button', { name: 'Paying …' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('keeps the review open when the answer is lost, so that Pay can be pressed again', async () => {
    const { user, refuse, calls } = await reviewed();
    await user.click(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
    await refuse('pay', failure);
    await user.click(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
    const [first, second] = calls.filter(({ port }) => port === 'pay');
    expect(second?.input).toEqual(first?.input);
  });

  it('shows no lines of a file before an electronic payment', async () => {
    await reviewed();
    expect(screen.queryByRole('heading', { name: 'Lines of the file' })).toBeNull();
  });

  it('leaves the step once the batch is posted', async () => {
    const { user, answer } = await reviewed();
    await user.click(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
    await answer('pay', { batchId: 'batch-1' });
    expect(screen.queryByRole('button', { name: /^Pay [\d,.]/ })).toBeNull();
  });
});

describe('invoices that are paid, or may be', () => {
  const at = '2026-11-20T09:00:00.000Z';
  const invoices = [
    invoiceOf('i1', '1.00'),
    invoiceOf('i2', '2.00', { payment: { state: 'unknown', at } }),
    invoiceOf('i3', '4.00', { payment: { state: 'paid', at, batchId: 'batch-9' } }),
  ];

  it('say so in the list, and those that are paid are ticked on purpose only', async () => {
    const { user } = await electronic({ invoices });
    expect(screen.getByText(/^May be paid: it was sent on 20 Nov 2026/)).toBeTruthy();
    expect(screen.getByText(/^Paid in batch batch-9/)).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('2 of 3 selected: 3.00 GBP');
  });

  it('say so in the review, which waits for the word that they are to be paid again', async () => {
    const { user, answer, calls } = await electronic({ invoices, rules: [] });
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i3' }));
    await user.click(review());
    await answer('prepare', { key: 'key-1', covered: [{ index: 0, state: 'paid', at, batchId: 'batch-9' }] });
    const pay = screen.getByRole('button', { name: /^Pay [\d,.]/ });
    expect(pay.getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('checkbox', { name: 'Pay again although they have been paid' }));
    await user.click(pay);
    expect(calls.findLast(({ port }) => port === 'pay')?.input).toMatchObject({ again: true });
  });
});

describe('where real money moves', () => {
  const pay = () => screen.getByRole('button', { name: 'Pay 120.50 GBP, 8.00 USD' });
  const total = () => screen.getByLabelText('Type the total to pay real money');

  it('nothing is paid before the total is typed, however it is grouped and spaced', async () => {
    const { user, calls } = await reviewed(withFacts(facts, { environment: 'live' }));
    const sent = () => calls.filter(({ port }) => port === 'pay').length;
    for (const wrong of ['', '120.50 GBP', '12050 GBP, 8.00 USD', 'pay']) {
      await user.clear(total());
      if (wrong) await enter(user, total(), wrong);
      await user.click(pay());
      expect(pay().getAttribute('aria-disabled')).toBe('true');
      expect(sent()).toBe(0);
    }
    expect(screen.getByText('Real money moves: type the total first').id).toBe(pay().getAttribute('aria-describedby'));
    await user.clear(total());
    await enter(user, total(), '120.50gbp 8.00 usd');
    await user.click(pay());
    expect(sent()).toBe(1);
  });

  it('another review asks for it again', async () => {
    const { user, answer } = await reviewed(withFacts(facts, { environment: 'live' }));
    await enter(user, total(), '120.50 GBP, 8.00 USD');
    expect(pay().getAttribute('aria-disabled')).toBe('false');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(review());
    await answer('prepare', { key: 'key-1', covered: [] });
    expect(pay().getAttribute('aria-disabled')).toBe('true');
  });

  it('the sandbox asks for no such word', async () => {
    await reviewed();
    expect(screen.queryByLabelText('Type the total to pay real money')).toBeNull();
    expect(pay().getAttribute('aria-disabled')).toBe('false');
  });
});

describe('accounts and amounts', () => {
  it('tells accounts of the same name apart', async () => {
    const twins = ['1f0c2a77-0001', '1f0c2a77-0002', '9d3e5b10-0001'].map((debtorId) => ({ ...debtor, debtorId }));
    const { user } = await electronic({
      debtors: [...twins, { ...debtor, debtorId: 'other', debtorAccountname: 'Other' }],
    });
    await user.click(screen.getByLabelText('Bank account'));
    const names = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('Example Trading Ltd · 200000 · 12345678 · GBP · 9d3e5b10');
    expect(names).toContain('Other · 200000 · 12345678 · GBP');
  });

  it('names no currency before an account is chosen, and groups the digits', async () => {
    const { user } = await electronic({
      debtors: two,
      invoices: [invoiceOf('i1', '5098050.00', { currency: '' })],
    });
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(choice()).toBe('1 of 1 selected: 5,098,050.00');
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    expect(choice()).toBe('1 of 1 selected: 5,098,050.00 GBP');
    expect(screen.getByRole('cell', { name: '5,098,050.00 GBP' })).toBeTruthy();
  });

  it('lets the day be chosen, and says which day it is', async () => {
    await electronic();
    const field = screen.getByLabelText<HTMLInputElement>('Execution date');
    expect([field.value, field.min]).toEqual(['2026-11-20', '2026-11-20']);
    expect(screen.getByText(/^Today is 2026-11-20 in /)).toBeTruthy();
  });
});
