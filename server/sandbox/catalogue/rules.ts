import type { Provider, Rule } from '#contract/lookup.ts';
import { allRules } from '#rules/merge.ts';
import { instruments } from './instruments.ts';
import { instrumentIn, spokenLanguage } from './language.ts';
import { textOf } from './path.ts';
import type { LocalInstrument } from './types.ts';

/** All payment types with their rules; an instrument without texts in the language uses its default one. */
export const localInstruments = (language?: string): LocalInstrument[] =>
  instruments.map((instrument) => instrumentIn(instrument, spokenLanguage(instrument, language)));

/** A provider's full rule set for one resource, in the language in which the provider was asked for. */
export const rulesOf = (provider: Provider, apiPath: string): Rule[] =>
  allRules(provider, localInstruments(textOf(provider['language']))).filter(
    ({ validation }) => validation?.apiPath === apiPath,
  );
