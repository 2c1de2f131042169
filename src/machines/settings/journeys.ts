import type { Journey } from '../journey.ts';

const settings = {
  id: 'settings',
  path: '/settings',
  title: 'Settings',
  group: 'Misc',
  heading: 'Choose country and language',
  purpose: 'They determine the providers, bank file templates and texts. Each change is saved at once.',
  summary: 'Chooses countries, language and the two switches; each change is saved at once with POST /api/settings.',
  requires: [],
  after: [],
  local: 'countries, language and switches can be chosen',
  provides: ['settings', 'providers', 'bankProvider', 'fileFormats'],
  guided: 'always',
  continues: true,
  whyNext: () => 'Providers, bank file templates and the texts of every rule depend on them.',
  outcome: ({ settings }) => `${settings.providerCountry} · ${settings.acceptLanguage || 'no language'}`,
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { settings } as const;
