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

type Reader = ReturnType<typeof createTolerantReader>;

/** Reads of the definitions: what cannot be read is noted under its name, if it has one. */
function definitionsOf({ settings, upstream }: CompanyContext, { read }: Reader) {
  const { providerCountry, fileFormatCountry, acceptLanguage } = settings;
  return {
    provider: (what: Unread | undefined, providerId: string) =>
      read<Provider | null>(what, null, async () => (await upstream.provider(providerId, acceptLanguage)).data),
    providers: (what?: Unread, language = '', country = providerCountry) =>
      read<Provider[]>(what, [], async () => (await upstream.providers({ country, language })).data),
    fileFormats: (what?: Unread, language = '') =>
      read<FileFormat[]>(
        what,
        [],
        async () => (await upstream.fileFormats({ country: fileFormatCountry, language })).data,
      ),
  };
}

/** Reads the current subscription: as stored if it cannot be read, null if there is none. `lost`: the service has none. */
async function readSubscription(
  deps: CompanyContext,
  { unread, read }: Reader,
  stored: SubscriptionRecord | undefined,
) {
  const { subscriptionId, providerId: chosen } = deps.settings;
  if (subscriptionId === '') return { lost: false, subscription: null };
  let lost = false;
  const answer = await read('subscription', null, () =>
    refreshSubscription(deps, subscriptionId).then(
      ({ data }) => data,
      (error: unknown) => {
        lost = error instanceof Failure && error.problem.code === 'not-found';
        throw error;
      },
    ),
  );
  if (answer) {
    const { status, suspendedByConsumer = false, providerId } = answer;
    return { lost, subscription: { status, suspendedByConsumer, providerId: providerId || chosen } };
  }
  if (!stored || !unread.has('subscription')) return { lost, subscription: null };
  const { status, suspended: suspendedByConsumer, providerId } = stored;
  return { lost, subscription: { status, suspendedByConsumer, providerId } };
}

/** The other subscriptions, with their providers as far as they are known, and how many parties each has. */
async function alternativesIn(
  { store }: CompanyContext,
  others: readonly SubscriptionRecord[],
  known: ReadonlyMap<string, Provider>,
): Promise<Alternative[]> {
  const ids = others.map(({ subscriptionId }) => subscriptionId);
  const debtorCounts = await store.records(debtors).countBySubject(ids);
  const creditorCounts = await store.records(creditors).countBySubject(ids);
  return others.map(({ subscriptionId, providerId, status, suspended }) => {
    const its = known.get(providerId);
    return {
      subscription: { subscriptionId, status, suspendedByConsumer: suspended },
      providerId,
      provider: its ? providerFact(its) : null,
      country: its?.country[0] ?? '',
      debtors: debtorCounts.get(subscriptionId) ?? 0,
      creditors: creditorCounts.get(subscriptionId) ?? 0,
    };
  });
}

const isBank = ({ name }: Provider): boolean => name === bankProviderName;

/**
 * Reads the facts about the current subscription, its provider and the available definitions from the service. Facts
 * that cannot be read are listed in `unread`, with the reason for the first. `latest` are the latest stored subscriptions,
 * of which all but the current one are alternatives. Rejects only if the store fails.
 */
export async function subscriptionOverview(
  deps: CompanyContext,
  latest: readonly SubscriptionRecord[],
): Promise<SubscriptionOverview> {
  const { settings, store, clock } = deps;
  const { subscriptionId, acceptLanguage: language } = settings;
  const reader = createTolerantReader(clock);
  const { unread, refused } = reader;
  const definitions = definitionsOf(deps, reader);
  const owner = () => reader.read<Facts['lost']>(undefined, '', () => missingOwner(deps));

  const isCurrent = (record: SubscriptionRecord) => record.subscriptionId === subscriptionId;
  const stored =
    subscriptionId === ''
      ? undefined
      : (latest.find(isCurrent) ?? (await store.records(subscriptions).get(subscriptionId)));
  const [lostAtFirst, providers, fileFormats, found] = await Promise.all([
    owner(),
    definitions.providers('providers', language),
    definitions.fileFormats('fileFormats', language),
    readSubscription(deps, reader, stored),
  ]);

  // Reads the subscription again: another read may have been refused with a cached token that counted as proof until
  // then.
  const isDoubted = refused.some(isOwnerRefusal);
  const lost = lostAtFirst || (isDoubted ? await owner() : '');
  // The service does know the owner, so the token's refusal was temporary.
  const now = isDoubted && lost === '' ? await readSubscription(deps, reader, stored) : found;

  const others = latest.filter((record) => !isCurrent(record)).slice(-maximumAlternatives);
  const known = new Map(providers.map((each) => [each.providerId, each]));
  const providerId = now.subscription?.providerId ?? '';
  const unlisted = [...new Set(others.map((each) => each.providerId))]
    .filter((id) => !known.has(id) && id !== providerId)
    .slice(-maximumProviders);
  const areUnread = unread.has('providers');
  const [provider, anywhere, inCountry, formats, ...more] = await Promise.all([
    known.get(providerId) ?? (providerId === '' ? null : definitions.provider('provider', providerId)),
    providers.some(isBank) || areUnread ? [] : definitions.providers(undefined, '', ''),
    providers.length > 0 || areUnread ? [] : definitions.providers(),
    fileFormats.length > 0 || unread.has('fileFormats') ? [] : definitions.fileFormats(),
    ...unlisted.map((id) => definitions.provider(undefined, id)),
  ]);
  more.forEach((each, index) => each && known.set(unlisted[index]!, each)); // one for each
  if (provider) known.set(providerId, provider);
  const banks = anywhere.filter(isBank);

  return {
    lost: lost || (found.lost || now.lost ? 'subscription' : ''),
    providers: providers.length,
    providerLanguages: languagesOf(inCountry),
    bankProvider: providers.some(isBank),
    bankProviderAt:
      banks.length > 0
        ? { countries: [...new Set(banks.flatMap(({ country }) => country))], languages: languagesOf(banks) }
        : null,
    provider: provider && providerFact(provider),
    subscription: now.subscription && {
      subscriptionId,
      status: now.subscription.status,
      suspendedByConsumer: now.subscription.suspendedByConsumer,
    },
    alternatives: await alternativesIn(deps, others, known),
    fileFormats: fileFormats.length,
    fileFormatLanguages: languagesOf(formats),
    unread: [...unread.keys()],
    unreadBecause: [...unread.values()][0] ?? null,
  };
}
