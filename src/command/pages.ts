import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { supply } from '#machines/port.ts';
import * as batch from '#app/ports/batch.ts';
import * as lookup from '#app/ports/lookup.ts';
import * as onboarding from '#app/ports/onboarding.ts';
import * as party from '#app/ports/party.ts';
import * as payment from '#app/ports/payment.ts';
import { authorisation } from '#app/ports/authorisation.ts';
import { settings } from '#app/ports/settings.ts';
import { bankSubscription, subscription } from '#app/ports/subscription.ts';
import { call } from '#app/client.ts';
import type { Pages, SuppliedJourney } from '#app/pages.ts';
import type { JourneyId } from '#machines/journeys.ts';

/** The login without a page: nothing needs to be restored when it returns. */
const userToken = {
  machine: supply(userTokenMachine, { startLogin: (_, signal) => call('startLogin', { signal }) }),
  input: onboarding.userToken.input,
} satisfies SuppliedJourney;

const { organisation, company, accessToken, account, dataset } = onboarding;
const { debtor, debtorQuery, creditor, creditorQuery } = party;
const { electronicPayment, filePayment, transfer } = payment;
const { consumerHealth, messagingHealth, translations, bankFiles, providers, additionalData } = lookup;

/** Every journey's machine with the page's ports. */
const supplied: Readonly<Record<JourneyId, SuppliedJourney>> = {
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
  batch: batch.batch,
  batchList: batch.batchList,
  transfer,
  consumerHealth,
  messagingHealth,
  translations,
  bankFiles,
  providers,
  additionalData,
};

const undrawn = () => Promise.resolve({ default: () => null });

/** The table of pages without components. */
export const pages: Pages = Object.fromEntries(
  Object.entries(supplied).map(([id, journey]) => [id, { machine: () => Promise.resolve(journey), step: undrawn }]),
) as unknown as Pages; // made from exactly these journeys
