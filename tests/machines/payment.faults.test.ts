import { describe, expect, it } from 'vitest';
import { choicesIn, correctedErrors, refusedErrors } from '#machines/payment/faults.ts';
import type { Corrected } from '#machines/payment/findings.ts';
import { noPayment } from '#machines/payment/choices.ts';
import type { PaymentContext } from '#machines/payment/payment.ts';
import { everything } from '#tests/support/facts.ts';
import { failure, paid } from '#tests/support/fixtures.ts';
import { material } from './payment.running.ts';

const context: PaymentContext = { ...noPayment('electronic', { facts: everything }), ...material };

const ofInvoice = (reference: string) => ({ remittanceInformation: { reference } });
const batch = { batchId: 'batch-1', status: 'Rejected', payments: [ofInvoice('invoice-2'), ofInvoice('invoice-3')] };
const correcting = (corrected: Partial<Corrected>): PaymentContext => ({
  ...context,
  corrected: { batch, errors: [], references: [], ...corrected },
});

describe('the errors of a batch that is corrected', () => {
  it('are none where no batch is corrected', () => expect(correctedErrors(context)).toEqual([]));

  it.each([
    [{ message: 'Too long', code: 'Length', target: 'externalId' }, 'Too long'],
    [{ message: '', code: 'Length', target: 'externalId' }, 'Length'],
    [{ message: '', code: '', target: 'externalId' }, 'externalId'],
    [{ message: '', code: '', target: '' }, 'An error without a text'],
  ])('say their message, else what else they name: %j', (error, text) => {
    expect(correctedErrors(correcting({ errors: [error] }))).toEqual([
      { id: '', message: `${text} (it names no invoice or field of this form)` },
    ]);
  });
});

describe('the errors of a refused payment', () => {
  const refused = (path: string) => ({ ...failure, errors: [{ path, message: 'Not an account' }] });
  const target = (index: number) => `payments.${index}.creditorAccount.identification`;

  it('change nothing where the refusal lists none', () => {
    expect(refusedErrors({ ...context, failure })).toEqual({});
    expect(refusedErrors({ ...context, failure: { ...failure, errors: [] } })).toEqual({});
  });

  it('count in the payments of the first request, if that is repeated', () => {
    const first = { ...paid, payments: [{}, ofInvoice('invoice-3')] } as never; // what an error counts in
    const prepared = { key: 'key-1', covered: [], shown: '', first };
    const at = (index: number) => refusedErrors({ ...context, prepared, failure: refused(target(index)) }).errors;
    expect(at(1)).toEqual([{ id: 'invoices/invoice-3', message: 'invoice-3: Not an account' }]);
    expect(at(0)?.map(({ id }) => id)).toEqual(['']);
  });

  it('count in the ticked invoices as they are listed, if nothing was sent before', () => {
    const ticked = { ...context, ticked: ['invoice-3', 'invoice-2'] };
    const { errors, marks } = refusedErrors({ ...ticked, failure: refused(target(0)) });
    expect(errors?.map(({ id }) => id)).toEqual(['invoices/invoice-2']);
    expect(marks).toEqual(errors);
    expect(refusedErrors({ ...ticked, failure: refused(target(2)) }).errors?.map(({ id }) => id)).toEqual(['']);
  });
});

describe('the choices with which a corrected batch was sent', () => {
  it('tick the invoices that its payments name, where nobody knows in which order they were sent', () => {
    expect(choicesIn({ batch, errors: [], references: [] }, context).ticked).toEqual(['invoice-2', 'invoice-3']);
  });
});
