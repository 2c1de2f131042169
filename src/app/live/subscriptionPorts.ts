import type { SubscriptionChoice, SubscriptionRequest } from '#machines/subscription.machine.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { factsFor } from './ports.ts';

/** Settings first, then the providers for their country and language (spec, section 4, step 1); no banks. */
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
  return { facts, providers, banks: [] };
}

/** Creates the subscription once; the server keeps its record and makes it the current one (spec, section 4, step 6). */
export async function createSubscription(
  request: SubscriptionRequest,
  signal: AbortSignal,
): Promise<{ subscriptionId: string }> {
  const { data } = await once('createSubscription', request, (key) =>
    call('createSubscription', { body: { data: request }, key, signal }),
  );
  return data;
}
