import type { JourneyCode } from '#machines/console.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { batch, batchList } from './batch.ts';
import { additionalData, bankFiles, consumerHealth, messagingHealth, providers, translations } from './lookup.ts';
import { accessToken, account, company, dataset, organisation, userToken } from './onboarding.ts';
import { creditor, creditorQuery, debtor, debtorQuery } from './party.ts';
import { electronicPayment, filePayment, transfer } from './payment.ts';
import { settings } from './settings.ts';
import { authorisation, bankSubscription, subscription } from './subscription.ts';

/** Every journey's machine with the page's effects. */
export const suppliedJourneys: Readonly<Record<JourneyId, JourneyCode>> = {
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
  transfer,
  batch,
  batchList,
  consumerHealth,
  messagingHealth,
  translations,
  bankFiles,
  providers,
  additionalData,
};
