import { journeyOf, journeyOrder } from '#machines/journeys.ts';

/** A page that is no journey, or one that the menu does not list. */
export interface OtherPage {
  path: string;
  title: string;
  /** What the palette finds it by, besides its title. */
  words: string;
  /** Only with the sandbox. */
  sandbox?: true;
}

/** The pages that the top bar lists as tools. */
export const tools: readonly OtherPage[] = [
  { path: '/timeline', title: 'Timeline', words: 'calls, webhooks, traffic, log' },
  { path: '/sandbox', title: 'Fault lab', words: 'sandbox, clock, webhooks, magic values', sandbox: true },
  { path: '/programs', title: 'Your app', words: 'connect, tokens, base URL, verify' },
  { path: '/run', title: 'Scripts', words: 'open, run, journeys' },
  { path: '/reference', title: 'API reference', words: 'OpenAPI, operations, bodies, description' },
  { path: '/drift', title: 'Drift', words: 'differences, description, changes' },
];

/** The pages that are no journeys. A journey's chart is reached from the map. */
export const otherPages: readonly OtherPage[] = [
  { path: '/', title: 'Home', words: 'guided path, start' },
  { path: '/journeys', title: 'Map of the journeys', words: 'charts' },
  ...tools,
];

/** Every page that the menu does not list. */
export const pagesBesideMenu: readonly OtherPage[] = [
  ...otherPages,
  ...journeyOrder
    .map((id) => journeyOf(id))
    .filter(({ group }) => group === undefined)
    .map(({ path, title }) => ({ path, title, words: '' })),
];
