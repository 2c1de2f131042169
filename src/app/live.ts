import type { ActorOptions, AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';

/**
 * A journey's machine with its ports supplied; `input` makes the machine's input from the address, `clock` times its
 * delays instead of the browser's.
 */
export interface LiveJourney {
  machine: AnyStateMachine;
  input?: (query: URLSearchParams) => object;
  clock?: NonNullable<ActorOptions<AnyStateMachine>['clock']>;
}

/** The live machine of every journey, loaded with its page. */
export const live: Record<JourneyId, () => Promise<LiveJourney>> = {
  settings: () => import('./live/settings.ts'),
  organisation: () => import('./live/organisation.ts'),
  company: () => import('./live/company.ts'),
  accessToken: () => import('./live/accessToken.ts'),
  userToken: () => import('./live/userToken.ts'),
  account: () => import('./live/account.ts'),
  dataset: () => import('./live/dataset.ts'),
  subscription: () => import('./live/subscription.ts'),
  bankSubscription: () => import('./live/bankSubscription.ts'),
  authorisation: () => import('./live/authorisation.ts'),
  debtor: () => import('./live/debtor.ts'),
  debtorQuery: () => import('./live/debtorQuery.ts'),
  creditor: () => import('./live/creditor.ts'),
  creditorQuery: () => import('./live/creditorQuery.ts'),
  electronicPayment: () => import('./live/electronicPayment.ts'),
  filePayment: () => import('./live/filePayment.ts'),
  batch: () => import('./live/batch.ts'),
  batchList: () => import('./live/batchList.ts'),
  transfer: () => import('./live/transfer.ts'),
  consumerHealth: () => import('./live/consumerHealth.ts'),
  messagingHealth: () => import('./live/messagingHealth.ts'),
  translations: () => import('./live/translations.ts'),
  bankFiles: () => import('./live/bankFiles.ts'),
  providers: () => import('./live/providers.ts'),
  additionalData: () => import('./live/additionalData.ts'),
};
