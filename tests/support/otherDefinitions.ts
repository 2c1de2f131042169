/**
 * Definitions as another service may have them: nulls and numbers in unusual places, unknown members, duplicate and
 * unreadable entries among valid ones, a hidden group. Each name describes its entry.
 */
const rule = (apiPath: string, jsonPath: string, more: object = {}) => ({
  future: { nested: [null] },
  validation: {
    optionality: 'Required',
    regex: null,
    example: null,
    enumeration: null,
    errorMessage: null,
    uiLabel: jsonPath,
    apiPath,
    jsonPath,
    ...more,
  },
  ruleId: `${apiPath} ${jsonPath}`,
  sourceValidation: null,
});

const provider = {
  clientID: null,
  logo: null,
  accountType: {
    validationRules: [
      null,
      rule('Creditors', 'creditor.postalAddress.countryCode', { example: 'GB' }),
      rule('Creditors', 'creditor.name', { example: 'Payee Ltd' }),
      rule('Creditors', 'creditor.postalAddress.addressLine1', { example: '1 High St' }),
      rule('Creditors', 'creditorAccount.identification', { example: '12345678', regex: '^\\d{8}$' }),
      rule('DebtorAccounts', 'currency', {
        example: 'GBP',
        enumeration: [{ value: 'GBP', description: null }, { value: 'GBP' }, null],
      }),
      rule('DebtorAccounts', 'debtorAccount.name', { example: 'Payer Ltd' }),
      rule('DebtorAccounts', 'debtorAgent.identification', { example: '112233' }),
      rule('DebtorAccounts', 'debtorAccount.identification', { example: '87654321' }),
      rule('Subscriptions', 'additionalData.level', {
        example: 2,
        enumeration: [
          { value: 1, description: 'One' },
          { value: 2, description: 'Two' },
        ],
      }),
      rule('Subscriptions', 'additionalData.owners', { fieldType: 'Array', optionality: 'Hidden' }),
      rule('Subscriptions', 'additionalData.owners.name', { example: 'Owner' }),
      rule('BatchPayments', 'payments.additionalData.purpose', { example: 'SUPP' }),
      { ruleId: 'without a place', validation: { apiPath: 'BatchPayments', optionality: 'Required' } },
    ],
    capabilities: [
      'SubscriptionRequired',
      'DebtorQueries',
      null,
      'CreditorQueries',
      'FutureCapability',
      'DebtorAccountRequired',
    ],
  },
  maximumPaymentCount: null,
  supportedLanguages: null,
  localInstruments: ['instrument', 'unknown'],
  country: ['GB', null],
  name: 'Other provider',
  providerId: 'other-provider',
};

const fileRules = [
  { type: 'Trailer', ruleId: 'constant', sourceValidation: null, destination: { destination: null } },
  {
    type: null,
    ruleId: 'name',
    sourceValidation: { jsonPath: 'userIdentification.name', optionality: 'Required', example: 'Clerk', regex: null },
    destination: null,
  },
  {
    ruleId: 'number',
    sourceValidation: {
      jsonPath: 'additionalData.userNumber',
      optionality: 'Required',
      example: 123456,
      uiLabel: null,
    },
  },
];

/** Lists by the last segment of their path below /v3/. */
export const definitions: Record<string, (Record<string, unknown> | null)[]> = {
  providers: [null, { providerId: 7, name: null }, provider, { ...provider, name: 'repeated' }],
  localinstruments: [{ localInstrumentId: 'instrument', validationRules: null }, {}],
  fileformats: [{ name: 'Other file', specification: { rules: fileRules }, fileFormatId: 'other-file' }, null],
  banks: [{ bank_id: 'other-bank', abilities: null, service_status: null, future: 1 }, { name: 'without an id' }],
};
