import type { Facts } from '#contract/facts.ts';
import type { SettingKey } from '#contract/settings.ts';
import { call } from '../api/client.ts';
import { use as makeCurrent } from '../api/switchCompany.ts';

/** The settings that a rehearsal changes. */
const changed = [
  'providerCountry',
  'fileFormatCountry',
  'acceptLanguage',
  'useNetwork',
] as const satisfies SettingKey[];

/** Makes the company that a rehearsal found the current one again, with the settings that it found. */
export async function restore({ settings: found }: Facts): Promise<void> {
  if (found.organisationId !== '') await makeCurrent(found);
  const now = await call('getSettings', {});
  for (const key of changed) {
    const value = found[key];
    if (value !== '' && value !== now[key]) await call('setSetting', { body: { key, value } });
  }
}
