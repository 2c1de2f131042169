import { additionalDataMachine } from '#machines/additionalData.machine.ts';
import { settingsMachine } from '#machines/settings.machine.ts';
import { transferMachine } from '#machines/transfer.machine.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { provider, rules } from '#tests/support/material.ts';
import { modelOf } from '#tests/support/paths.ts';
import { typing } from '#tests/support/typing.ts';

export const settingsModel = modelOf({
  machine: settingsMachine,
  answers: {
    readSettings: { settings: factsAfter('nothing').settings },
    saveSetting: { settings: everything.settings },
  },
  events: ({ queue }) => (queue.length < 3 ? [{ type: 'setting.change', key: 'providerCountry', value: 'GB' }] : []),
  reads: ({ queue }) => queue.length,
});

export const transferModel = modelOf({
  machine: transferMachine,
  answers: { loadFacts: { facts: factsAfter('nothing') } },
});

export const additionalDataModel = modelOf({
  machine: additionalDataMachine,
  answers: { loadProviders: { providers: [provider] } },
  events: (context) => [
    { type: 'provider.choose', providerId: provider.providerId },
    { type: 'rules.paste', text: '[]' },
    { type: 'path.choose', apiPath: 'Creditors' },
    ...typing(context),
  ],
  reads: ({ rules: chosen, apiPath }) => [chosen.length === rules.length, apiPath],
});
