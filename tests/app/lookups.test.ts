// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { bankFiles, providers, translations } from '#app/effects/lookup.ts';
import type { Provider } from '#contract/lookup.ts';
import { fileFormat, provider } from '#tests/support/fixtures.ts';
import { names, requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';

vi.mock('#app/api/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

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

/** What a page shows that was opened with this address. */
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
] as const)('the page of %s', (_, supplied, name, country) => {
  it('starts with the country and language of the settings', async () => {
    expect((await shown(supplied, '')).result).toMatchObject({ country, language: 'en-CA' });
    expect(requests(name)[0]).toMatchObject({ query: { country, language: 'en-CA' } });
  });

  it('goes on with what its address says', async () => {
    expect((await shown(supplied, 'country=GB&unknown=1')).question).toEqual({ country: 'GB' });
    expect(requests(name)[0]).toMatchObject({ query: { country: 'GB', language: 'en-CA' } });
  });

  it('keeps a language of the address that is none', async () => {
    await shown(supplied, 'language=');
    expect(requests(name)[0]).toMatchObject({ query: { country, language: '' } });
  });
});

describe('the translations', () => {
  it('offer only entities, rules and fields that have texts', async () => {
    const { result } = await shown(translations, '');
    expect(result).toMatchObject({
      entities: [{ id: 'speaking', rules: [{ id: 'labelled', fields: ['uiLabel', 'description'] }] }],
      text: '',
    });
    expect(result).toHaveProperty('entities.length', 1);
    expect(names()).not.toContain('getTranslation');
  });

  it('look up at once what their address names', async () => {
    const chosen = 'entityType=Provider&entityId=speaking&ruleId=labelled&field=description';
    expect((await shown(translations, chosen)).result).toMatchObject({ text: 'Bezeichnung' });
    expect(requests('getTranslation')[0]?.params).toEqual({ key: 'speakingProvider.labelled.description' });
  });

  it.each(['ruleId=labelled&field=example', 'ruleId=silent&field=uiLabel', 'ruleId=labelled&field=toString'])(
    'ask for no text that there is not: %s',
    async (chosen) => {
      expect((await shown(translations, `entityId=speaking&${chosen}`)).result).toMatchObject({ text: '' });
      expect(names()).not.toContain('getTranslation');
    },
  );
});
