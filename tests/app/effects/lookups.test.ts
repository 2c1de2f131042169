import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { bankFiles, providers, translations } from '#app/effects/lookup.ts';
import type { Provider } from '#contract/lookup.ts';
import { fileFormat, provider } from '#tests/support/fixtures.ts';
import { names, requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const withRules = (providerId: string, validationRules: Provider['accountType']['validationRules']): Provider => ({
  ...provider,
  providerId,
  name: providerId,
  accountType: { ...provider.accountType, validationRules },
});
const rule = (ruleId: string, texts: object) => ({
  ruleId,
  validation: { apiPath: 'Subscriptions', jsonPath: `additionalData.${ruleId}`, ...texts },
});

beforeEach(() => {
  server.made.length = 0;
  server.answers = {
    getSettings: () => ({ providerCountry: 'CA', fileFormatCountry: 'ZA', acceptLanguage: 'en-CA' }),
    getProviders: () => ({
      data: [
        withRules('speaking', [
          rule('silent', {}),
          rule('labelled', { uiLabel: 'Label', example: '', description: 'x' }),
        ]),
        withRules('silent', [rule('silent', { regex: 'a' })]),
        withRules('bare', []),
      ],
    }),
    getFileFormats: () => ({ data: [fileFormat] }),
    getTranslation: () => ({ data: { data: { translation: 'Bezeichnung' } } }),
  };
});

/** The context of a lookup opened with this address. */
async function shown<Supplied extends typeof providers | typeof bankFiles | typeof translations>(
  supplied: Supplied,
  address: string,
) {
  const input = { ...supplied.input(new URLSearchParams(address)), facts: everything };
  const actor = createActor(supplied.machine as typeof providers.machine, { input }).start(); // they differ in their results only
  return (await waitFor(actor, (snapshot) => snapshot.matches('shown'))).context;
}

describe.each([
  ['providers', providers, 'getProviders', 'CA'],
  ['bank files', bankFiles, 'getFileFormats', 'ZA'],
] as const)('the lookup of %s', (_, supplied, name, country) => {
  it('starts with the country and language of the settings', async () => {
    expect((await shown(supplied, '')).result).toMatchObject({ country, language: 'en-CA' });
    expect(requests(name)[0]).toMatchObject({ query: { country, language: 'en-CA' } });
  });

  it('starts with the country in the address', async () => {
    expect((await shown(supplied, 'country=GB&unknown=1')).question).toEqual({ country: 'GB' });
    expect(requests(name)[0]).toMatchObject({ query: { country: 'GB', language: 'en-CA' } });
  });

  it('keeps an empty language from the address', async () => {
    await shown(supplied, 'language=');
    expect(requests(name)[0]).toMatchObject({ query: { country, language: '' } });
  });
});

describe('the lookup of translations', () => {
  it('offers only entities, rules and fields that have texts', async () => {
    const { result } = await shown(translations, '');
    expect(result).toMatchObject({
      entities: [{ id: 'speaking', rules: [{ id: 'labelled', fields: ['uiLabel', 'description'] }] }],
      text: '',
    });
    expect(result).toHaveProperty('entities.length', 1);
    expect(names()).not.toContain('getTranslation');
  });

  it('looks up the translation that the address names when the page opens', async () => {
    const chosen = 'entityType=Provider&entityId=speaking&ruleId=labelled&field=description';
    expect((await shown(translations, chosen)).result).toMatchObject({ text: 'Bezeichnung' });
    expect(requests('getTranslation')[0]?.params).toEqual({ key: 'speakingProvider.labelled.description' });
  });

  it.each(['ruleId=labelled&field=example', 'ruleId=silent&field=uiLabel', 'ruleId=labelled&field=toString'])(
    'sends no request for a text that does not exist: %s',
    async (chosen) => {
      expect((await shown(translations, `entityId=speaking&${chosen}`)).result).toMatchObject({ text: '' });
      expect(names()).not.toContain('getTranslation');
    },
  );
});
