import type { Provider, Rule } from '#contract/lookup.ts';
import { allRules } from '#rules/merge.ts';
import { instruments } from './instruments.ts';
import { instrumentIn, spokenLanguage } from './language.ts';
import { scalarText } from '#rules/values.ts';
import type { LocalInstrument } from './types.ts';

/**
 * Returns all payment types with their rules, in the language or, if a type does not support it, in the type's default
 * language.
 */
export const localInstruments = (language?: string): LocalInstrument[] =>
  instruments.map((instrument) => instrumentIn(instrument, spokenLanguage(instrument, language)));

/** Returns all rules of a provider and its payment types for one resource, in the language of `provider`. */
export const rulesOf = (provider: Provider, apiPath: string): Rule[] =>
  allRules(provider, localInstruments(scalarText(provider['language']))).filter(
    ({ validation }) => validation?.apiPath === apiPath,
  );
