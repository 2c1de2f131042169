import { batch, everyCapability, subscription, type ProviderDefinition } from '../definition.ts';
import { creditorRules, debtorRules } from '../parties.ts';
import * as words from '../wording/ca.ts';

/** EFT, in English and in French. */
export const caProviders: readonly ProviderDefinition[] = [
  {
    providerId: '281e8076-d394-44f8-a72c-c364e5b0e009',
    name: 'Tamarack Lake EFT',
    country: 'CA',
    languages: words.canadianLanguages,
    capabilities: everyCapability,
    behaviour: 'asks',
    localInstruments: ['eft'],
    maximumPaymentCount: 1000,
    rules: [
      subscription.required('additionalData.institutionNumber', words.institutionNumber),
      subscription.required('additionalData.transitNumber', words.transitNumber),
      subscription.required('additionalData.accountNumber', words.accountNumber),
      subscription.optional(
        'additionalData.tradeName',
        words.frenchText('Trade name', 'Nom commercial', words.both('Maple Trading', 'Érable Commerce'), 35),
      ),
      ...debtorRules(words.ca),
      ...creditorRules(words.ca),
      batch.required('additionalData.transactionCode', words.transactionCode),
    ],
  },
];
