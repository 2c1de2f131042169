import type { JourneyId } from '#machines/journeys.ts';
import { authorisation } from './authorisation.ts';
import { batch, batchList } from './batch.ts';
import { consumerHealth, messagingHealth, translations, bankFiles, providers, additionalData } from './lookup.ts';
import { organisation, company, accessToken, userToken, account, dataset } from './onboarding.ts';
import { debtor, debtorQuery, creditor, creditorQuery } from './party.ts';
import { electronicPayment, filePayment, transfer } from './payment.ts';
import { settings } from './settings.ts';
import { subscription, bankSubscription } from './subscription.ts';
import type { SuppliedJourney } from './supplied.ts';

/** Every journey's machine with the page's effects. */
export const suppliedJourneys: Readonly<Record<JourneyId, SuppliedJourney>> = {
  settings,
  organisation,
  company,
  accessToken,
  userToken,
  account,
  dataset,
  subscription,
  bankSubscription,
  authorisation,
  debtor,
  debtorQuery,
  creditor,
  creditorQuery,
  electronicPayment,
  filePayment,
  batch,
  batchList,
  transfer,
  consumerHealth,
  messagingHealth,
  translations,
  bankFiles,
  providers,
  additionalData,
};
