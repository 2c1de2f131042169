import { bankProviderName } from '#contract/constants.ts';
import { providers } from '#server/sandbox/catalogue/providers/index.ts';

/** A provider of whose country, by the lab, no language is known. */
export const foreignName = 'Pippinhay Direct (no debtor accounts)';
/** Where one provider alone is offered. */
export const single = 'AU';

const idOf = (name: string) => providers.find((provider) => provider.name === name)!.providerId; // of the catalogue
const alone = providers.find(({ country }) => country === single)!; // it offers one

/** Rules of the lab, for all definitions read under them: the console keeps what it has read for a minute. */
const definition = (fault: object) => ({ on: 'definition', of: 'provider', fault });
const withoutSubscriptions = (provider: string) => definition({ kind: 'capabilityDropped', provider });

export const abroad = definition({ kind: 'otherCountry', provider: idOf(foreignName), country: 'DE' });
export const singleWithoutSubscriptions = withoutSubscriptions(alone.providerId);
export const bankWithoutSubscriptions = withoutSubscriptions(idOf(bankProviderName));
