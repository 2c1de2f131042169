import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { creditorNotes, dateNote, proposedDay, reviewNotes } from '#machines/payment/notes.ts';
import { filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { executionDate, unsentBatch, type PaymentMaterial } from '#machines/payment/payment.ts';
import { creditor, debtor, fileFormat, invoiceOf } from '#tests/support/fixtures.ts';
import { material } from './payment.models.ts';
import { openPayment } from './payment.running.ts';

const sunday = 'Bacs does not process on Sunday 27 December. Its next day is Tuesday 29 December.';

const open = (given: Partial<PaymentMaterial>, machine?: typeof filePaymentMachine) =>
  openPayment(machine, { ...material, instrument: 'Bacs Direct Credit', ...given });

describe('The execution date of a payment', () => {
  it('is today also on a day without processing, of which the form speaks; the next day is proposed (behaviour 9.3, 9.16)', async () => {
    const { send, context } = await open({ today: '2026-12-27' });
    expect(executionDate(context())).toBe('2026-12-27');
    expect(dateNote(context())).toBe(sunday);
    expect(proposedDay(context())).toBe('2026-12-29');
    await send({ type: 'date.choose', date: '2026-12-29' });
    expect([dateNote(context()), proposedDay(context())]).toEqual(['', '']);
  });

  it('can be a day without processing, which the review names (behaviour 9.16)', async () => {
    const { send, answer, context, actor } = await open({ today: '2026-12-27' });
    await send({ type: 'form.fill' });
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().value).toMatchObject({ review: 'preparing' });
    await answer('prepare', { key: 'key-1', covered: [], shown: '' });
    expect(reviewNotes(context())).toEqual([sunday]);
  });

  it.each([
    ['Faster Payments', ''],
    ['', ''],
    ['BACS', sunday],
  ])('is on any day where the provider pays by "%s", except by a scheme (behaviour 9.16)', async (instrument, note) => {
    const { context } = await open({ instrument, today: '2026-12-27' });
    expect(dateNote(context())).toBe(note);
  });

  it('follows the scheme of the file format, not of the provider (behaviour 9.16)', async () => {
    const aba = { ...fileFormat, name: 'Bacs Standard 18' };
    const { send, context } = await open({ today: '2026-12-27', instrument: 'Faster Payments', fileFormats: [aba] }, filePaymentMachine); // prettier-ignore
    await send({ type: 'format.choose', fileFormatId: aba.fileFormatId });
    expect(dateNote(context())).toBe(sunday);
  });

  it('satisfies all schemes of invoices in several currencies (behaviour 9.16)', async () => {
    const invoices = [invoiceOf('i1', '1.00'), invoiceOf('i2', '1.00', { currency: 'EUR' })];
    const { send, context } = await open({ today: '2027-05-03', invoices });
    await send({ type: 'invoices.tick', ids: ['i1', 'i2'] });
    expect(dateNote(context())).toBe('Bacs does not process on Monday 3 May. Its next day is Tuesday 4 May.');
    await send({ type: 'date.choose', date: '2027-12-26' });
    expect(dateNote(context())).toContain('TARGET does not process on Sunday 26 December. Its next day is Monday 27 December.'); // prettier-ignore
    expect(proposedDay(context())).toBe('2027-12-29');
  });

  it('of a payment whose outcome is unknown is the one that was sent', async () => {
    const { send, answer, context } = await open({ today: '2026-12-29' });
    await send({ type: 'form.fill' });
    await send({ type: 'form.submit' });
    const first: BatchRequest = { externalId: 'key-1', ...unsentBatch({ ...context(), date: '2026-12-27' }) };
    await answer('prepare', { key: 'key-1', covered: [], shown: '', first });
    expect(reviewNotes(context())).toEqual([sunday]);
  });
});

describe('The address of a creditor', () => {
  const abroad = { ...creditor, creditorAddress1: '1, rue du Verger', creditorCountryCode: 'FR' };

  it.each([
    ['in euro', 'EUR', 'SEPA', creditor.creditorCountryCode],
    ['across borders', 'USD', 'CBPR+', 'FR'],
  ])(
    'is said to have no town of its own in a payment %s (behaviour 9.17)',
    async (reach, currency, scheme, country) => {
      const creditors = [{ ...abroad, creditorCountryCode: country }];
      const { send, context } = await open({ creditors, debtors: [debtor], invoices: [invoiceOf('i1', '1.00', { currency })] }); // prettier-ignore
      expect(creditorNotes(context())).toEqual([]);
      await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
      await send({ type: 'invoices.tick', ids: ['i1'] });
      expect(creditorNotes(context())).toEqual([
        `The address of ${creditor.creditorname} names no town apart from its lines. From 15 November 2026 on, a bank may refuse such an address in a payment ${reach} (${scheme}).`,
      ]);
    },
  );

  it('is not spoken of in a payment within the country, nor without an address', async () => {
    for (const [address, currency] of [
      [{ creditorCountryCode: 'GB' }, 'GBP'],
      [{ creditorAddress1: '', creditorAddress3: '', creditorCountrySubDivision: '', creditorCountryCode: '', creditorPostalCode: '' }, 'EUR'], // prettier-ignore
    ] as const) {
      const { send, context } = await open({ creditors: [{ ...creditor, ...address }], invoices: [invoiceOf('i1', '1.00', { currency })] }); // prettier-ignore
      await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
      await send({ type: 'invoices.tick', ids: ['i1'] });
      expect(creditorNotes(context())).toEqual([]);
    }
  });
});
