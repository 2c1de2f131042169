import type { ActorRefFrom } from 'xstate';
import { languages, providerCountries } from '#contract/constants.ts';
import type { providersMachine } from '#machines/lookup/lookup.machine.ts';
import { DefinitionsStep } from './DefinitionsStep.tsx';

/** Provider definitions of a country and language (behaviour, section 2). */
export function ProvidersStep({ actor }: { actor: ActorRefFrom<typeof providersMachine> }) {
  return (
    <DefinitionsStep
      actor={actor}
      what="providers"
      one="provider"
      able
      countryLabel="Provider country"
      countries={providerCountries}
      languages={languages}
    />
  );
}
