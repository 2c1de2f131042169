import { bankProviderName } from '#contract/constants.ts';
import type { Provider } from '#contract/lookup.ts';
import { catalogue as published } from '#server/sandbox/catalogue/index.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';

/** A provider of whose country no language is known. */
export const foreignName = 'Pippinhay Direct (no debtor accounts)';
/** Where the bank provider takes no subscriptions. */
export const bankless = 'US';

/** Where one provider alone is offered, which takes no subscriptions. */
export const single = 'AU';

const [direct] = published.providersFor().filter(({ accountType }) => !accountType.capabilities?.includes('SubscriptionRequired')); // prettier-ignore
const [bankProvider] = published.providersFor().filter(({ name }) => name === bankProviderName);
const withoutSubscriptions = (provider: Provider): Provider => ({
  ...provider,
  accountType: { ...provider.accountType, capabilities: [] },
});
const abroad = (provider?: Provider): Provider | undefined =>
  provider?.name === foreignName ? { ...provider, country: ['DE'] } : provider;

/**
 * The sandbox's definitions with what a service may do and the sandbox never does: a country without language, a
 * bank provider without subscriptions, a single provider, a provider that refuses what keeps all of its rules, as long as `isStrict()`.
 */
export const capricious = (isStrict: () => boolean): Catalogue => ({
  ...published,
  providersFor: (country, language) =>
    country === single && direct
      ? [direct]
      : [
          ...published.providersFor(country, language),
          ...(country === bankless && bankProvider ? [withoutSubscriptions(bankProvider)] : []),
        ],
  providerById: (providerId, language) => abroad(published.providerById(providerId, language)),
  violations: (rules, body) =>
    isStrict()
      ? [{ path: '', message: 'the provider does not want this', code: 'NotAllowed', ruleId: '' }]
      : published.violations(rules, body),
});
