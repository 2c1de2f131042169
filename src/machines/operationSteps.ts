import { own } from '#contract/member.ts';
import type { ServiceOperation } from '#contract/serviceCalls.ts';
import type { JourneyId } from './journeys.ts';

/** The journeys that send each operation of the service, the first of which is opened for it. */
const steps: Readonly<Record<Exclude<ServiceOperation, 'authorize' | 'keySet'>, readonly JourneyId[]>> = {
  createOrganisation: ['organisation'],
  createCompany: ['company'],
  accessToken: ['accessToken'],
  userInfo: ['userToken'],
  createAccount: ['account'],
  createDataset: ['dataset'],
  providers: ['providers'],
  provider: ['electronicPayment', 'creditor'],
  localInstruments: ['additionalData', 'electronicPayment'],
  fileFormats: ['bankFiles', 'filePayment'],
  banks: ['bankSubscription'],
  translation: ['translations'],
  consumerStatus: ['consumerHealth'],
  messagingStatus: ['messagingHealth'],
  createSubscription: ['subscription', 'bankSubscription'],
  subscription: ['authorisation'],
  patchSubscription: ['authorisation'],
  updates: ['authorisation'],
  debtoraccountputs: ['debtor'],
  creditorputs: ['creditor'],
  debtoraccountlistqueries: ['debtorQuery'],
  creditorlistqueries: ['creditorQuery'],
  debtoraccountdeletes: ['debtorQuery'],
  creditordeletes: ['creditorQuery'],
  createBatch: ['electronicPayment', 'filePayment'],
  batch: ['batch'],
  paymentFile: ['batch'],
};

/** The journeys that send an operation, by its name in the description; empty if none does. */
export const stepsOf = (operation: string): readonly JourneyId[] => (own(steps, operation) ? steps[operation] : []);
