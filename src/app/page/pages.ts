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

/** The pages that are no journeys. A journey's chart is reached from the map. */
export const otherPages: readonly OtherPage[] = [
  { path: '/', title: 'Home', words: 'guided path, start' },
  { path: '/journeys', title: 'Map of the journeys', words: 'charts' },
  { path: '/timeline', title: 'Timeline', words: 'calls, webhooks, traffic, log' },
  { path: '/sandbox', title: 'Fault lab', words: 'sandbox, clock, webhooks, magic values', sandbox: true },
  { path: '/programs', title: 'Connect your app', words: 'tokens, base URL, verify' },
  { path: '/run', title: 'Scripts', words: 'open, run, journeys' },
];

/** Every page that the menu does not list. */
export const pagesBesideMenu: readonly OtherPage[] = [
  ...otherPages,
  ...journeyOrder
    .map((id) => journeyOf(id))
    .filter(({ group }) => group === undefined)
    .map(({ path, title }) => ({ path, title, words: '' })),
];
