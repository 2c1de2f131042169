import type { SettingKey } from '#contract/settings.ts';
import { fulfil, port } from '#machines/port.ts';
import { switchingMachine, type Selection } from '#machines/subscription/switching.ts';
import { call } from '../client.ts';

/** Stores id and provider, then country and language unless the country is an unknown one (behaviour, section 4). */
async function store({ subscriptionId, providerId, country, language }: Selection, signal: AbortSignal): Promise<void> {
  const changes: [SettingKey, string][] = [
    ['subscriptionId', subscriptionId],
    ['providerId', providerId],
  ];
  if (language !== undefined) changes.push(['providerCountry', country], ['acceptLanguage', language]);
  for (const [key, value] of changes) await call('setSetting', { body: { key, value }, signal });
}

/** The port `select`: makes a subscription the current one. */
export const select = fulfil(port<Selection, void>('select'), store);

export const switching = switchingMachine.provide({ actors: { select } });
