import { bankProviderName } from '#contract/constants.ts';
import { transferAmount } from '#contract/constants.ts';
import type { Deps } from '#server/deps.ts';
import { isRefusal } from '#server/failure.ts';
import { lostOwner } from '#server/lost.ts';
import { refreshSubscription } from '#server/refresh.ts';
import { settingsFor, storedSettingsOf } from '#server/settings.ts';
import { userTokenExpiry } from '#server/userToken.ts';
import type { Handlers } from './route.ts';

/** The transfer page with the fixed amount (spec, section 9), in major units as its form shows it. */
function transferRequest(page: string): string {
  const url = new URL(page);
  url.searchParams.set('amount', transferAmount.amount);
  url.searchParams.set('currency', transferAmount.currency);
  return url.href;
}

/** Where the user stands (contract, facts). Fails as the service does; a subscription that it no longer knows is none. */
export function factsRoutes(deps: Deps) {
  const { config, scope, store, upstream, clock } = deps;

  async function subscriptionNow(subscriptionId: string) {
    if (subscriptionId === '') return { subscription: null, isLost: false };
    try {
      const { status, suspendedByConsumer = false } = (await refreshSubscription(deps, subscriptionId)).data;
      return { subscription: { subscriptionId, status, suspendedByConsumer }, isLost: false };
    } catch (error) {
      if (isRefusal(error)) return { subscription: null, isLost: error.problem.code === 'not-found' };
      throw error;
    }
  }

  return {
    async getFacts() {
      const stored = await storedSettingsOf(store);
      const { subscriptionId, providerId, companyId, acceptLanguage: language } = stored;
      const [lost, { subscription, isLost }, { data: providers }, { data: fileFormats }, debtors, creditors, batches] =
        await Promise.all([
          lostOwner(deps),
          subscriptionNow(subscriptionId),
          upstream.providers({ country: stored.providerCountry, language }),
          upstream.fileFormats({ country: stored.fileFormatCountry, language }),
          store.debtors.list(),
          store.creditors.list(),
          store.batches.list(),
        ]);
      const provider = providers.find((found) => found.providerId === providerId);
      const ofSubscription = (party: { subscriptionId: string }) => party.subscriptionId === subscriptionId;
      return {
        // After the subscription was refreshed, so that its record says the same.
        settings: await settingsFor(deps),
        scope,
        companies: await store.scopes.list(),
        lost: lost || (isLost ? ('subscription' as const) : lost),
        accessToken: lost === '' && companyId !== '' && stored.accessTokenOf === companyId,
        userToken: stored.userJwt !== '' && userTokenExpiry(stored.userJwt) > clock.now(),
        providers: providers.length,
        bankProvider: providers.some(({ name }) => name === bankProviderName),
        provider: provider
          ? { providerId, name: provider.name, capabilities: provider.accountType.capabilities ?? [] }
          : null,
        subscription,
        debtors: debtors.filter(ofSubscription).length,
        creditors: creditors.filter(ofSubscription).length,
        fileFormats: fileFormats.length,
        batches: batches.length,
        batchStatus: batches.at(-1)?.status ?? '',
        transferUrl: transferRequest(config.upstream.transferUrl),
        environment: config.upstream.environment,
      };
    },
  } satisfies Partial<Handlers>;
}
