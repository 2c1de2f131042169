import { bankProviderName, languages } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { counted } from '#rules/counted.ts';

/** Texts on the current state of requirements; for a missing one, also what to choose instead. */

export const known = (what: string, id: string): string => (id ? `${what} ${id}` : `No ${what.toLowerCase()} yet`);

export const count = (many: number, one: string, more = `${one}s`): string =>
  many === 0 ? `No ${more} yet` : counted(many, one, more);

export const isOwnerLost = (lost: Facts['lost']): boolean => lost === 'organisation' || lost === 'company';
/** States that the service no longer knows a resource; only a sandbox can have been reset. */
export const gone = (environment: Facts['environment']): string =>
  ` no longer exists at the service: it was deleted${environment === 'sandbox' ? ', or the sandbox was reset' : ''}`;

export const subscriptionStands = ({ subscription, settings, lost, environment }: Facts): string => {
  if (!subscription && settings.subscriptionId && lost !== '')
    return `Subscription ${settings.subscriptionId}${gone(environment)}`;
  if (!subscription) return 'No subscription is selected';
  const suspended = subscription.suspendedByConsumer ? ' and suspended by you' : '';
  return `Subscription ${subscription.subscriptionId} is ${subscription.status}${suspended}`;
};

const forLocale = (country: string, { acceptLanguage }: Facts['settings']): string =>
  `for country ${country || 'not chosen'} and language ${acceptLanguage || 'none'}`;

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
    ? `: choose the country ${bankProviderAt.countries.join(' or ')} and the language ${languageNames(bankProviderAt.languages)}`
    : '';
  return `${bankProviderName} is not among the providers ${where}${instead}`;
};

export const providerStands = ({ provider, subscription, settings }: Facts): string =>
  provider
    ? `Provider ${provider.name}`
    : subscription
      ? `The service does not know the subscription's provider ${settings.providerId}`.trim()
      : 'No subscription is selected';
