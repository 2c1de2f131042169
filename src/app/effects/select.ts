import type { Selection } from '#machines/subscription/switching.ts';
import { call } from '../client/client.ts';
import { resource } from './resource.ts';

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

/** The current subscription, which a gate offers to switch. */
export const switching = resource({
  kind: { changesFacts: () => true },
  async act({ selection }: { act: 'use'; selection: Selection }, signal) {
    await select(selection, signal);
    return null;
  },
});
