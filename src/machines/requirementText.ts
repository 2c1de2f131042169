import { bankProviderName, languages } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { counted } from '#rules/counted.ts';
import { countryName } from '#rules/country.ts';
import { subscriptionWords } from './names.ts';

/** Texts on the current state of requirements; for a missing one, also what to choose instead. */

/** States that something does not exist; `isAbsent` recognises that. */
export const absent = (what: string): string => `No ${what} yet`;
export const isAbsent = (text: string): boolean => /^No .* yet$/.test(text);

export const known = (what: string, id: string): string => (id ? `${what} ${id}` : absent(what.toLowerCase()));

export const count = (many: number, one: string, more = `${one}s`): string =>
  many === 0 ? absent(more) : counted(many, one, more);

export const isOrganisationLost = (lost: Facts['lost']): boolean => lost === 'organisation' || lost === 'signingKey';
export const isOwnerLost = (lost: Facts['lost']): boolean => isOrganisationLost(lost) || lost === 'company';
/** States that the service does not know a resource; only a sandbox can have been reset. */
const gone = (environment: Facts['environment'], otherwise = ''): string =>
  ` is not known to the service: it was deleted${environment === 'sandbox' ? ', the sandbox was reset' : ''}${otherwise}, or its id is wrong`;

/** States why the service issues no token for the current organisation; '' if it does. */
export const organisationLost = ({ lost, settings, environment }: Facts): string => {
  if (lost === 'organisation') return gone(environment);
  if (lost !== 'signingKey') return '';
  return settings.companySigningKey === ''
    ? ' cannot be used: no signing key is stored for it'
    : ' cannot be used: the service does not accept the signing key that is stored for it';
};

/** States why the current company cannot be used; '' if it can, or there is none. */
export const companyLost = (facts: Facts): string => {
  const { lost, settings, environment } = facts;
  if (settings.companyId === '' || !isOwnerLost(lost)) return '';
  return lost === 'signingKey' ? organisationLost(facts) : gone(environment);
};

export const subscriptionStands = ({ subscription, provider, settings, lost, environment }: Facts): string => {
  if (!subscription && settings.subscriptionId && lost !== '')
    return lost === 'signingKey'
      ? `Subscription ${settings.subscriptionId} cannot be read: the service does not accept the signing key`
      : `Subscription ${settings.subscriptionId}${gone(environment, ', it belongs to another company')}`;
  if (!subscription) return absent('subscription');
  if (subscription.suspendedByConsumer) return 'Suspended by you. Unsuspend it to pay';
  return subscriptionWords(subscription.status, provider?.name ?? 'the provider');
};

const forLocale = (country: string, { acceptLanguage }: Facts['settings']): string =>
  `for country ${countryName(country) || 'not chosen'} and language ${acceptLanguage || 'none'}`;

/**
 * Those of the languages that the settings offer, joined by "or". Leaves out the setting "none", which leaves the
 * choice to the service.
 */
const languageNames = (spoken: readonly string[]): string =>
  languages.filter((language) => language !== '' && spoken.includes(language)).join(' or ') || 'none';

/** The number of items for country and language; if there are none, which offered languages have some. */
export function inLocale(
  many: number,
  one: string,
  country: string,
  others: readonly string[],
  { settings }: Facts,
): string {
  const stands = `${count(many, one)} ${forLocale(country, settings)}`;
  if (many > 0) return stands;
  if (others.length === 0) return `${stands}: choose ${country ? 'another' : 'a'} country`;
  return `${stands}: choose the language ${languageNames(others)}`;
}

export const bankStands = ({ bankProvider, bankProviderAt, settings }: Facts): string => {
  const where = forLocale(settings.providerCountry, settings);
  if (bankProvider) return `${bankProviderName} is among the providers ${where}`;
  const instead = bankProviderAt
    ? `: choose the country ${bankProviderAt.countries.map(countryName).join(' or ')} and the language ${languageNames(bankProviderAt.languages)}`
    : '';
  return `${bankProviderName} is not among the providers ${where}${instead}`;
};

export const providerStands = ({ provider, subscription, settings }: Facts): string =>
  provider
    ? `Provider ${provider.name}`
    : subscription
      ? `The service does not know the subscription's provider ${settings.providerId}`.trim()
      : absent('subscription');
