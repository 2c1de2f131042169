import { batch, everyCapability, subscription, type ProviderDefinition } from '../definition.ts';
import { creditorRules, debtorRules } from '../parties.ts';
import { accountNumber, au, bsb, entryDescription, userNumber } from '../wording/au.ts';

/** Direct entry. */
export const auProviders: readonly ProviderDefinition[] = [
  {
    providerId: '392f9187-e4a5-4509-b83d-d475f6c1e00a',
    name: 'Wattlebird Direct Entry',
    country: 'AU',
    languages: ['en'],
    capabilities: everyCapability,
    behaviour: 'asks',
    localInstruments: ['direct-entry'],
    maximumPaymentCount: 500,
    rules: [
      subscription.required('additionalData.bsb', bsb),
      subscription.required('additionalData.accountNumber', accountNumber),
      subscription.required('additionalData.userNumber', userNumber),
      ...debtorRules(au),
      ...creditorRules(au),
      batch.required('additionalData.description', entryDescription),
    ],
  },
];
