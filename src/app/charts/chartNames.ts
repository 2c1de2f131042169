import { journeys, journeyOf, nameOf, type JourneyId } from '#machines/journeys.ts';

/** The machines that journeys invoke, whose charts have pages of their own. */
const invoked = {
  message: {
    name: 'A message',
    summary:
      'Sends a message to the provider and waits for its webhook. Debtors, creditors, queries and updates use it.',
  },
  approval: {
    name: 'An approval',
    summary:
      'Polls a subscription, a message or a batch while the provider’s page is open, until the provider has decided.',
  },
} as const;

export type ChartId = JourneyId | keyof typeof invoked;

const isInvoked = (id: string): id is keyof typeof invoked => Object.hasOwn(invoked, id);

/** Whether a chart has a page. */
export const isChart = (id: string): id is ChartId => Object.hasOwn(journeys, id) || isInvoked(id);

export const chartName = (id: ChartId): string => (isInvoked(id) ? invoked[id].name : nameOf(id));
export const chartSummary = (id: ChartId): string => (isInvoked(id) ? invoked[id].summary : journeyOf(id).summary);

/** The page of a journey; undefined for a machine that several journeys invoke. */
export const pathOf = (id: ChartId): string | undefined => (isInvoked(id) ? undefined : journeyOf(id).path);
