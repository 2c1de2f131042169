import type { Provider, Rule, Validation } from '#contract/lookup.ts';

/** What a definition says of its languages; `language` is that of its texts, where the service says so. */
interface Spoken {
  language?: unknown;
  defaultLanguage?: unknown;
  supportedLanguages?: unknown;
}

/** A language tag such as fr or fr-CA, else ''. */
const tag = (language: unknown): string =>
  typeof language === 'string' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language) ? language : '';

/**
 * The language that a definition's texts are in, as it was asked for in `asked` ('' asks for none); '' if that is not
 * known.
 */
export function languageOf(definition: object, asked: string): string {
  const { language, defaultLanguage, supportedLanguages } = definition as Spoken; // members that may be anything
  if (tag(language)) return tag(language);
  if (!Array.isArray(supportedLanguages)) return tag(asked) || tag(defaultLanguage);
  const offered = [asked, asked.split('-')[0]].find((each) => supportedLanguages.includes(each));
  return tag(offered) || tag(defaultLanguage);
}

const inLanguage = (validation: Validation | undefined, lang: string) => validation && { ...validation, lang };

/**
 * The rules, each with the language of its texts for the forms that are made of them, unless that is not known or
 * English, as the page is.
 */
export const spoken = (rules: readonly Rule[], lang: string): Rule[] =>
  lang === '' || /^en\b/i.test(lang)
    ? [...rules]
    : rules.map((rule) => ({
        ...rule,
        ...(rule.validation && { validation: inLanguage(rule.validation, lang) }),
        ...(rule.sourceValidation && { sourceValidation: inLanguage(rule.sourceValidation, lang) }),
      }));

/** The provider with the language of its rules' texts. */
export const withLanguage = (provider: Provider, asked: string): Provider => ({
  ...provider,
  accountType: {
    ...provider.accountType,
    validationRules: spoken(provider.accountType.validationRules, languageOf(provider, asked)),
  },
});
