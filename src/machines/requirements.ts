import type { AlertId } from '#contract/alerts.ts';
import { isAuthorised, isBatchEnd, isSubscriptionEnd } from '#contract/status.ts';
import type { Facts, Unread } from '#contract/facts.ts';
import type { Provider } from '#contract/lookup.ts';
import {
  absent,
  bankStands,
  count,
  companyLost,
  inLocale,
  isOrganisationLost,
  isOwnerLost,
  known,
  organisationLost,
  providerStands,
  subscriptionStands,
} from './requirementText.ts';

/**
 * Something that a journey provides and others may require. With an `alert` it can be a gate (behaviour, section 6).
 */
export interface Requirement {
  isMet: (facts: Facts) => boolean;
  /** Whether the providing journey counts as done, if that differs from `met`. */
  done?: (facts: Facts) => boolean;
  /** The current state in words for the user. */
  statusText: (facts: Facts) => string;
  alert?: AlertId;
  /** The data of the service that must be read to decide it. */
  reads?: Unread;
  /** Set if it depends on the subscription, so that another subscription may meet it. */
  ofSubscription?: true;
}

/** Whether the service knows the company, and the records that were made for it can be used. */
const isUsable = ({ lost }: Facts): boolean => !isOwnerLost(lost);

/** A capability of the provider. In words: the provider's name if it has it, otherwise what it lacks. */
const capability = (name: string) => ({
  isMet: ({ provider }: Facts): boolean => provider?.capabilities.includes(name) ?? false,
  statusText: (facts: Facts): string =>
    facts.provider
      ? `Provider ${facts.provider.name} ${facts.provider.capabilities.includes(name) ? 'offers' : 'does not offer'} ${name}`
      : providerStands(facts),
  reads: 'provider' as const,
  ofSubscription: true as const,
});

/** Whether a provider can be subscribed to (behaviour, section 4). */
export const takesSubscriptions = ({ accountType }: Pick<Provider, 'accountType'>): boolean =>
  accountType.capabilities?.includes('SubscriptionRequired') ?? false;

/** Number of subscriptions that are stored here, whatever the service says of them. */
const subscriptionCount = ({ subscription, alternatives, settings }: Facts): number =>
  Math.max((subscription ? 1 : 0) + alternatives.length, settings.subscriptions === '[]' ? 0 : 1);

/** Whether a stored subscription, the current one or another one, has not ended. */
export const hasLiveSubscription = ({ subscription, alternatives }: Facts): boolean =>
  [subscription, ...alternatives.map((each) => each.subscription)].some(
    (each) => each !== null && !isSubscriptionEnd(each.status),
  );

const authorised = ({ subscription }: Facts): boolean => isAuthorised(subscription?.status ?? '');

export const requirements = {
  settings: {
    isMet: ({ settings }) => settings.providerCountry !== '' && settings.fileFormatCountry !== '',
    statusText: ({ settings }) =>
      `Provider country ${settings.providerCountry || 'not chosen'}, file format country ${settings.fileFormatCountry || 'not chosen'}`,
  },
  organisation: {
    isMet: ({ settings, lost }) => settings.organisationId !== '' && !isOrganisationLost(lost),
    statusText: (facts) => known('Organisation', facts.settings.organisationId) + organisationLost(facts),
    alert: 'noOrganisation',
  },
  company: {
    isMet: ({ settings, lost }) => settings.companyId !== '' && !isOwnerLost(lost),
    statusText: (facts) => known('Company', facts.settings.companyId) + companyLost(facts),
    alert: 'noCompany',
  },
  accessToken: {
    isMet: ({ accessToken }) => accessToken,
    statusText: ({ accessToken }) => (accessToken ? 'Access token obtained' : absent('access token')),
  },
  userToken: {
    isMet: ({ userToken }) => userToken,
    // An expired token counts as done if every record that requires it already exists.
    done: ({ userToken, settings }) =>
      userToken || (settings.userJwt !== '' && settings.accountId !== '' && settings.dataSetId !== ''),
    statusText: ({ userToken, settings }) =>
      userToken ? 'User token stored' : settings.userJwt ? 'The user token has expired' : absent('user token'),
    alert: 'noUserToken',
  },
  account: {
    isMet: ({ settings }) => settings.accountId !== '',
    done: (facts) => facts.settings.accountId !== '' && isUsable(facts),
    statusText: ({ settings }) => known('Account', settings.accountId),
    alert: 'noAccount',
  },
  dataset: {
    isMet: ({ settings }) => settings.dataSetId !== '',
    done: (facts) => facts.settings.dataSetId !== '' && isUsable(facts),
    statusText: ({ settings }) => known('Data set', settings.dataSetId),
  },
  subscription: {
    isMet: ({ subscription }) => subscription !== null,
    // One that the provider has rejected is to be replaced.
    done: (facts) => facts.subscription !== null && hasLiveSubscription(facts),
    statusText: subscriptionStands,
    reads: 'subscription',
  },
  /** Any subscription to list, the current one or another one; the catalogue's text begins with its lack. */
  anySubscription: {
    isMet: (facts) => subscriptionCount(facts) > 0,
    statusText: (facts) => count(subscriptionCount(facts), 'subscription'),
    alert: 'noUsableSubscription',
  },
  authorisedSubscription: {
    isMet: authorised,
    statusText: subscriptionStands,
    alert: 'notAuthorised',
    reads: 'subscription',
    ofSubscription: true,
  },
  usableSubscription: {
    isMet: (facts) => authorised(facts) && facts.subscription?.suspendedByConsumer === false,
    statusText: subscriptionStands,
    alert: 'noUsableSubscription',
    reads: 'subscription',
    ofSubscription: true,
  },
  providers: {
    isMet: ({ providers }) => providers > 0,
    statusText: (facts) =>
      inLocale(facts.providers, 'provider', facts.settings.providerCountry, facts.providerLanguages, facts),
    alert: 'noProviders',
    reads: 'providers',
  },
  bankProvider: {
    isMet: ({ bankProvider }) => bankProvider,
    statusText: bankStands,
    alert: 'noProviders',
    reads: 'providers',
  },
  provider: {
    isMet: ({ provider }) => provider !== null,
    statusText: providerStands,
    alert: 'noProviders',
    reads: 'provider',
    ofSubscription: true,
  },
  debtorSupport: { ...capability('DebtorAccountRequired'), alert: 'noDebtorSupport' },
  creditorSupport: { ...capability('DebtorAccountRequired'), alert: 'noCreditorSupport' },
  debtorQueries: { ...capability('DebtorQueries'), alert: 'noDebtorSupport' },
  creditorQueries: { ...capability('CreditorQueries'), alert: 'noCreditorSupport' },
  debtors: {
    isMet: ({ debtors }) => debtors > 0,
    done: ({ debtors, lost }) => debtors > 0 && lost === '',
    statusText: ({ debtors }) => count(debtors, 'debtor'),
    alert: 'noDebtors',
    ofSubscription: true,
  },
  creditors: {
    isMet: ({ creditors }) => creditors > 0,
    done: ({ creditors, lost }) => creditors > 0 && lost === '',
    statusText: ({ creditors }) => count(creditors, 'creditor'),
    alert: 'noCreditors',
    ofSubscription: true,
  },
  fileFormats: {
    isMet: ({ fileFormats }) => fileFormats > 0,
    statusText: (facts) =>
      inLocale(
        facts.fileFormats,
        'bank file template',
        facts.settings.fileFormatCountry,
        facts.fileFormatLanguages,
        facts,
      ),
    alert: 'noFileFormats',
    reads: 'fileFormats',
  },
  batches: {
    isMet: ({ batches }) => batches > 0,
    done: (facts) => facts.batches > 0 && isUsable(facts),
    statusText: ({ batches }) => count(batches, 'batch', 'batches'),
    alert: 'noBatches',
  },
  /** Anything to list as a payment: a batch, or a payment whose outcome is unknown. */
  anyPayment: {
    isMet: ({ batches, pendingPayments }) => batches + pendingPayments.length > 0,
    statusText: ({ batches }) => count(batches, 'batch', 'batches'),
    alert: 'noBatches',
  },
  batchEnd: {
    isMet: ({ batchStatus }) => isBatchEnd(batchStatus),
    done: (facts) => isBatchEnd(facts.batchStatus) && isUsable(facts),
    statusText: ({ settings, batchStatus }) =>
      batchStatus ? `Batch ${settings.batchId} is ${batchStatus}` : absent('batches'),
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;

/** The requirement with this id, including its optional members. */
export const requirement = (id: RequirementId): Requirement => requirements[id];
