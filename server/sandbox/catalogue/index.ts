import { sampleBanks } from '#contract/banks.ts';
import type { ProviderDefinition, RuleDefinition, Text } from './definition.ts';
import { fileFormats } from './fileFormats/index.ts';
import { instruments } from './instruments.ts';
import { fileFormatIn, matchingLanguage, providerIn, said, spokenLanguage } from './language.ts';
import { overflowsOf, writePaymentFile } from '#rules/paymentFile/layout.ts';
import { providers } from './providers/index.ts';
import { localInstruments, rulesOf } from './rules.ts';
import type { Catalogue } from './types.ts';
import { batchViolations, violations } from './violations.ts';

interface Listed {
  country: string;
  languages: readonly [string, ...string[]];
}

/**
 * Returns the definitions for a country ('' or undefined for all) in a language; omits those that do not support the
 * language.
 */
const listed = <D extends Listed, T>(
  definitions: readonly D[],
  serve: (definition: D, language: string) => T,
  country?: string,
  language?: string,
): T[] =>
  definitions
    .filter((definition) => !country || definition.country === country)
    .flatMap((definition) => {
      const spoken = matchingLanguage(definition, language);
      return spoken === undefined ? [] : [serve(definition, spoken)];
    });

const definitionOf = (providerId: string): ProviderDefinition | undefined =>
  providers.find((provider) => provider.providerId === providerId);

/** All definitions with translatable texts, by the prefix of their translation keys. */
const entities = new Map<string, { languages: readonly [string, ...string[]]; rules: readonly RuleDefinition[] }>([
  ...providers.map((each) => [`${each.providerId}Provider`, each] as const),
  ...fileFormats.map((each) => [`${each.fileFormatId}FileFormat`, each] as const),
  ...instruments.map((each) => [`${each.localInstrumentId}LocalInstrument`, each] as const),
]);

type TextField = 'uiLabel' | 'description' | 'errorMessage' | 'example';
const isTextField = (name: string): name is TextField =>
  ['uiLabel', 'description', 'errorMessage', 'example'].includes(name);

function translation(key: string, language: string): string | undefined {
  const [entityName = '', ruleId = '', field = '', ...rest] = key.split('.');
  const entity = entities.get(entityName);
  const spoken = entity && matchingLanguage(entity, language);
  if (!spoken || !isTextField(field) || rest.length > 0) return undefined;
  const rule = entity.rules.find((each) => each.ruleId === ruleId);
  const text: Text | undefined = (rule?.validation ?? rule?.sourceValidation)?.[field];
  return said(text, spoken);
}

/** The sandbox's definitions. */
export const catalogue: Catalogue = {
  providersFor: (country, language) => listed(providers, providerIn, country, language),
  providerById(providerId, language) {
    const definition = definitionOf(providerId);
    return definition && providerIn(definition, spokenLanguage(definition, language));
  },
  behaviourOf(providerId) {
    const definition = definitionOf(providerId);
    if (!definition) throw new RangeError(`There is no provider ${providerId}`);
    return definition.behaviour;
  },
  localInstruments,
  fileFormatsFor: (country, language) => listed(fileFormats, fileFormatIn, country, language),
  fileFormatById(fileFormatId, language) {
    const definition = fileFormats.find((format) => format.fileFormatId === fileFormatId);
    return definition && fileFormatIn(definition, spokenLanguage(definition, language));
  },
  banks: sampleBanks,
  translation,
  rulesOf,
  violations,
  batchViolations,
  overflows: overflowsOf,
  writePaymentFile,
};
