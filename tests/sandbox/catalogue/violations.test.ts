import { describe, it, expect } from 'vitest';
import type { Provider } from '#contract/lookup.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { exampleBatch, fileFormat } from './exampleBatches.ts';

function provider(name: string): Provider {
  const found = catalogue.providersFor().find((each) => each.name === name);
  if (!found) throw new Error(`no provider ${name}`);
  return found;
}

const subscribing = (name: string, additionalData: object) =>
  catalogue
    .violations(catalogue.rulesOf(provider(name), 'Subscriptions'), { additionalData })
    .map(({ path, code }) => [path, code]);

const bacs = {
  serviceUserNumber: '654321',
  sortCode: '112233',
  accountNumber: '12345678',
  signatories: [{ jobTitle: 'Finance Director' }],
};
const ach = {
  businessType: 'llc',
  bank: { routingNumber: '123456780', accountNumber: '000123456789' },
  termsAccepted: true,
};

describe('a subscription’s additional data', () => {
  it('breaks no rule if it is valid', () => {
    expect(subscribing('Larkfield Bacs Bureau', bacs)).toEqual([]);
    expect(subscribing('Bluestem ACH Services', ach)).toEqual([]);
    expect(subscribing('ecospend', { bankIdentifier: 'obie-natwest-sandbox' })).toEqual([]);
  });

  it('is reported with what is missing, also within an absent group', () => {
    expect(subscribing('Larkfield Bacs Bureau', { ...bacs, sortCode: ' ', signatories: [] })).toEqual([
      ['additionalData.sortCode', 'Missing'],
      ['additionalData.signatories', 'Missing'],
      ['additionalData.signatories.jobTitle', 'Missing'],
    ]);
  });

  it('is reported with the rule’s own message and id', () => {
    const rules = catalogue.rulesOf(provider('Larkfield Bacs Bureau'), 'Subscriptions');
    expect(catalogue.violations(rules, { additionalData: { ...bacs, sortCode: '11-22-33' } })).toEqual([
      {
        path: 'additionalData.sortCode',
        code: 'RegexFailure',
        message: 'Sort code: enter six digits without dashes, such as 112233',
        ruleId: 'Subscriptions-additionalData-sortCode',
      },
    ]);
  });

  it('may not contain a Hidden value', () => {
    expect(subscribing('Larkfield Bacs Bureau', { ...bacs, bureauReference: 'x' })).toEqual([
      ['additionalData.bureauReference', 'NotAllowed'],
    ]);
  });

  it('is checked in every element of a group, which must be a list', () => {
    const signatories = [{ jobTitle: 'Finance Director' }, { jobTitle: '<b>' }, {}];
    expect(subscribing('Larkfield Bacs Bureau', { ...bacs, signatories })).toEqual([
      ['additionalData.signatories.jobTitle', 'RegexFailure'],
      ['additionalData.signatories.jobTitle', 'Missing'],
    ]);
    expect(subscribing('Larkfield Bacs Bureau', { ...bacs, signatories: bacs.signatories[0] })).toEqual([
      ['additionalData.signatories', 'RegexFailure'],
    ]);
  });

  it('must be the boolean true where the rule requires it, not its text and not false', () => {
    const path = 'additionalData.termsAccepted';
    expect(subscribing('Bluestem ACH Services', { ...ach, termsAccepted: false })).toEqual([[path, 'RegexFailure']]);
    expect(subscribing('Bluestem ACH Services', { ...ach, termsAccepted: 'true' })).toEqual([[path, 'RegexFailure']]);
  });

  it('must be one of the choices, without banks out of service', () => {
    expect(subscribing('ecospend', { bankIdentifier: 'obie-lloyds-sandbox' })).toEqual([
      ['additionalData.bankIdentifier', 'NotInEnumeration'],
    ]);
  });

  it.each([[{ nested: true }], [['112233']]])('must be a value and not %j where a value is required', (sortCode) => {
    expect(subscribing('Larkfield Bacs Bureau', { ...bacs, sortCode })).toEqual([
      ['additionalData.sortCode', 'RegexFailure'],
    ]);
  });

  it.each([null, 'text', 7, [], { additionalData: null }])('is missing altogether in the body %j', (body) => {
    const rules = catalogue.rulesOf(provider('ecospend'), 'Subscriptions');
    expect(catalogue.violations(rules, body).map(({ code }) => code)).toEqual(['Missing']);
  });
});

describe('a batch', () => {
  const format = fileFormat('Bacs Standard 18');
  const good = exampleBatch(format, [{}, {}, {}]);

  it('is reported with the payment that breaks a rule', () => {
    const batch = exampleBatch(format, [{}, { 'creditorAgent.identification': '99' }, { 'creditor.name': 'Jos"e' }]);
    expect(catalogue.batchViolations(undefined, format, batch)).toEqual([
      {
        target: 'payments.creditorAgent.identification',
        message: 'Sort code: enter six digits without dashes, such as 112233',
        code: 'RegexFailure',
        index: 1,
        sourceId: 'Detail1-1-6',
      },
      expect.objectContaining({ target: 'payments.creditor.name', code: 'RegexFailure', index: 2 }),
    ]);
  });

  it('is reported without a position if the batch itself lacks something', () => {
    const { userIdentification: _, ...batch } = good;
    const [violation, ...others] = catalogue.batchViolations(undefined, format, batch);
    expect(others).toEqual([]);
    expect(violation).toMatchObject({ target: 'userIdentification.name', code: 'Missing' });
    expect(violation).not.toHaveProperty('index');
  });

  it('must also follow the provider’s rules', () => {
    const bureau = provider('Larkfield Bacs Bureau');
    expect(
      catalogue.batchViolations(bureau, undefined, good).map(({ target, code, index }) => [target, code, index]),
    ).toEqual([
      ['additionalData.approvalReference', 'Missing', undefined],
      ['additionalData.purpose', 'Missing', undefined],
      ['payments.additionalData.purpose', 'Missing', 0],
      ['payments.additionalData.purpose', 'Missing', 1],
      ['payments.additionalData.purpose', 'Missing', 2],
    ]);
  });

  it('must be in the currency of the format, and above zero', () => {
    const batch = exampleBatch(format, [
      { 'instructedAmount.currency': 'EUR' },
      { 'instructedAmount.amount': '0.00' },
      { 'instructedAmount.amount': '1.005' },
    ]);
    expect(catalogue.batchViolations(undefined, format, batch).map(({ code, index }) => [code, index])).toEqual([
      ['NotInEnumeration', 0],
      ['RegexFailure', 1],
      ['RegexFailure', 2],
    ]);
  });
});

describe('a valid batch that does not fit its file', () => {
  const fr = fileFormat('Virements internationaux, 320 colonnes');

  it('is reported with a letter that the file cannot contain, at its payment (behaviour 5.13)', () => {
    const batch = exampleBatch(fr, [{ 'creditor.name': 'Straße 1' }, { 'creditor.name': 'A×B' }]);
    expect(catalogue.batchViolations(undefined, fr, batch)).toEqual([
      {
        target: 'payments.creditor.name',
        message:
          'Nom du bénéficiaire : saisissez au plus 35 lettres, chiffres et signes usuels (“×” U+00D7 cannot be used here)',
        code: 'RegexFailure',
        index: 1,
        sourceId: 'Detail1-46-80',
      },
    ]);
  });

  it('is reported with more than one currency', () => {
    const batch = exampleBatch(fr, [{}, { 'instructedAmount.currency': 'USD' }]);
    const messages = catalogue.batchViolations(undefined, fr, batch).map(({ message }) => message);
    expect(messages).toContain('payments: the file holds one currency, these are EUR, USD');
    expect(() => catalogue.writePaymentFile(fr, batch, new Date(0))).toThrow(/cannot hold this batch/);
  });

  it('is reported with too many decimals for its currency', () => {
    const batch = exampleBatch(fr, [{ 'instructedAmount.currency': 'JPY' }]);
    const messages = catalogue.batchViolations(undefined, fr, batch).map(({ message }) => message);
    expect(messages).toContain('Montant: JPY has no decimals, 120.50 has 2');
  });

  it('is reported with a total wider than its columns', () => {
    const aba = fileFormat('ABA direct entry');
    const batch = exampleBatch(aba, [
      { 'instructedAmount.amount': '99999999.99' },
      { 'instructedAmount.amount': '0.01' },
    ]);
    expect(catalogue.batchViolations(undefined, aba, batch).map(({ sourceId }) => sourceId)).toEqual([
      'Trailer1-21-30',
      'Trailer1-31-40',
    ]);
  });
});
