import { bankProviderName, languages } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';

/** Where requirements stand, in words for the user; what is missing comes with what to choose instead. */

export const known = (what: string, id: string): string => (id ? `${what} ${id}` : `No ${what.toLowerCase()} yet`);

export const count = (many: number, one: string, more = `${one}s`): string =>
  many === 0 ? `No ${more} yet` : `${many} ${many === 1 ? one : more}`;

export const isOwnerLost = (lost: Facts['lost']): boolean => lost === 'organisation' || lost === 'company';
export const gone = ' is not known to the service any more: it was deleted there, or the sandbox was reset';

export const subscriptionStands = ({ subscription, settings, lost }: Facts): string => {
  if (!subscription && settings.subscriptionId && lost !== '') return `Subscription ${settings.subscriptionId}${gone}`;
  if (!subscription) return 'No subscription is selected';
  const suspended = subscription.suspendedByConsumer ? ' and suspended by you' : '';
  return `Subscription ${subscription.subscriptionId} is ${subscription.status}${suspended}`;
};

const forLocale = (country: string, { acceptLanguage }: Facts['settings']): string =>
  `for country ${country || 'not chosen'} and language ${acceptLanguage || 'none'}`;

/** Those among languages that the settings offer; "none" leaves the choice to the service and always goes. */
const languageNames = (spoken: readonly string[]): string =>
  languages.filter((language) => language !== '' && spoken.includes(language)).join(' or ') || 'none';

/** How many there are; where there are none, in which of the offered languages there would be. */
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
