import { bankProviderName } from '#contract/constants.ts';
import type { FileFormat, Provider } from '#contract/lookup.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { Alternative, Facts, Unread } from '#contract/facts.ts';
import type { CompanyContext } from './companyContext.ts';
import { Failure } from '#server/failure.ts';
import { refreshSubscription } from './refresh.ts';
import { creditors, debtors, subscriptions } from './records.ts';
import { isOwnerRefusal, missingOwner } from './missingUpstream.ts';
import { createTolerantReader } from './tolerantRead.ts';

/** Maximum number of other subscriptions listed (the latest ones), and of their providers read from the service. */
export const maximumAlternatives = 50;
const maximumProviders = 10;

type SubscriptionOverview = Pick<
  Facts,
  | 'lost'
  | 'providers'
  | 'providerLanguages'
  | 'bankProvider'
  | 'bankProviderAt'
  | 'provider'
  | 'subscription'
  | 'alternatives'
  | 'fileFormats'
  | 'fileFormatLanguages'
  | 'unread'
  | 'unreadBecause'
>;

/** Returns the languages of definitions; '' if a definition declares none. */
const languagesOf = (found: readonly (Provider | FileFormat)[]): string[] => [
  ...new Set(found.flatMap(({ supportedLanguages, defaultLanguage = '' }) => supportedLanguages ?? defaultLanguage)),
];

const providerFact = ({ providerId, name, accountType }: Provider) => ({
  providerId,
  name,
  capabilities: accountType.capabilities ?? [],
});

type Needs = Pick<CompanyContext, 'settings' | 'store' | 'upstream' | 'clock' | 'askInOrder'>;

/**
 * Reads the facts about the current subscription, its provider and the available definitions from the service. Facts
 * that cannot be read are listed in `unread`, with the reason for the first. `latest` are the latest stored subscriptions,
 * of which all but the current one are alternatives. Rejects only if the store fails.
 */
export async function subscriptionOverview(
  deps: Needs,
  latest: readonly SubscriptionRecord[],
): Promise<SubscriptionOverview> {
  const { settings, store, upstream, clock } = deps;
  const { subscriptionId, providerCountry, fileFormatCountry, acceptLanguage: language } = settings;
  const { unread, refused, read: tolerant } = createTolerantReader(clock);
  let isLost = false;

  const providerById = (what: Unread | undefined, providerId: string) =>
    tolerant<Provider | null>(what, null, async () => (await upstream.provider(providerId, language)).data);
  const named = ({ name }: Provider) => name === bankProviderName;

  async function subscriptionNow(record: SubscriptionRecord | undefined) {
    const seen = record
      ? { subscriptionId, status: record.status, suspendedByConsumer: record.suspended, providerId: record.providerId }
      : null;
    if (subscriptionId === '') return null;
    const answer = await tolerant('subscription', null, () =>
      refreshSubscription(deps, subscriptionId).then(
        ({ data }) => data,
        (error: unknown) => {
          isLost = error instanceof Failure && error.problem.code === 'not-found';
          throw error;
        },
      ),
    );
    if (!answer) return unread.has('subscription') ? seen : null;
    const { status, suspendedByConsumer = false, providerId } = answer;
    return { subscriptionId, status, suspendedByConsumer, providerId: providerId || settings.providerId };
  }

  const isCurrent = (record: SubscriptionRecord) => record.subscriptionId === subscriptionId;
  const current =
    subscriptionId === ''
      ? undefined
      : (latest.find(isCurrent) ?? (await store.records(subscriptions).get(subscriptionId)));
  const owner = () => tolerant<Facts['lost']>(undefined, '', () => missingOwner(deps));
  const [lostAtFirst, providers, fileFormats, found] = await Promise.all([
    owner(),
    tolerant<Provider[]>(
      'providers',
      [],
      async () => (await upstream.providers({ country: providerCountry, language })).data,
    ),
    tolerant<FileFormat[]>(
      'fileFormats',
      [],
      async () => (await upstream.fileFormats({ country: fileFormatCountry, language })).data,
    ),
    subscriptionNow(current),
  ]);

  // Reads the subscription again: another read may have been refused with a cached token that counted as proof until
  // then.
  const isDoubted = refused.some(isOwnerRefusal);
  const lost = lostAtFirst || (isDoubted ? await owner() : '');
  // The service does know the owner, so the token's refusal was temporary.
  const subscription = isDoubted && lost === '' ? await subscriptionNow(current) : found;

  const others = latest.filter((record) => !isCurrent(record)).slice(-maximumAlternatives);
  const known = new Map(providers.map((each) => [each.providerId, each]));
  const currentProviderId = subscription?.providerId ?? '';
  const unlisted = [...new Set(others.map(({ providerId }) => providerId))]
    .filter((id) => !known.has(id) && id !== currentProviderId)
    .slice(-maximumProviders);
  const listedNowhere = providers.length === 0 && !unread.has('providers');
  const [provider, anywhere, ownCountry, formats] = await Promise.all([
    known.get(currentProviderId) ?? (currentProviderId === '' ? null : providerById('provider', currentProviderId)),
    providers.some(named) || unread.has('providers')
      ? []
      : tolerant<Provider[]>(undefined, [], async () => (await upstream.providers({ country: '', language: '' })).data),
    listedNowhere
      ? tolerant<Provider[]>(
          undefined,
          [],
          async () => (await upstream.providers({ country: providerCountry, language: '' })).data,
        )
      : [],
    fileFormats.length === 0 && !unread.has('fileFormats')
      ? tolerant<FileFormat[]>(
          undefined,
          [],
          async () => (await upstream.fileFormats({ country: fileFormatCountry, language: '' })).data,
        )
      : [],
    ...unlisted.map(async (id) => {
      const found = await providerById(undefined, id);
      if (found) known.set(id, found);
    }),
  ]);
  if (provider) known.set(currentProviderId, provider);
  const bank = anywhere.filter(named);

  const ids = others.map((record) => record.subscriptionId);
  const debtorCounts = await store.records(debtors).countBySubject(ids);
  const creditorCounts = await store.records(creditors).countBySubject(ids);
  const alternative = (record: SubscriptionRecord): Alternative => {
    const { subscriptionId: id, providerId, status, suspended } = record;
    const its = known.get(providerId);
    return {
      subscription: { subscriptionId: id, status, suspendedByConsumer: suspended },
      providerId,
      provider: its ? providerFact(its) : null,
      country: its?.country[0] ?? '',
      debtors: debtorCounts.get(id) ?? 0,
      creditors: creditorCounts.get(id) ?? 0,
    };
  };

  return {
    lost: lost || (isLost ? 'subscription' : ''),
    providers: providers.length,
    providerLanguages: languagesOf(ownCountry),
    bankProvider: providers.some(named),
    bankProviderAt:
      bank.length > 0
        ? { countries: [...new Set(bank.flatMap(({ country }) => country))], languages: languagesOf(bank) }
        : null,
    provider: provider && providerFact(provider),
    subscription: subscription && {
      subscriptionId,
      status: subscription.status,
      suspendedByConsumer: subscription.suspendedByConsumer,
    },
    alternatives: others.map(alternative),
    fileFormats: fileFormats.length,
    fileFormatLanguages: languagesOf(formats),
    unread: [...unread.keys()],
    unreadBecause: [...unread.values()][0] ?? null,
  };
}
