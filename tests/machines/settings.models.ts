import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { missingExamples, shownSettings } from '#machines/settings/changes.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { provider, rules } from '#tests/support/fixtures.ts';
import { modelOf } from '#tests/support/paths.ts';
import { otherThan, typed } from '#tests/support/formTyping.ts';

export const settingsModel = modelOf(settingsMachine)({
  facts: {
    'no countries': withFacts(everything, { settings: { providerCountry: '', fileFormatCountry: '' } }),
    'no language': withFacts(everything, { settings: { acceptLanguage: '' } }),
    'any facts': everything,
  },
  answers: { saveSetting: { settings: withFacts(everything, { settings: { useNetwork: 'false' } }).settings } },
  events: {
    'setting.change': ({ facts, queue }) =>
      queue.length < 3
        ? [{ key: 'providerCountry', value: otherThan(shownSettings({ facts, queue }).providerCountry, 'GB', 'US') }]
        : [],
  },
  reads: (context) => [context.queue.length, missingExamples(context).length, context.errors.length],
});

export const transferModel = modelOf(transferMachine)({
  facts: { facts: factsAfter('nothing') },
  events: {},
  answers: {},
});

export const additionalDataModel = modelOf(additionalDataMachine)({
  facts: { 'any facts': everything },
  answers: { loadProviders: { providers: [provider] } },
  events: {
    ...typed,
    'provider.choose': ({ providerId }) => [{ providerId: otherThan(providerId, provider.providerId, '') }],
    'rules.paste': () => [{ text: '[]' }, { text: '{}' }],
    'path.choose': ({ apiPath }) => [{ apiPath: otherThan(apiPath, 'Creditors', 'DebtorAccounts') }],
  },
  keepsFacts: 'of the facts it reads the environment only, which stays',
  reads: ({ rules: chosen, apiPath }) => [chosen.length === rules.length, apiPath],
});
