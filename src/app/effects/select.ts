import { provideEffects } from '#machines/lib/effect.ts';
import { switchingMachine } from '#machines/subscription/switching.machine.ts';
import type { Selection } from '#machines/subscription/switching.ts';
import { call } from '../api/client.ts';

/**
 * The effect `select`: stores subscription id and provider id, with country and language unless the country is unknown
 * (behaviour, section 4). All of them are stored, or none.
 */
export async function select(
  { subscriptionId, providerId, country, language }: Selection,
  signal: AbortSignal,
): Promise<void> {
  const place = language === undefined ? {} : { providerCountry: country, acceptLanguage: language };
  await call('changeSettings', { body: { subscriptionId, providerId, ...place }, signal });
}

export const switching = provideEffects(switchingMachine, { select });
