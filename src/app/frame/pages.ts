import { journeyOf, journeyOrder } from '#machines/journeys.ts';

/** A page that is no journey, or one that the menu does not list. */
export interface OtherPage {
  path: string;
  title: string;
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
    purpose: '',
  },
  {
    path: '/sandbox',
    title: 'Fault lab',
    purpose: 'Make the sandbox fail the way real services do, for every page and program that uses it.',
    sandbox: true,
  },
  { path: '/programs', title: 'Your app', purpose: '' },
  { path: '/run', title: 'Scripts', purpose: '' },
  {
    path: '/reference',
    title: 'API reference',
    purpose:
      'The calls and webhooks of the service. Each part is specified, by public pages or this console’s calls, or our choice.',
  },
  { path: '/drift', title: 'Drift', purpose: '' },
] as const satisfies readonly Tool[];

/** Which value a program needs where. */
export const connectPath = '/programs#connect';

export type ToolPath = (typeof toolPages)[number]['path'];

/** The pages that the top bar lists as tools. */
export const tools: readonly (Tool & { path: ToolPath })[] = toolPages;

/** The pages that are no journeys. A journey's chart is reached from the map. */
export const otherPages = [
  { path: '/', title: 'Home' },
  { path: '/journeys', title: 'Map of the journeys' },
  ...toolPages,
] as const satisfies readonly OtherPage[];

/** Every page that the menu does not list. */
export const pagesBesideMenu: readonly OtherPage[] = [
  ...otherPages,
  ...journeyOrder
    .map((id) => journeyOf(id))
    .filter(({ group }) => group === undefined)
    .map(({ path, title }) => ({ path, title })),
];
