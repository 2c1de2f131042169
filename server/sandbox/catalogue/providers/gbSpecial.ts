import { batch, creditor, subscription, type ProviderDefinition } from '../definition.ts';
import { creditorRules, debtorRules } from '../parties.ts';
import { accountNumber, gb, sortCode } from '../wording/gb.ts';

type Special = Pick<ProviderDefinition, 'providerId' | 'name' | 'capabilities'> & Partial<ProviderDefinition>;

/** The currencies of cheques, which are not those of the account alone. */
const cheques = {
  ...gb.currency,
  description: 'Currency of the cheque',
  errorMessage: 'Currency: GBP or EUR is possible here',
  enumeration: [...(gb.currency.enumeration ?? []), { value: 'EUR', description: 'Euro' }],
};

/** A provider that differs from a plain one in a single respect, which its name describes. */
const special = (particulars: Special): ProviderDefinition => ({
  country: 'GB',
  languages: ['en'],
  behaviour: 'authorises',
  localInstruments: ['bacs'],
  maximumPaymentCount: 500,
  rules: [
    subscription.required('additionalData.sortCode', sortCode),
    subscription.required('additionalData.accountNumber', accountNumber),
    ...debtorRules(gb),
    ...creditorRules(gb),
  ],
  ...particulars,
});

/** Providers for the checks and outcomes that the other providers do not cover, one for each. */
export const specialProviders: readonly ProviderDefinition[] = [
  special({
    providerId: 'c2a84f10-7b3d-4e92-b1c6-6d0e8f5ae003',
    name: 'Cobblewick Bank Files (no subscriptions)',
    capabilities: ['DebtorAccountRequired'],
  }),
  special({
    providerId: 'd5c93b21-8e4f-4fa3-92d7-7e1f906be004',
    name: 'Nettlebrook Payments (rejects)',
    capabilities: ['SubscriptionRequired', 'IFramePermitted', 'DebtorAccountRequired'],
    behaviour: 'rejects',
  }),
  special({
    providerId: 'e8da4c32-9f50-40b4-a3e8-8f20a17ce005',
    name: 'Marrowby Clearing (stays pending)',
    capabilities: ['SubscriptionRequired', 'IFramePermitted', 'DebtorAccountRequired'],
    behaviour: 'pends',
  }),
  special({
    providerId: 'f1eb5d43-a061-41c5-b4f9-9031b28de006',
    name: 'Pippinhay Direct (no debtor accounts)',
    capabilities: ['SubscriptionRequired', 'IFramePermitted'],
  }),
  special({
    providerId: '04fc6e54-b172-42d6-850a-a142c39ee007',
    name: 'Quillmere Cheques (no queries)',
    capabilities: ['SubscriptionRequired', 'DebtorAccountRequired'],
    localInstruments: ['cheque'],
    rules: [
      subscription.required('additionalData.sortCode', sortCode),
      subscription.required('additionalData.accountNumber', accountNumber),
      ...debtorRules(gb),
      creditor.required('creditor.name', gb.payeeName),
      // Its own rule takes precedence of that of the cheque.
      batch.required('payments.instructedAmount.currency', cheques),
    ],
  }),
];
