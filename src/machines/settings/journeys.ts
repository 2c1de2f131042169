import type { Journey } from '../journey.ts';

const settings = {
  id: 'settings',
  path: '/settings',
  title: 'Settings',
  group: 'Misc',
  summary: 'Chooses countries, language and the two switches; each change is saved at once with POST /api/settings.',
  requires: [],
  after: [],
  local: 'countries, language and switches can be chosen',
  provides: ['settings', 'providers', 'bankProvider', 'fileFormats'],
  guided: 'always',
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { settings } as const;
