import type { AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';

/** A journey's machine with its ports supplied; `input` makes the machine's input from the address. */
export interface LiveJourney {
  machine: AnyStateMachine;
  input?: (query: URLSearchParams) => object;
}

/** The live machine of every journey, loaded with its page. */
export const live: Partial<Record<JourneyId, () => Promise<LiveJourney>>> = {
  organisation: () => import('./live/organisation.ts'),
  company: () => import('./live/company.ts'),
  account: () => import('./live/account.ts'),
  dataset: () => import('./live/dataset.ts'),
};
