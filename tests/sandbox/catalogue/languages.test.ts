import { describe, it, expect } from 'vitest';
import { validationOf } from '#rules/field.ts';
import { bankFilesPageCountries } from '#contract/constants.ts';
import type { Rule } from '#contract/lookup.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
const tamarack = catalogue.providersFor('CA')[0];

describe('a requested language', () => {
  it.each([
    ['GB', 'en', 7],
    ['GB', 'en-GB', 7],
    ['US', 'en-US', 1],
    ['AU', 'en', 1],
    ['CA', 'en-CA', 1],
    ['CA', 'fr-CA', 1],
    ['GB', '', 7],
    ['CA', '', 1],
    ['CA', 'en', 0],
    ['GB', 'fr-FR', 0],
    ['FR', 'fr-FR', 0],
  ])('finds the providers of %s that support it: %s', (country, language, many) => {
    expect(catalogue.providersFor(country, language)).toHaveLength(many);
  });

  it.each([
    ['AU', 'en', 2],
    ['CA', 'fr-CA', 1],
    ['CA', 'en', 0],
    ['FR', 'fr-FR', 1],
    ['FR', 'en', 1],
    ['ZA', 'en', 1],
    ['GB', 'en', 1],
    ['US', 'en', 1],
    ['GB', 'fr-FR', 0],
    ['US', 'de-DE', 0],
    ['FR', '', 1],
  ])('finds the file formats of %s that support it: %s', (country, language, many) => {
    expect(catalogue.fileFormatsFor(country, language)).toHaveLength(many);
  });

  it.each(bankFilesPageCountries.flatMap((country) => ['de-DE', 'es-ES'].map((language) => [country, language])))(
    'that only the bank files page offers finds a file format of %s: %s',
    (country, language) => {
      const [format, ...others] = catalogue.fileFormatsFor(country, language);
      expect(others).toEqual([]);
      expect(format?.name).toBe(
        language === 'de-DE' ? 'Auslandsüberweisungen, 320 Spalten' : 'Transferencias internacionales, 320 columnas',
      );
      expect(format?.supportedLanguages).toContain(language);
    },
  );

  it('translates a file format’s name; without one the default language is used', () => {
    expect(names(catalogue.fileFormatsFor('FR', 'en'))).toEqual(['International transfers, 320 columns']);
    expect(names(catalogue.fileFormatsFor('FR'))).toEqual(['Virements internationaux, 320 colonnes']);
  });

  it('that a single provider does not support is answered in its default language (wire 15.1)', () => {
    expect(catalogue.providerById(tamarack?.providerId ?? '', 'de-DE')).toEqual(
      catalogue.providerById(tamarack?.providerId ?? ''),
    );
    expect(catalogue.providerById('nobody')).toBeUndefined();
  });

  it('is also used for the rules of local instruments', () => {
    const french = catalogue.providerById(tamarack?.providerId ?? '', 'fr-CA');
    const rules = french ? catalogue.rulesOf(french, 'BatchPayments') : [];
    const labels = rules.map(({ validation }) => validation?.uiLabel);
    expect(labels).toEqual(['Code d’opération', 'Montant', 'Devise', 'Référence']);
  });
});

describe('definitions in several languages', () => {
  const pairs: [string, Rule[], Rule[]][] = [
    [
      'provider',
      catalogue.providersFor('CA', 'en-CA').flatMap(({ accountType }) => accountType.validationRules),
      catalogue.providersFor('CA', 'fr-CA').flatMap(({ accountType }) => accountType.validationRules),
    ],
    ...(
      [
        ['CA', 'en-CA', 'fr-CA'],
        ['FR', 'en', 'fr-FR'],
        ['FR', 'en', 'de-DE'],
        ['FR', 'en', 'es-ES'],
        ['GB', 'de-DE', 'es-ES'],
      ] as const
    ).map(([country, english, french]): [string, Rule[], Rule[]] => [
      `file format ${country}`,
      catalogue.fileFormatsFor(country, english).flatMap(({ specification }) => specification.rules),
      catalogue.fileFormatsFor(country, french).flatMap(({ specification }) => specification.rules),
    ]),
  ];

  it.each(pairs)('have different messages in each: %s', (_, english, french) => {
    expect(english.length).toBe(french.length);
    english.forEach((rule, position) => {
      const [one, other] = [validationOf(rule), validationOf(french[position] ?? rule)];
      if (one) expect([rule.ruleId, one.errorMessage]).not.toEqual([rule.ruleId, other?.errorMessage]);
      if (one) expect(other?.description, rule.ruleId).toBeTruthy();
    });
  });
});

describe('a translation', () => {
  const key = (field: string) => `${tamarack?.providerId}Provider.Subscriptions-additionalData-transitNumber.${field}`;

  it('is the text of one field of one rule in the language (wire 15.2)', () => {
    expect(catalogue.translation(key('uiLabel'), 'fr-CA')).toBe('Numéro de transit');
    expect(catalogue.translation(key('uiLabel'), 'en-CA')).toBe('Transit number');
    expect(catalogue.translation(key('example'), '')).toBe('12345');
  });

  it('exists for file formats', () => {
    const [format] = catalogue.fileFormatsFor('FR');
    expect(catalogue.translation(`${format?.fileFormatId}FileFormat.Header1-19-53.uiLabel`, 'en')).toBe(
      'Name of the user',
    );
  });

  it.each([
    ['another language', key('uiLabel'), 'de-DE'],
    ['another field', key('regex'), 'en-CA'],
    ['a rest', key('uiLabel.more'), 'en-CA'],
    ['another rule', `${tamarack?.providerId}Provider.none.uiLabel`, 'en-CA'],
    ['another entity', `${tamarack?.providerId}FileFormat.Subscriptions-additionalData-transitNumber.uiLabel`, 'en-CA'],
    ['nothing', '', ''],
  ])('does not exist for %s', (_, unknown, language) => {
    expect(catalogue.translation(unknown, language)).toBeUndefined();
  });
});
