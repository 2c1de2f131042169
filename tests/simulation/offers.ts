import { fileFormats } from '#server/sandbox/catalogue/fileFormats/index.ts';
import { matchingLanguage } from '#server/sandbox/catalogue/language.ts';
import { providers } from '#server/sandbox/catalogue/providers/index.ts';
import type { SeenGate } from './walks.ts';

/** Whether the service offers something of a list for a country, in a language. */
const offers = (
  list: readonly { country: string; languages: readonly [string, ...string[]] }[],
  country: string,
  language: string,
): boolean => list.some((each) => each.country === country && matchingLanguage(each, language) !== undefined);

/** Whether a provider has exactly these capabilities at the service, in any order. */
function hasExactly(providerId: string, shown: readonly string[]): boolean {
  const offered = new Set<string>(providers.find((each) => each.providerId === providerId)?.capabilities);
  return offered.size === new Set(shown).size && shown.every((each) => offered.has(each));
}

/**
 * Returns the gates that say otherwise than the service what it offers, a sentence each: that there are no providers or
 * templates for the selected country and language, or what a provider is capable of. What could not be read is no such gate.
 */
export function wrongOffers(seen: readonly SeenGate[]): string[] {
  return seen.flatMap(({ by, at, gate, facts }) => {
    const name = `The gate ${gate.alert} (${gate.missing ?? 'of its own'}) that ${by.name} saw at ${at}`;
    const { settings, unread } = facts;
    const { providerCountry, fileFormatCountry, acceptLanguage } = settings;
    const wrong: string[] = [];
    if (
      gate.missing === 'providers' &&
      !unread.includes('providers') &&
      offers(providers, providerCountry, acceptLanguage)
    )
      wrong.push(`${name} says that there are no providers, which the service offers.`);
    if (
      gate.missing === 'fileFormats' &&
      !unread.includes('fileFormats') &&
      offers(fileFormats, fileFormatCountry, acceptLanguage)
    )
      wrong.push(`${name} says that there are no templates, which the service offers.`);
    for (const provider of [facts.provider, ...facts.alternatives.map((each) => each.provider)])
      if (provider && !hasExactly(provider.providerId, provider.capabilities))
        wrong.push(
          `${name} says that ${provider.name} is capable of ${provider.capabilities.join(', ') || 'nothing'}.`,
        );
    return wrong;
  });
}
