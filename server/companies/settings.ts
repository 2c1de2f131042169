import { alerts } from '#contract/alerts.ts';
import type { SettingKey } from '#contract/settings.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import { Failure } from '#server/failure.ts';
import type { CompanyContext } from './companyContext.ts';
import { storedSettings } from './storedSettings.ts';
import type { StoredSetting } from './storedSettings.ts';
import type { Store } from './companyStore.ts';
import type { Company, Organisation } from '#server/upstream/tokens.ts';

export type Stored = Record<StoredSetting, string>;

const defaults: Stored = {
  ...(Object.fromEntries(storedSettings.map((key) => [key, ''])) as Stored), // every key has a value
  acceptLanguage: 'en',
  useMock: 'true',
  useNetwork: 'true',
};

/** Returns the stored settings with secrets in clear text; never send them to the browser. */
export const storedSettingsOf = async (store: Store): Promise<Stored> => ({
  ...defaults,
  ...(await store.settings.read()),
});

/** Returns the secrets among the settings. */
export const secretsIn = ({ companySigningKey, previousSigningKey, userJwt }: Stored): string[] =>
  [companySigningKey, previousSigningKey, userJwt].filter((secret) => secret !== '');

/** Returns the providers' URL: the stored one while its origin is configured, otherwise the configured one. */
export const providerUrlOf = ({ providerUrl }: Stored, { upstream }: CompanyContext['config']): string =>
  isAllowedLink(upstream.providerOrigins, providerUrl) ? providerUrl : `${upstream.providerUrl}/`;

function requireOrganisation({ organisationId, companySigningKey }: Stored): Organisation {
  if (organisationId === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
  return { organisationId, signingKey: companySigningKey };
}

/** Returns the current organisation. Throws `prerequisite-missing` with the alert's text if there is none. */
export const organisationOf = async (store: Store): Promise<Organisation> =>
  requireOrganisation(await storedSettingsOf(store));

/**
 * Returns the current company with its organisation. Throws `prerequisite-missing` with the alert's text if there is
 * none.
 */
export const companyOf = async (store: Store): Promise<Company> => companyIn(await storedSettingsOf(store));

/** Returns the company of these settings. Throws as `companyOf` does. */
export function companyIn(stored: Stored): Company {
  const organisation = requireOrganisation(stored);
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
