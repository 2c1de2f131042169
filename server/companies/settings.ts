import { alerts } from '#contract/alerts.ts';
import type { SettingKey } from '#contract/settings.ts';
import { isAllowedLink, type UpstreamConfig } from '#server/upstream/config.ts';
import { Failure } from '#server/failure.ts';
import { storedSettings } from './storedSettings.ts';
import type { StoredSetting, StoredValues } from './storedSettings.ts';
import type { Store } from './companyStore.ts';
import type { Company, Organisation } from '#server/upstream/tokens.ts';

export type Stored = Record<StoredSetting, string>;

const defaults: Stored = {
  ...(Object.fromEntries(storedSettings.map((key) => [key, ''])) as Stored), // every key has a value
  acceptLanguage: 'en',
  useMock: 'true',
  useNetwork: 'true',
};

export const withDefaults = (values: StoredValues): Stored => ({ ...defaults, ...values });

/** Returns the stored settings with secrets in clear text; never send them to the browser. */
export const storedSettingsOf = async (store: Store): Promise<Stored> => withDefaults(await store.settings.read());

/** Returns the secrets among the settings. */
export const secretsIn = ({ companySigningKey, previousSigningKey, unprovedKey, userJwt }: Stored): string[] =>
  [companySigningKey, previousSigningKey, unprovedKey, userJwt].filter((secret) => secret !== '');

/** Returns the providers' URL: the stored one while its origin is configured, otherwise the configured one. */
export const providerUrlOf = ({ providerUrl }: Stored, { upstream }: { upstream: UpstreamConfig }): string =>
  isAllowedLink(upstream.providerOrigins, providerUrl) ? providerUrl : `${upstream.providerUrl}/`;

/** Returns the organisation of these settings. Throws `prerequisite-missing` with the alert's text if there is none. */
export function organisationIn({ organisationId, companySigningKey }: Stored): Organisation {
  if (organisationId === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
  return { organisationId, signingKey: companySigningKey };
}

/**
 * Returns the company of these settings with its organisation. Throws `prerequisite-missing` with the alert's text if
 * there is none.
 */
export function companyIn(stored: Stored): Company {
  const organisation = organisationIn(stored);
  if (stored.companyId === '') throw new Failure('prerequisite-missing', alerts.noCompany);
  return { ...organisation, companyId: stored.companyId };
}

/** The failure for a refused value; `message` says which values are allowed. */
export const invalidSetting = (key: SettingKey, message: string) =>
  new Failure('invalid-request', `The setting ${key} cannot have this value: ${message}.`, {
    errors: [{ path: 'value', message }],
  });

/** The failure for a value that would weaken a promise; `why` says which. */
export const forbiddenSetting = (key: SettingKey, why: string) =>
  new Failure('forbidden', `The setting ${key} cannot have this value: ${why}.`);
