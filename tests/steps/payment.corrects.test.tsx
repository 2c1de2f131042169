// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { PaymentStep } from '#steps/payment/PaymentStep.tsx';
import { enter } from '#tests/support/gestures.ts';
import { invoiceOf } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';
import { facts, material } from './paymentMaterial.ts';

// Loaded beside the form: without it, the first test would race its import.
beforeAll(() => import('#steps/payment/InvoiceSelector.tsx'));

describe('correcting a batch', () => {
  const many = Array.from({ length: 120 }, (_, index) => invoiceOf(`i${index + 1}`, '1.00'));
  const batch = { batchId: 'batch-1', status: 'Rejected', payments: [] };
  const errors = [
    { target: 'creditorAccount', message: 'Account closed', code: '', index: 1 },
    { target: 'payments.additionalData.purpose', message: 'Unknown purpose', code: '', index: 0 },
    { target: '', message: 'Closed today', code: '' },
  ];
  const corrected = { batch, errors, references: ['i1', 'i90'] };

  async function correcting(sought: string) {
    const input = { facts, correcting: 'batch-1', sought };
    const step = drawn(electronicPaymentMachine, PaymentStep, { input });
    await step.answer('loadMaterial', { ...material, invoices: many, corrected });
    return step;
  }
  const rowOf = (invoice: string) => screen.getByRole('checkbox', { name: `Pay invoice ${invoice}` }).closest('tr');

  it('opens the page of the list that has the invoice, focuses and marks its row with what was wrong (behaviour 4.32)', async () => {
    await correcting('invoices/i90');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Pay invoice i90' }));
    expect(rowOf('i90')?.textContent).toContain('Account closed');
    expect(rowOf('i90')?.dataset.wrong).toBe('true');
    expect(rowOf('i91')?.dataset.wrong).toBeUndefined();
  });

  it('opens without a summary of problems where the user comes from no error, with the rows of failed payments marked (behaviour 4.42)', async () => {
    await correcting('');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(/^There (is|are) \d+ problem/)).toBeNull();
    expect(document.querySelector('[aria-invalid=true]')).toBeNull();
    expect(rowOf('i1')?.dataset['wrong']).toBe('true');
  });

  it('focuses the field that caused an error, in error with the service’s words', async () => {
    const { user } = await correcting('payments.additionalData.purpose');
    const field = screen.getByLabelText('Purpose');
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await enter(user, field, 'goods');
    expect(field.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('leads from the summary to an invoice on another page of the list, again and again; what leads nowhere is no link', async () => {
    const { user } = await correcting('payments.additionalData.purpose');
    const summary = screen.getByRole('alert');
    expect(
      within(summary)
        .getByText(/Closed today \(it names no invoice or field/)
        .closest('a'),
    ).toBeNull();
    for (const _ of ['first', 'again']) {
      await user.click(within(summary).getByRole('link', { name: 'i90: Account closed' }));
      expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Pay invoice i90' }));
      await user.click(within(summary).getByRole('link', { name: 'i1: Unknown purpose' }));
      expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    }
  });

  it('leaves the focus where the user moves it while the list is sorted', async () => {
    const { user } = await correcting('invoices/i90');
    const header = screen.getByRole('button', { name: /^Amount/ });
    await user.click(header);
    expect(document.activeElement).toBe(header);
  });
});
