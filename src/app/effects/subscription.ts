import { provideEffects } from '#machines/lib/effect.ts';
import type { SubscriptionChoice, Submitted } from '#machines/subscription/choice.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { withLanguage } from '#rules/language.ts';
import { call } from '../client/client.ts';
import { withIdempotencyKey } from '../client/withIdempotencyKey.ts';
import type { JourneyCode } from '#machines/console.ts';
import { definitions } from './definitions.ts';

/** Reads the settings, then the providers for their country and language (behaviour, section 4, step 1); no banks. */
async function loadChoice(_: void, signal: AbortSignal): Promise<SubscriptionChoice> {
  const { providerCountry, acceptLanguage } = await call('getSettings', { signal });
  const query = { country: providerCountry, language: acceptLanguage };
  const { data: providers } = await definitions('getProviders', { query, signal });
  return { providers: providers.map((provider) => withLanguage(provider, acceptLanguage)), banks: [] };
}

/**
 * Creates the subscription once; the server stores its record and makes it the current one. Then reads the settings
 * again (behaviour, section 4, step 6); if that fails, the subscription still exists.
 */
async function createSubscription(
  { beside, despite, ...request }: Submitted,
  signal: AbortSignal,
): Promise<{ subscriptionId: string }> {
  const { data } = await withIdempotencyKey('createSubscription', request, (key) =>
    call('createSubscription', { query: { beside, despite }, body: { data: request }, key, signal }),
  );
  await call('getSettings', { signal }).catch(() => undefined);
  return data;
}

export const subscription = {
  machine: provideEffects(subscriptionMachine, { loadChoice, createSubscription }),
} satisfies JourneyCode;

export const bankSubscription = {
  machine: provideEffects(bankSubscriptionMachine, {
    loadChoice: async (_, signal) => {
      const [choice, { data: banks }] = await Promise.all([loadChoice(_, signal), call('getBanks', { signal })]);
      return { ...choice, banks };
    },
    createSubscription,
  }),
} satisfies JourneyCode;
