import { describe, expect, it } from 'vitest';
import { batchRequestSchema } from '#contract/payment.ts';
import { ibanFlaw } from '#contract/iban.ts';
import { shapes } from '#contract/shapes.ts';
import { checkForm } from '#rules/check.ts';
import { partyForm, validationOf } from '#rules/field.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { executionDate } from '#tests/support/executionDate.ts';

/** Examples of the registry. */
const right = [
  'GB29NWBK60161331926819',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'BR1800360305000010009795493C1',
  'FR7630006000011234567890189',
];
const wrong = [
  ...right.map((iban) => `${iban.slice(0, 2)}${(Number(iban.slice(2, 4)) % 97) + 2}${iban.slice(4)}`),
  ...right.map((iban) => `${iban.slice(0, -1)}${iban.endsWith('0') ? '1' : '0'}`),
  'FR7612345678901234567890123',
  'GB00NWBK60161331926819',
  'gb29 nwbk 6016 1331 9268 91',
  'DE98370400440532013000',
];

describe('The check digits of an IBAN', () => {
  it.each(right)('are right: %s', (iban) => {
    expect([ibanFlaw(iban), ibanFlaw(iban.toLowerCase()), ibanFlaw(iban.replace(/(.{4})/g, '$1 '))]).toEqual([
      '',
      '',
      '',
    ]);
  });

  it.each(wrong)('are wrong: %s', (iban) => expect(ibanFlaw(iban)).toContain('do not fit the IBAN'));

  it.each(['', '12345678', '112233', 'R12345', '000123456789', 'AB1', '12345678901234567'])(
    'are not looked for in another account number: %j',
    (number) => expect(ibanFlaw(number)).toBe(''),
  );

  it.each(wrong)('are checked in a batch, a put and a form: %s (behaviour 5.16)', (identification) => {
    const account = { identification };
    const batch = (more: object) => ({
      externalId: 'e',
      subscriptionId: 's',
      requestedExecutionDateTime: executionDate,
      payments: [{ instructedAmount: { amount: '1', currency: 'GBP' }, creditor: { name: 'n' }, ...more }],
    });
    for (const [path, body] of [
      ['debtorAccount', { ...batch({}), debtorAccount: account }],
      ['payments.0.debtorAccount', batch({ debtorAccount: account })],
      ['payments.0.creditorAccount', batch({ creditorAccount: account })],
    ] as const)
      expect(batchRequestSchema.safeParse(body).error?.issues).toMatchObject([
        {
          path: `${path}.identification`.split('.').map((part) => (part === '0' ? 0 : part)),
          message: ibanFlaw(identification),
        },
      ]);
    const id = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';
    const puts = { debtorId: id, creditorId: id, subscriptionId: 's' };
    expect(shapes.putDebtor.body.safeParse({ data: { ...puts, debtorAccount: account } }).success).toBe(false);
    expect(shapes.putCreditor.body.safeParse({ data: { ...puts, creditorAccount: account } }).success).toBe(false);
    const jsonPath = 'creditorAccount.identification';
    const form = partyForm([{ ruleId: 'r', validation: { apiPath: 'Creditors', jsonPath } }], 'Creditors');
    expect(checkForm(form, { [jsonPath]: identification })[0]?.message).toContain('do not fit the IBAN');
  });

  it('are right in the examples of the sandbox', () => {
    const formats = catalogue.fileFormatsFor().flatMap(({ specification }) => specification.rules);
    const providers = catalogue.providersFor().flatMap(({ accountType }) => accountType.validationRules);
    const examples = [...formats, ...providers].flatMap((rule) => validationOf(rule)?.example ?? []);
    expect(examples.filter((example) => /^[A-Z]{2}\d{2}/.test(example)).length).toBeGreaterThan(0);
    expect(examples.filter((example) => ibanFlaw(example) !== '')).toEqual([]);
  });
});
