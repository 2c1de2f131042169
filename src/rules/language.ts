import type { Provider, Rule, Validation } from '#contract/lookup.ts';

/** The language members of a definition; `language`, if present, is that of its texts. */
interface Spoken {
  language?: unknown;
  defaultLanguage?: unknown;
  supportedLanguages?: unknown;
}

/** Returns a language tag such as fr or fr-CA, '' for anything else. */
const tag = (language: unknown): string =>
  typeof language === 'string' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language) ? language : '';

/** Returns the language of a definition that was requested in the language `asked` ('' for none); '' if unknown. */
export function languageOf(definition: object, asked: string): string {
  const { language, defaultLanguage, supportedLanguages } = definition as Spoken; // unvalidated members
  if (tag(language)) return tag(language);
  if (!Array.isArray(supportedLanguages)) return tag(asked) || tag(defaultLanguage);
  const offered = [asked, asked.split('-')[0]].find((each) => supportedLanguages.includes(each));
  return tag(offered) || tag(defaultLanguage);
}

const inLanguage = (validation: Validation | undefined, lang: string) => validation && { ...validation, lang };

/** Returns the rules with the language of their texts, unless it is unknown or English, the page's own. */
export const spoken = (rules: readonly Rule[], lang: string): Rule[] =>
  lang === '' || /^en\b/i.test(lang)
    ? [...rules]
    : rules.map((rule) => ({
        ...rule,
        ...(rule.validation && { validation: inLanguage(rule.validation, lang) }),
        ...(rule.sourceValidation && { sourceValidation: inLanguage(rule.sourceValidation, lang) }),
      }));

/** Returns the provider with the language of its texts set on each rule. */
export const withLanguage = (provider: Provider, asked: string): Provider => ({
  ...provider,
  accountType: {
    ...provider.accountType,
    validationRules: spoken(provider.accountType.validationRules, languageOf(provider, asked)),
  },
});
