import { batch, everyCapability, subscription, type ProviderDefinition } from '../definition.ts';
import { creditorRules, debtorRules } from '../parties.ts';
import { englishText } from '../wording/country.ts';
import { accountNumber, entryClass, routingNumber, us } from '../wording/us.ts';

/** ACH; its authorise page must not be shown in a frame. */
export const usProviders: readonly ProviderDefinition[] = [
  {
    providerId: '170d7f65-c283-43e7-961b-b253d4afe008',
    name: 'Bluestem ACH Services',
    country: 'US',
    languages: ['en'],
    capabilities: everyCapability.filter((capability) => capability !== 'IFramePermitted'),
    behaviour: 'asks',
    localInstruments: ['ach'],
    maximumPaymentCount: 1000,
    rules: [
      subscription.required('additionalData.businessType', {
        uiLabel: 'Business type',
        description: 'Legal form of the company that pays',
        example: 'corporation',
        errorMessage: 'Business type: choose the legal form of the company',
        enumeration: [
          { value: 'corporation', description: 'Corporation' },
          { value: 'llc', description: 'Limited liability company' },
          { value: 'partnership', description: 'Partnership' },
          { value: 'sole', description: 'Sole proprietorship' },
        ],
      }),
      subscription.required('additionalData.bank.routingNumber', routingNumber),
      subscription.required('additionalData.bank.accountNumber', accountNumber),
      subscription.required('additionalData.termsAccepted', {
        uiLabel: 'Terms accepted',
        description: 'The company agrees to the rules for originating ACH credits',
        example: 'true',
        fieldType: 'Boolean',
        regex: '^true$',
        errorMessage: 'Terms accepted: tick the box to go on',
      }),
      subscription.optional('additionalData.doingBusinessAs', englishText('Doing business as', 'Prairie Trading', 35)),
      ...debtorRules(us),
      ...creditorRules(us),
      batch.required('additionalData.secCode', entryClass),
      batch.required('payments.additionalData.accountType', {
        uiLabel: 'Kind of the payee’s account',
        description: 'Checking or savings',
        example: 'checking',
        errorMessage: 'Kind of the payee’s account: choose checking or savings',
        enumeration: [
          { value: 'checking', description: 'Checking' },
          { value: 'savings', description: 'Savings' },
        ],
      }),
    ],
  },
];
