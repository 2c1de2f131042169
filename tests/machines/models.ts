import type { JourneyId } from '#machines/journeys.ts';
import type { Model } from '#tests/support/paths.ts';
import { batchListModel, batchModel } from './batch.models.ts';
import { accountModel, companyModel, datasetModel, organisationModel } from './form.models.ts';
import {
  bankFilesModel,
  consumerHealthModel,
  messagingHealthModel,
  providersModel,
  translationsModel,
} from './lookup.models.ts';
import { creditorModel, creditorQueryModel, debtorModel, debtorQueryModel } from './party.models.ts';
import { electronicPaymentModel, filePaymentModel } from './payment.models.ts';
import { additionalDataModel, settingsModel, transferModel } from './settings.models.ts';
import { authorisationModel, bankSubscriptionModel, subscriptionModel } from './subscription.models.ts';
import { accessTokenModel, userTokenModel } from './token.models.ts';

/** The model of every journey's machine; one that is missing does not compile. */
export const models: Record<JourneyId, Model> = {
  settings: settingsModel,
  consumerHealth: consumerHealthModel,
  messagingHealth: messagingHealthModel,
  translations: translationsModel,
  organisation: organisationModel,
  company: companyModel,
  accessToken: accessTokenModel,
  userToken: userTokenModel,
  account: accountModel,
  dataset: datasetModel,
  subscription: subscriptionModel,
  bankSubscription: bankSubscriptionModel,
  authorisation: authorisationModel,
  bankFiles: bankFilesModel,
  providers: providersModel,
  additionalData: additionalDataModel,
  debtor: debtorModel,
  debtorQuery: debtorQueryModel,
  creditor: creditorModel,
  creditorQuery: creditorQueryModel,
  electronicPayment: electronicPaymentModel,
  filePayment: filePaymentModel,
  batch: batchModel,
  batchList: batchListModel,
  transfer: transferModel,
};
