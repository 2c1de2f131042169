import type { AlertId } from '#contract/alerts.ts';
import { bankProviderName, batchEndStatuses } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';

/** Something that a journey provides and another may require. With an `alert` it can be a gate (spec, section 6). */
export interface Requirement {
  met: (facts: Facts) => boolean;
  /** Where that stands now, in words for the user. */
  stands: (facts: Facts) => string;
  alert?: AlertId;
}

const known = (what: string, id: string): string => (id ? `${what} ${id}` : `No ${what.toLowerCase()} yet`);

const count = (many: number, one: string, more = `${one}s`): string =>
  many === 0 ? `No ${more} yet` : `${many} ${many === 1 ? one : more}`;

const subscriptionStands = ({ subscription }: Facts): string => {
  if (!subscription) return 'No subscription is selected';
  const suspended = subscription.suspendedByConsumer ? ' and suspended by you' : '';
  return `Subscription ${subscription.subscriptionId} is ${subscription.status}${suspended}`;
};

const forLocale = ({ providerCountry, acceptLanguage }: Facts['settings']): string =>
  `for country ${providerCountry || 'not chosen'} and language ${acceptLanguage || 'none'}`;

const providerStands = ({ provider, settings }: Facts): string =>
  provider
    ? `Provider ${provider.name}: ${provider.capabilities.join(', ') || 'no capabilities'}`
    : `The subscription's provider is not among those ${forLocale(settings)}`;

const capable =
  (capability: string) =>
  ({ provider }: Facts): boolean =>
    provider?.capabilities.includes(capability) ?? false;

const authorised = ({ subscription }: Facts): boolean => subscription?.status === 'Authorised';

export const requirements = {
  settings: {
    met: ({ settings }) => settings.providerCountry !== '' && settings.fileFormatCountry !== '',
    stands: ({ settings }) =>
      `Provider country ${settings.providerCountry || 'not chosen'}, file format country ${settings.fileFormatCountry || 'not chosen'}`,
  },
  organisation: {
    met: ({ settings }) => settings.organisationId !== '',
    stands: ({ settings }) => known('Organisation', settings.organisationId),
    alert: 'noOrganisation',
  },
  company: {
    met: ({ settings }) => settings.companyId !== '',
    stands: ({ settings }) => known('Company', settings.companyId),
    alert: 'noCompany',
  },
  accessToken: {
    met: ({ accessToken }) => accessToken,
    stands: ({ accessToken }) => (accessToken ? 'Access token obtained' : 'No access token yet'),
  },
  userToken: {
    met: ({ userToken }) => userToken,
    stands: ({ userToken }) => (userToken ? 'User token stored' : 'No user token, or it has expired'),
    alert: 'noUserToken',
  },
  account: {
    met: ({ settings }) => settings.accountId !== '',
    stands: ({ settings }) => known('Account', settings.accountId),
    alert: 'noAccount',
  },
  dataset: {
    met: ({ settings }) => settings.dataSetId !== '',
    stands: ({ settings }) => known('Data set', settings.dataSetId),
  },
  subscription: { met: ({ subscription }) => subscription !== null, stands: subscriptionStands },
  authorisedSubscription: { met: authorised, stands: subscriptionStands, alert: 'notAuthorised' },
  usableSubscription: {
    met: (facts) => authorised(facts) && facts.subscription?.suspendedByConsumer === false,
    stands: subscriptionStands,
    alert: 'noUsableSubscription',
  },
  providers: {
    met: ({ providers }) => providers > 0,
    stands: ({ providers, settings }) => `${count(providers, 'provider')} ${forLocale(settings)}`,
    alert: 'noProviders',
  },
  bankProvider: {
    met: ({ bankProvider }) => bankProvider,
    stands: ({ bankProvider, settings }) =>
      `${bankProviderName} is ${bankProvider ? '' : 'not '}among the providers ${forLocale(settings)}`,
    alert: 'noProviders',
  },
  provider: { met: ({ provider }) => provider !== null, stands: providerStands, alert: 'noProviders' },
  debtorSupport: { met: capable('DebtorAccountRequired'), stands: providerStands, alert: 'noDebtorSupport' },
  creditorSupport: { met: capable('DebtorAccountRequired'), stands: providerStands, alert: 'noCreditorSupport' },
  debtorQueries: { met: capable('DebtorQueries'), stands: providerStands, alert: 'noDebtorSupport' },
  creditorQueries: { met: capable('CreditorQueries'), stands: providerStands, alert: 'noCreditorSupport' },
  debtors: { met: ({ debtors }) => debtors > 0, stands: ({ debtors }) => count(debtors, 'debtor'), alert: 'noDebtors' },
  creditors: {
    met: ({ creditors }) => creditors > 0,
    stands: ({ creditors }) => count(creditors, 'creditor'),
    alert: 'noCreditors',
  },
  fileFormats: {
    met: ({ fileFormats }) => fileFormats > 0,
    stands: ({ fileFormats, settings }) =>
      `${count(fileFormats, 'bank file template')} for country ${settings.fileFormatCountry || 'not chosen'} and language ${settings.acceptLanguage || 'none'}`,
    alert: 'noFileFormats',
  },
  batches: {
    met: ({ batches }) => batches > 0,
    stands: ({ batches }) => count(batches, 'posted batch', 'posted batches'),
    alert: 'noBatches',
  },
  batchEnd: {
    met: ({ batchStatus }) => batchEndStatuses.includes(batchStatus),
    stands: ({ settings, batchStatus }) =>
      batchStatus ? `Batch ${settings.batchId} is ${batchStatus}` : 'No batch yet',
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;

/** The requirement by its id, with the members that only some declare. */
export const requirement = (id: RequirementId): Requirement => requirements[id];
