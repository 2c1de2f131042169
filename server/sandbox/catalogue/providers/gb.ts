import { sampleBanks } from '#contract/banks.ts';
import { batch, everyCapability, subscription, type ProviderDefinition, type Wording } from '../definition.ts';
import { creditorRules, debtorRules } from '../parties.ts';
import { englishText } from '../wording/country.ts';
import { accountNumber, gb, serviceUserNumber, sortCode } from '../wording/gb.ts';

const purpose: Wording = {
  uiLabel: 'Purpose',
  description: 'What the payments are for',
  example: 'SUPP',
  errorMessage: 'Purpose: choose what the payments are for',
  enumeration: [
    { value: 'SUPP', description: 'Suppliers' },
    { value: 'SALA', description: 'Salaries' },
    { value: 'EXPN', description: 'Expenses' },
  ],
};

/** Open banking: the user chooses a bank and approves there (behaviour, sections 2 and 9). */
const ecospend: ProviderDefinition = {
  providerId: 'a4f9c2de-5c0b-4d0e-9a53-1f7d0a6be001',
  name: 'ecospend',
  country: 'GB',
  languages: ['en'],
  capabilities: everyCapability,
  behaviour: 'asks',
  localInstruments: ['faster-payments'],
  maximumPaymentCount: 100,
  rules: [
    subscription.required('additionalData.bankIdentifier', {
      uiLabel: 'Bank',
      description: 'The bank that holds the paying account',
      example: 'obie-natwest-sandbox',
      regex: '^[a-z0-9-]{3,64}$',
      errorMessage: 'Bank: choose a bank that is available',
      enumeration: sampleBanks.data
        .filter(({ service_status }) => service_status)
        .map(({ bank_id, friendly_name }) => ({ value: bank_id, description: friendly_name })),
    }),
  ],
};

const larkfield: ProviderDefinition = {
  providerId: 'b7d1e5a8-2f64-4c1b-8e0d-3a9c5d7fe002',
  name: 'Larkfield Bacs Bureau',
  country: 'GB',
  languages: ['en'],
  capabilities: everyCapability,
  behaviour: 'asks',
  localInstruments: ['bacs', 'faster-payments'],
  maximumPaymentCount: 2000,
  rules: [
    subscription.required('additionalData.serviceUserNumber', serviceUserNumber),
    subscription.required('additionalData.sortCode', sortCode),
    subscription.required('additionalData.accountNumber', accountNumber),
    subscription.required('additionalData.signatories', {
      uiLabel: 'Signatories',
      description: 'Who may sign for the account',
      fieldType: 'Array',
      errorMessage: 'Signatories: name who may sign for the account',
    }),
    subscription.required('additionalData.signatories.jobTitle', englishText('Signatory', 'Finance Director', 40)),
    subscription.optional('additionalData.signatories.email', {
      uiLabel: 'E-mail of the signatory',
      description: 'Where approvals are asked for',
      example: 'finance.director@example.com',
      regex: String.raw`^[^@\s]{1,64}@[^@\s]{1,190}$`,
      errorMessage: 'E-mail of the signatory: enter an address such as finance.director@example.com',
    }),
    subscription.optional('additionalData.paperStatements', {
      uiLabel: 'Paper statements',
      description: 'Send a statement of each batch by post',
      fieldType: 'Boolean',
    }),
    subscription.hidden('additionalData.bureauReference', { uiLabel: 'Bureau reference' }),
    ...debtorRules(gb),
    ...creditorRules(gb),
    batch.required('additionalData.approvalReference', englishText('Approval reference', 'RUN-001', 12)),
    batch.required('additionalData.purpose', purpose),
    batch.required('payments.additionalData.purpose', purpose),
    batch.optional('additionalData.notes', englishText('Notes', 'Monthly run', 80)),
    batch.hidden('payments.additionalData.bureauCode', { uiLabel: 'Bureau code' }),
  ],
};

export const gbProviders: readonly ProviderDefinition[] = [ecospend, larkfield];
