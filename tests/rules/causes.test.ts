import { describe, expect, it } from 'vitest';
import { causeOf, controlAt, invoiceChoice, isTyped } from '#rules/causes.ts';
import { paymentForm } from '#rules/field.ts';
import { rule } from './support.ts';

const payment = (reference: string, paymentId = '') => ({
  paymentId,
  remittanceInformation: { reference },
});

describe('the cause of a batch error', () => {
  const payments = [payment('INV-1', 'p1'), payment('INV-2', 'p2')];

  it.each([
    ['payments.creditorAccount.name', 'payments.creditorAccount.name'],
    ['creditorAccount', 'payments.creditorAccount'],
    ['$.data.payments[1].creditorAccount.name', 'payments.creditorAccount.name'],
    ['/payments/1/creditorAccount/name', 'payments.creditorAccount.name'],
    ['payments.1', ''],
    ['payments', ''],
    ['', ''],
  ])('is read from the target %j', (target, path) => {
    expect(causeOf({ target, index: 1 }, payments)).toEqual({ position: 1, invoice: 'INV-2', path });
  });

  it('takes its index from the target if the error has none', () => {
    expect(causeOf({ target: 'data.payments.0.creditor.name' }, payments)).toMatchObject({
      position: 0,
      invoice: 'INV-1',
    });
  });

  it('is found by the payment’s id, in whatever order the service returns payments', () => {
    const error = { target: 'creditorAccount', index: 0, resourceId: 'p1' };
    expect(causeOf(error, payments.toReversed(), ['INV-1', 'INV-2'])).toMatchObject({ position: 1, invoice: 'INV-1' });
  });

  it('names the sent invoice if the service returns no payments or no references', () => {
    expect(causeOf({ index: 1 }, [], ['INV-1', 'INV-2']).invoice).toBe('INV-2');
    expect(causeOf({ index: 1 }, [{}, {}], ['INV-1', 'INV-2']).invoice).toBe('INV-2');
  });

  it.each([{ index: 2 }, { index: -1 }, { resourceId: 'batch-1' }, {}])('names no payment for %j', (error) => {
    expect(causeOf(error, payments)).toEqual({ position: undefined, invoice: '', path: '' });
  });
});

describe('the control of the payment form for an error', () => {
  const form = paymentForm([
    rule('BatchPayments', 'payments.additionalData.purpose'),
    rule('BatchPayments', 'additionalData.note'),
  ]);

  it.each([
    ['debtorAccount.identification', 'bankAccount'],
    ['payments.debtorAgent.identification', 'bankAccount'],
    ['requestedExecutionDateTime', 'executionDate'],
    ['payments.additionalData.purpose', 'purpose'],
    ['additionalData.purpose', 'purpose'],
    ['additionalData.note', 'note'],
    ['additionalData.note.text', 'note'],
    ['payments.creditorAccount.name', ''],
    ['additionalData.constructor', ''],
    ['', ''],
  ])('at %j is %j', (path, control) => {
    expect(controlAt(path, form)).toBe(control);
  });

  it('is the invoice’s row for errors of the invoice or its creditor', () => {
    expect(isTyped('payments.creditorAccount.name')).toBe(false);
    expect(isTyped('payments.additionalData.purpose')).toBe(true);
    expect(invoiceChoice('INV-1')).toBe('invoices/INV-1');
  });
});
