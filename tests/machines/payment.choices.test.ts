import { describe, expect, it } from 'vitest';
import { gateOf } from '#machines/lib/gate.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import {
  executionDate,
  paymentChoices,
  paymentMessages,
  pricedInvoices,
  reviewTotals,
  totalText,
} from '#machines/payment/payment.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { debtor, failure, invoiceOf } from '#tests/support/fixtures.ts';
import { rule } from '#tests/rules/support.ts';
import { material } from './payment.models.ts';
import { openPayment } from './payment.running.ts';

const open = (machine?: Parameters<typeof openPayment>[0], given = material, facts = everything) =>
  openPayment(machine, given, facts);

describe('the templates of payment files', () => {
  it('that could not be read are added to the unread facts', async () => {
    const facts = withFacts(everything, { unread: ['provider'] });
    const { context } = await open(filePaymentMachine, { ...material, formatsFailed: failure }, facts);
    expect(context().facts).toMatchObject({
      fileFormats: material.fileFormats.length,
      unread: ['provider', 'fileFormats'],
      unreadBecause: failure,
    });
  });

  it('are required for a file payment only', async () => {
    const { actor } = await open(filePaymentMachine, { ...material, fileFormats: [] });
    expect(gateOf(actor.getSnapshot())?.alert).toBe('noFileFormats');
    expect((await open(electronicPaymentMachine, { ...material, fileFormats: [] })).actor.getSnapshot().value).toEqual({
      choosing: { form: 'editing' },
    });
  });

  it('change only the number of file formats, and none for an electronic payment', async () => {
    const facts = withFacts(everything, { fileFormats: 7 });
    const { context } = await open(filePaymentMachine, material, facts);
    expect(context().facts).toEqual({ ...facts, fileFormats: material.fileFormats.length });
    expect((await open(electronicPaymentMachine, material, facts)).context().facts).toEqual(facts);
  });
});

describe('the debtor account of a payment', () => {
  it('stays chosen although a later read lacks it', async () => {
    const other = { ...debtor, debtorId: 'debtor-2' };
    const { send, answer, context } = await open(electronicPaymentMachine, { ...material, debtors: [debtor, other] });
    await send({ type: 'debtor.choose', debtorId: 'debtor-2' });
    await send({ type: 'invoices.ask', count: 100 });
    await answer('loadMaterial', { ...material, debtors: [debtor] });
    expect(context().debtorId).toBe('debtor-2');
  });

  it('is preselected only by filling in examples if there are several', async () => {
    const other = { ...debtor, debtorId: 'debtor-2' };
    const { send, context } = await open(electronicPaymentMachine, { ...material, debtors: [other, debtor] });
    expect(context().debtorId).toBe('');
    await send({ type: 'form.fill' });
    expect(context().debtorId).toBe('debtor-2');
  });
});

describe('the currency of an invoice without a currency', () => {
  const of = (debtorId: string, currency = '', providerCountry = 'GB') => {
    const choice = {
      invoices: [invoiceOf('invoice-1', '120.50', { currency: '' })],
      ticked: ['invoice-1'],
      debtors: [
        { ...debtor, debtorId: 'debtor-2', currency: 'EUR' },
        { ...debtor, currency },
      ],
      debtorId,
      facts: withFacts(everything, { settings: { providerCountry } }),
    };
    const [priced] = pricedInvoices(choice);
    expect(reviewTotals(choice)).toEqual([{ currency: priced?.currency, amount: priced?.amount }]);
    const text = `${priced?.amount} ${priced?.currency}`;
    expect(totalText(choice)).toBe(text.trim());
    return text;
  };

  it('is that of the chosen account, and empty before', () => {
    expect(of('', 'GBP')).toBe('120.50 ');
    expect(of(debtor.debtorId, 'GBP')).toBe('120.50 GBP');
    expect(of(debtor.debtorId, 'JPY', 'US')).toBe('120.50 JPY');
    expect(of('debtor-2', 'JPY')).toBe('120.50 EUR');
    // Not in ISO 4217: the number of decimals is unknown.
    for (const unknown of ['XJPY', 'JPYX']) expect(of(debtor.debtorId, unknown)).toBe(`120.50 ${unknown}`);
  });

  it('falls back to that of the provider’s country, or GBP if that is unknown', () => {
    expect(of(debtor.debtorId, '', 'US')).toBe('120.50 USD');
    expect(of(debtor.debtorId, '', 'XX')).toBe('120.50 GBP');
  });
});

describe('the execution date of a payment', () => {
  const chosen = async (date: string, given = material) => {
    const running = await open(electronicPaymentMachine, given);
    await running.send({ type: 'date.choose', date });
    await running.send({ type: 'form.submit' });
    return running;
  };
  const errorOf = ({ context }: Awaited<ReturnType<typeof chosen>>) =>
    context().errors.find(({ id }) => id === paymentChoices.date)?.message;

  it('is today by default', () => expect(executionDate({ date: null, today: '2026-11-20' })).toBe('2026-11-20'));

  it.each(['2026-11-20', '2026-11-21', '2027-02-28'])('is valid from today on: "%s"', async (date) =>
    expect(errorOf(await chosen(date))).toBeUndefined(),
  );

  it('is an error unless it is a date of the calendar (behaviour 9.4)', async () => {
    for (const date of ['', 'x2026-11-21', '2026-11-21x', '2026-13-45', '2027-02-29', '2027-04-31', 'tomorrow'])
      expect(errorOf(await chosen(date)), date).toBe(paymentMessages.noDate);
  });

  it('is an error in the past, with the first valid day', async () => {
    expect(errorOf(await chosen('2026-11-19'))).toBe(
      '2026-11-19 is in the past: the first day that can be chosen is 2026-11-20',
    );
  });

  it('follows the provider’s own rule', async () => {
    const bound = rule('BatchPayments', 'requestedExecutionDateTime', {
      regex: '^2026-',
      errorMessage: 'This year only',
    });
    const given = { ...material, rules: [...material.rules, bound] };
    expect(errorOf(await chosen('2026-12-31', given))).toBeUndefined();
    expect(errorOf(await chosen('2027-01-01', given))).toBe('This year only');
  });

  it('keeps its error when the form is filled with examples', async () => {
    const running = await chosen('2026-11-19');
    await running.send({ type: 'form.fill' });
    expect(running.context().errors.map(({ id }) => id)).toEqual([paymentChoices.date]);
  });
});

describe('an invoice in the currency of the chosen account', () => {
  const priced = (currency: string) => ({
    ...material,
    debtors: [{ ...debtor, currency }],
    invoices: [invoiceOf('whole', '10.00', { currency: '' }), invoiceOf('broken', '89.19', { currency: '' })],
  });

  it.each([
    ['HUF', '10.00 HUF', '89.19 HUF', ''],
    ['KWD', '10.00 KWD', '89.19 KWD', ''],
    ['CLF', '10.00 CLF', '89.19 CLF', ''],
    ['JPY', '10 JPY', '89.19 JPY', 'Invoice broken cannot be paid: JPY has no decimals, 89.19 has 2'],
    ['CLP', '10 CLP', '89.19 CLP', 'Invoice broken cannot be paid: CLP has no decimals, 89.19 has 2'],
    ['XAU', '10.00 XAU', '89.19 XAU', 'XAU is no currency of ISO 4217 for payments'],
    ['BGN', '10.00 BGN', '89.19 BGN', 'BGN is no currency of ISO 4217'],
  ])(
    'keeps its value, and is refused if it does not fit: %s (behaviour 9.12)',
    async (currency, whole, broken, error) => {
      const { send, context } = await open(electronicPaymentMachine, priced(currency));
      const texts = pricedInvoices(context()).map((invoice) => `${invoice.amount} ${invoice.currency}`);
      expect(texts).toEqual([whole, broken]);
      await send({ type: 'invoices.tick', ids: ['whole', 'broken'] });
      await send({ type: 'form.submit' });
      const messages = context().errors.flatMap(({ id, message }) => (id === paymentChoices.invoices ? message : []));
      expect(messages.join()).toContain(error);
      expect(messages).toHaveLength(error ? 1 : 0);
    },
  );

  it('is ticked with the examples only if it fits (behaviour 9.15)', async () => {
    const { send, context } = await open(electronicPaymentMachine, priced('JPY'));
    await send({ type: 'form.fill' });
    expect(context().ticked).toEqual(['whole']);
    expect(totalText(context())).toBe('10 JPY');
  });
});
