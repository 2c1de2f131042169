import { describe, expect, it } from 'vitest';
import { subscriptionForm } from '#rules/field.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { rule } from './support.ts';

describe('the language of a definition', () => {
  it.each([
    ['its own language member', { language: 'fr', supportedLanguages: ['en'] }, 'en', 'fr'],
    [
      'the requested language if it supports that',
      { supportedLanguages: ['en', 'fr-CA'], defaultLanguage: 'en' },
      'fr-CA',
      'fr-CA',
    ],
    [
      'the base of the requested language if it supports only that',
      { supportedLanguages: ['en', 'fr'], defaultLanguage: 'en' },
      'fr-CA',
      'fr',
    ],
    [
      'its default if it does not support the requested language',
      { supportedLanguages: ['en'], defaultLanguage: 'en' },
      'fr-FR',
      'en',
    ],
    ['the requested language if it lists no languages', {}, 'fr-FR', 'fr-FR'],
    ['empty without any information', {}, '', ''],
    [
      'empty if its members are malformed',
      { language: '"><b', defaultLanguage: 7, supportedLanguages: [null] },
      'x',
      '',
    ],
  ])('is %s', (_, definition, asked, expected) => {
    expect(languageOf(definition, asked)).toBe(expected);
  });

  it('is set on its rules’ fields, and on an error only if the rule has its own message', () => {
    const rules = [
      rule('Subscriptions', 'additionalData.code', { errorMessage: 'Saisissez un code' }),
      rule('Subscriptions', 'additionalData.name'),
    ];
    expect(subscriptionForm(spoken(rules, 'fr')).fields).toMatchObject([
      { lang: 'fr', ownMessage: true },
      { lang: 'fr' },
    ]);
    expect(subscriptionForm(spoken(rules, 'fr')).fields[1]).not.toHaveProperty('ownMessage');
    expect(subscriptionForm(spoken(rules, '')).fields[0]).not.toHaveProperty('lang');
  });
});
