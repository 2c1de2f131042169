import type { FileFormat, Provider, Rule, Validation } from '#contract/lookup.ts';
import type {
  FileFormatDefinition,
  InstrumentDefinition,
  ProviderDefinition,
  RuleDefinition,
  Text,
  ValidationDefinition,
} from './definition.ts';
import type { Catalogue, LocalInstrument } from './types.ts';

/**
 * Returns the language of a definition that matches a requested one: the same, or its base language ('en' for 'en-US').
 * '' or undefined requests the default. Returns undefined if no language matches (wire, section 15).
 */
export function matchingLanguage(
  { languages }: { languages: readonly [string, ...string[]] },
  asked?: string,
): string | undefined {
  if (!asked) return languages[0];
  return [asked, asked.split('-')[0]].find((language) => language !== undefined && languages.includes(language));
}

/** Like `matchingLanguage`, but returns the default language if none matches. */
export const spokenLanguage = (definition: { languages: readonly [string, ...string[]] }, asked?: string): string =>
  matchingLanguage(definition, asked) ?? definition.languages[0];

export function said(text: Text, language: string): string;
export function said(text: Text | undefined, language: string): string | undefined;
export function said(text: Text | undefined, language: string): string | undefined {
  return typeof text === 'object' ? text[language] : text;
}

const validationIn = (definition: ValidationDefinition, language: string): Validation => ({
  ...definition,
  uiLabel: said(definition.uiLabel, language),
  description: said(definition.description, language),
  example: said(definition.example, language),
  errorMessage: said(definition.errorMessage, language),
  enumeration: definition.enumeration?.map(({ value, description }) => ({
    value,
    description: said(description, language),
  })),
});

const rulesIn = (rules: readonly RuleDefinition[], language: string): Rule[] =>
  rules.map(({ validation, sourceValidation, ...rule }) => ({
    ...rule,
    ...(validation && { validation: validationIn(validation, language) }),
    ...(sourceValidation && { sourceValidation: validationIn(sourceValidation, language) }),
  }));

/** Returns a provider in the form in which it is served (wire, section 7), with texts in `language`. */
export const providerIn = (definition: ProviderDefinition, language: string): Provider => ({
  providerId: definition.providerId,
  name: definition.name,
  author: 'Payments Out sandbox',
  country: [definition.country],
  defaultLanguage: definition.languages[0],
  supportedLanguages: [...definition.languages],
  language,
  maximumPaymentCount: definition.maximumPaymentCount,
  localInstruments: [...definition.localInstruments],
  defaultLocalInstrument: definition.localInstruments[0],
  accountType: {
    capabilities: [...definition.capabilities],
    validationRules: rulesIn(definition.rules, language),
  },
});

export const instrumentIn = (definition: InstrumentDefinition, language: string): LocalInstrument => ({
  localInstrumentId: definition.localInstrumentId,
  name: definition.name,
  validationRules: rulesIn(definition.rules, language),
});

export const fileFormatIn = (definition: FileFormatDefinition, language: string): FileFormat => ({
  fileFormatId: definition.fileFormatId,
  name: said(definition.name, language),
  country: [definition.country],
  defaultLanguage: definition.languages[0],
  supportedLanguages: [...definition.languages],
  specification: {
    rules: rulesIn(definition.rules, language),
    ...(definition.block && { block: definition.block }),
  },
});

/** Returns a provider with texts in a language, or in its own if a fault of the lab lets it lack this one. */
export const providerFor = (
  catalogue: Pick<Catalogue, 'providerById'>,
  providerId: string,
  language?: string,
): Provider | undefined => catalogue.providerById(providerId, language) ?? catalogue.providerById(providerId);
