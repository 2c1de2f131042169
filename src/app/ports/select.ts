import type { SettingKey } from '#contract/settings.ts';
import { supply } from '#machines/port.ts';
import { switchingMachine, type Selection } from '#machines/subscription/switching.ts';
import { call } from '../client.ts';

/**
 * The port `select`: stores subscription id and provider id, then country and language unless the country is unknown
 * (behaviour, section 4).
 */
export async function select(
  { subscriptionId, providerId, country, language }: Selection,
  signal: AbortSignal,
): Promise<void> {
  const changes: [SettingKey, string][] = [
    ['subscriptionId', subscriptionId],
    ['providerId', providerId],
  ];
  if (language !== undefined) changes.push(['providerCountry', country], ['acceptLanguage', language]);
  for (const [key, value] of changes) await call('setSetting', { body: { key, value }, signal });
}

export const switching = supply(switchingMachine, { select });
