import type { ActorRefFrom } from 'xstate';
import { bankFilesPageCountries, bankFilesPageLanguages } from '#contract/constants.ts';
import type { bankFilesMachine } from '#machines/lookup/lookup.machine.ts';
import { DefinitionsStep } from './DefinitionsStep.tsx';

/** Bank file templates, with this page's own lists of countries and languages (behaviour, section 9). */
export function BankFilesStep({ actor }: { actor: ActorRefFrom<typeof bankFilesMachine> }) {
  return (
    <DefinitionsStep
      actor={actor}
      what="bank file templates"
      one="bank file template"
      countryLabel="Bank file country"
      countries={bankFilesPageCountries}
      languages={bankFilesPageLanguages}
    />
  );
}
