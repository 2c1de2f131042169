// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { pick } from '#tests/support/gestures.ts';
import { debtor, invoiceOf } from '#tests/support/fixtures.ts';
import { rule } from '#tests/rules/support.ts';
import { choice, electronic, review } from './electronic.ts';

const two = [debtor, { ...debtor, debtorId: 'debtor-2', debtorAccountname: 'Other account' }];

describe('choosing what to pay', () => {
  it('counts what is ticked and adds it up in each currency, exactly', async () => {
    const { user } = await electronic();
    expect(choice()).toBe('No invoice selected');
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('3 invoices · 120.60 GBP, 8.00 USD');
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(choice()).toBe('2 invoices · 0.10 GBP, 8.00 USD');
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

  it('copes with ten thousand invoices: draws a page of them and ticks them all', async () => {
    const invoices = Array.from({ length: 10_000 }, (_, index) => invoiceOf(`i${index}`, '0.01'));
    const { user } = await electronic({ invoices });
    expect(screen.getAllByRole('row').length).toBeLessThan(100);
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('10000 invoices · 100.00 GBP');
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

  it('ticks all that the filter shows and says so, and the bar how many it hides (behaviour 10.9.6)', async () => {
    const { user } = await electronic({ invoices });
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await user.type(filter(), 'i2');
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all 11 that the filter shows' });
    expect(all.checked).toBe(false);
    await user.click(all);
    expect(choice()).toBe('12 invoices · 0.12 GBP (1 not shown by the filter)');
    expect(all.checked).toBe(true);
    await user.click(all);
    expect(choice()).toBe('1 invoice · 0.01 GBP (1 not shown by the filter)');
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
    expect(names).toContain('Other ·· 5678 · GBP');
  });

  it.each([
    ['digits in the middle of its number', '1234'],
    ['its sort code', '200000'],
    ['its name', 'other'],
  ])('finds an account, shown by its name and last digits, by %s', async (_, term) => {
    const { user } = await electronic({
      debtors: [
        { ...debtor, debtorAccountidentification: '99', debtorAgentidentification: '55', debtorAccountname: 'Payer' },
        { ...debtor, debtorId: 'other', debtorAccountname: 'Other' },
      ],
    });
    const control = screen.getByLabelText('Bank account');
    await user.click(control);
    await user.clear(control);
    await user.type(control, term);
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Other ·· 5678 · GBP']);
  });

  it('names no currency before an account is chosen, and groups the digits', async () => {
    const { user } = await electronic({
      debtors: two,
      invoices: [invoiceOf('i1', '5098050.00', { currency: '' })],
    });
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    expect(choice()).toBe('1 invoice · 5,098,050.00');
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    expect(choice()).toBe('1 invoice · 5,098,050.00 GBP');
    expect(screen.getByRole('cell', { name: '5,098,050.00' })).toBeTruthy();
  });
});
