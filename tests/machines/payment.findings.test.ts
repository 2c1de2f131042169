import { describe, expect, it } from 'vitest';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { brokenText } from '#machines/payment/findings.ts';
import { payBlocked } from '#machines/payment/payment.ts';
import { rule } from '#tests/rules/support.ts';
import { fileFormat, invoiceOf, paid } from '#tests/support/fixtures.ts';
import { material as both } from './payment.models.ts';
import { material, openPayment, review } from './payment.running.ts';

const invoices = [invoiceOf('invoice-1', '1120.50'), invoiceOf('invoice-2', '8.00', { currency: 'USD' })];

describe('a reviewed value that breaks a rule', () => {
  const reference = 'payments.remittanceInformation.reference';
  const formatWith = (regex: string) => ({
    ...fileFormat,
    specification: { rules: [{ ruleId: 'r', sourceValidation: { jsonPath: reference, uiLabel: 'Reference', regex } }] },
  });

  async function reviewed(
    machine: typeof electronicPaymentMachine | typeof filePaymentMachine,
    regex: string,
    given: object = {},
  ) {
    const rules =
      machine === filePaymentMachine ? [] : [rule('BatchPayments', reference, { uiLabel: 'Reference', regex })];
    const running = await openPayment(machine, { ...both, invoices, rules, fileFormats: [formatWith(regex)] });
    if (machine === filePaymentMachine) await running.send({ type: 'format.choose', fileFormatId: 'format-1' });
    await review(running, ['invoice-1', 'invoice-2'], given);
    return { ...running, context: running.context(), may: () => running.now().can({ type: 'payment.pay' }) };
  }

  it.each([
    ['bank file', filePaymentMachine],
    ['electronic', electronicPaymentMachine],
  ])('keeps a payment from being sent, and the reason names it: %s (behaviour 10.9.5)', async (_, machine) => {
    const { context, may, send, actor } = await reviewed(machine, '1$');
    expect(may()).toBe(false);
    expect(payBlocked(context)).toBe('1 value breaks its rule: Reference of invoice-2. Go back and correct it');
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().matches({ review: 'ready' })).toBe(true);
    await send({ type: 'review.back' });
    expect(actor.getSnapshot().matches({ choosing: { form: 'editing' } })).toBe(true);
  });

  it.each([
    ['bank file', filePaymentMachine],
    ['electronic', electronicPaymentMachine],
  ])(
    'is not found if all values follow their rules, or if the rule’s pattern cannot be run: %s',
    async (_, machine) => {
      for (const regex of ['^invoice', String.raw`^(x)\1$`, '('])
        expect((await reviewed(machine, regex)).may()).toBe(true);
    },
  );

  it('does not keep a payment whose outcome is unknown from being resent as it was sent first (behaviour 10.9.5)', async () => {
    const first = { ...paid, externalId: 'key-1' };
    for (const machine of [electronicPaymentMachine, filePaymentMachine]) {
      const { context, may } = await reviewed(machine, '^x', { first });
      expect(context.broken).toEqual([]);
      expect(may()).toBe(true);
    }
  });

  it('that is absent is left to the service where the form does not ask for it', async () => {
    const rules = [rule('BatchPayments', 'payments.purpose.code', {})];
    const { context } = await review(await openPayment(electronicPaymentMachine, { ...both, invoices, rules }));
    expect(context().broken).toEqual([]);
  });

  it.each([
    ['of another request', rule('Creditors', reference, { uiLabel: 'Reference', regex: '^x' })],
    ['that is only a text', { ruleId: 'text', text: 'Pay before noon.' }],
  ])('is not found by a rule %s', async (_, other) => {
    const { now } = await review(await openPayment(electronicPaymentMachine, { ...both, invoices, rules: [other] }));
    expect(now()).toMatchObject({ value: { review: 'ready' }, context: { broken: [] } });
  });
});

describe('the reason why values that break rules keep a payment from being sent', () => {
  const values = (...labels: string[]) =>
    labels.map((label) => ({
      label,
      message: `${label}: enter it`,
      reference: label === 'Purpose' ? '' : 'invoice-1',
    }));

  it.each([
    [[], ''],
    [['Purpose'], '1 value breaks its rule: Purpose. Go back and correct it'],
    [['Purpose', 'City'], '2 values break their rules: Purpose, City of invoice-1. Go back and correct them'],
    [['City', 'City'], '2 values break their rules: City of invoice-1. Go back and correct them'],
    [
      ['Purpose', 'City', 'Street'],
      '3 values break their rules: Purpose, City of invoice-1, Street of invoice-1. Go back and correct them',
    ],
    [
      ['Purpose', 'City', 'Street', 'Name', 'IBAN'],
      '5 values break their rules: Purpose, City of invoice-1, Street of invoice-1 and 2 more. Go back and correct them',
    ],
  ])('names each once, at most three: %j (behaviour 10.9.5)', (labels, text) => {
    expect(brokenText(values(...labels))).toBe(text);
  });
});

describe('the preview of a bank file', () => {
  const dated = {
    ...fileFormat,
    specification: {
      rules: [
        {
          ruleId: 'created',
          type: 'Header',
          destination: { destination: '1-24' },
          content: { created: true },
        },
      ],
    },
  };

  it.each([
    ['the time at which its review was opened', '2026-11-20T08:30:00.000Z'],
    ['the start of the day if that is not told', undefined],
  ])('is made at %s', async (_, openedAt) => {
    const running = await openPayment(filePaymentMachine, { ...material, rules: [], fileFormats: [dated] });
    await running.send({ type: 'format.choose', fileFormatId: 'format-1' });
    await review(running, ['invoice-1'], { openedAt });
    const { preview } = running.context();
    expect(preview?.lines[0]?.text).toBe(openedAt ?? '2026-11-20T00:00:00.000Z');
  });
});
