import type { Provider } from '#contract/entities.ts';
import type { SubscriptionChoice, SubscriptionRequest } from '#machines/subscription.machine.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { factsFor } from './ports.ts';

/** The provider with the language of its rules' texts. */
export const withLanguage = (provider: Provider, asked: string): Provider => ({
  ...provider,
  accountType: {
    ...provider.accountType,
    validationRules: spoken(provider.accountType.validationRules, languageOf(provider, asked)),
  },
});

/** Settings first, then the providers for their country and language (behaviour, section 4, step 1); no banks. */
export async function loadChoice(
  journey: 'subscription' | 'bankSubscription',
  signal: AbortSignal,
): Promise<SubscriptionChoice> {
  const { providerCountry, acceptLanguage } = await call('getSettings', { signal });
  const query = { country: providerCountry, language: acceptLanguage };
  const [{ data: providers }, facts] = await Promise.all([
    call('getProviders', { query, signal }),
    factsFor(journey, signal),
  ]);
  return { facts, providers: providers.map((provider) => withLanguage(provider, acceptLanguage)), banks: [] };
}

/**
 * Creates the subscription once; the server keeps its record and makes it the current one. Then the settings are read
 * again (behaviour, section 4, step 6); that this fails does not undo the creation.
 */
export async function createSubscription(
  request: SubscriptionRequest,
  signal: AbortSignal,
): Promise<{ subscriptionId: string }> {
  const { data } = await once('createSubscription', request, (key) =>
    call('createSubscription', { body: { data: request }, key, signal }),
  );
  await call('getSettings', { signal }).catch(() => undefined);
  return data;
}
