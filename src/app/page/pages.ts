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

interface Tool extends OtherPage {
  /** Below the heading; '' for none. The page may add sentences. */
  purpose: string;
}

const toolPages = [
  {
    path: '/timeline',
    title: 'Timeline',
    words: 'calls, webhooks, traffic, log, curl, HAR, Postman, Bruno, export',
    purpose: 'Traffic between this page, the console and the service, without its secrets.',
  },
  {
    path: '/sandbox',
    title: 'Fault lab',
    words: 'sandbox, clock, webhooks, magic values',
    purpose: 'Make the sandbox fail the way real services do, for every page and program that uses it.',
    sandbox: true,
  },
  { path: '/programs', title: 'Your app', words: 'connect, tokens, base URL, verify', purpose: '' },
  {
    path: '/run',
    title: 'Scripts',
    words: 'open, run, journeys',
    purpose: 'A script holds journeys and their values.',
  },
  {
    path: '/reference',
    title: 'API reference',
    words: 'OpenAPI, operations, bodies, description, docs',
    purpose:
      'The calls and webhooks of the service. Each part is specified, by public pages or this console’s calls, or our choice.',
  },
  {
    path: '/drift',
    title: 'Drift',
    words: 'differences, description, changes',
    purpose:
      'Responses and webhooks in the timeline that differ from the description. Set a difference as a fault of the sandbox to test your app against it.',
  },
] as const satisfies readonly Tool[];

export type ToolPath = (typeof toolPages)[number]['path'];

/** The pages that the top bar lists as tools. */
export const tools: readonly (Tool & { path: ToolPath })[] = toolPages;

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
