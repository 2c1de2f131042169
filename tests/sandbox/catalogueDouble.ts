import type { Provider, Rule } from '#contract/lookup.ts';
import type { Behaviour, Catalogue, Violation } from '#server/sandbox/catalogue/types.ts';

const rule = (apiPath: string, jsonPath: string, regex: string): Rule => ({
  ruleId: `${apiPath}-rule`,
  validation: { apiPath, jsonPath, regex, errorMessage: `${jsonPath} is not valid` },
});

const rules = [
  rule('Subscriptions', 'additionalData.account', '^\\d{8}$'),
  rule('DebtorAccounts', 'debtorAccount.identification', '^\\d{8}$'),
  rule('Creditors', 'creditorAccount.identification', '^\\d{8}$'),
];

const everything = ['SubscriptionRequired', 'DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries'];

const provider = (name: string, capabilities = everything): Provider => ({
  providerId: `provider-${name}`,
  name,
  country: ['GB'],
  accountType: { capabilities, validationRules: rules },
  maximumPaymentCount: 3,
});

const providers = [
  provider('asks'),
  provider('rejects'),
  provider('pends'),
  provider('authorises'),
  provider('plain', []),
];
const quiet = provider('authorises-quiet', ['SubscriptionRequired']);
const all = [...providers, quiet];

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], body);

/** Minimal definitions for tests of the protocol: each provider's name says how it behaves. */
export const catalogueDouble: Catalogue = {
  providersFor: (country, language) =>
    language === 'xx' ? [] : all.filter((each) => country === undefined || each.country.includes(country)),
  providerById: (providerId) => all.find((each) => each.providerId === providerId),
  behaviourOf: (providerId) => providerId.split('-')[1] as Behaviour, // by the double's own ids
  localInstruments: () => [{ localInstrumentId: 'bacs', name: 'Bacs', validationRules: [] }],
  fileFormatsFor: () => [{ fileFormatId: 'lines', name: 'Lines', specification: { rules: [] } }],
  fileFormatById: (id) =>
    id === 'lines' ? { fileFormatId: 'lines', name: 'Lines', specification: { rules: [] } } : undefined,
  banks: { data: [], meta: { total_count: 9, total_pages: 1, current_page: 1 } },
  translation: (key, language) => (key === 'known' ? `known in ${language}` : undefined),
  rulesOf: (each, apiPath) => each.accountType.validationRules.filter((r) => r.validation?.apiPath === apiPath),
  violations: (broken, body) =>
    broken.flatMap(({ ruleId, validation }): Violation[] => {
      const { jsonPath: path = '', regex = '', errorMessage: message = '' } = validation ?? {};
      return new RegExp(regex).test(String(valueAt(body, path)))
        ? []
        : [{ path, message, code: 'RegexFailure', ruleId }];
    }),
  overflows: () => [],
  batchViolations: (_provider, _format, batch) =>
    batch.payments.flatMap(({ remittanceInformation }, index) =>
      remittanceInformation?.reference === '"'
        ? [
            {
              target: 'payments.remittanceInformation.reference',
              message: 'no quotes',
              code: 'RegexFailure',
              index,
              sourceId: 'reference-rule',
            } as const,
          ]
        : [],
    ),
  writePaymentFile: (_format, batch, createdAt) =>
    [createdAt.toISOString(), ...batch.payments.map(({ instructedAmount }) => instructedAmount.amount)].join('\n'),
};
