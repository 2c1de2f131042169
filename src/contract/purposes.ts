import type { CallName } from './calls.ts';
import { operationAt, serviceCalls } from './serviceCalls.ts';

/** The purpose of each call of the console's API, in one sentence; shown by the OpenAPI document and the workbench. */
export const callPurposes: Readonly<Record<CallName, string>> = {
  getSettings: 'Reads the settings of the company that the page shows.',
  setSetting: 'Changes one setting.',
  changeSettings: 'Changes several settings together: all of them, or none.',
  getFacts: 'Reads the user’s state: what exists, what is chosen and what is blocked.',
  getSetAside: 'Lists the quarantined records.',
  getProviders: 'Lists the providers of a country.',
  getProvider: 'Reads one provider with the rules that its forms follow.',
  getLocalInstruments: 'Lists the local instruments, which carry rules of payments.',
  getBanks: 'Lists the banks that can be subscribed to.',
  getFraming: 'Reads whether a page of a provider can be shown in a frame.',
  getSubscription: 'Reads a subscription from the service and stores its status.',
  createSubscription: 'Subscribes the company to a provider, so that it can pay through it once that is authorised.',
  patchSubscription: 'Suspends or resumes a subscription.',
  sendUpdate: 'Sends the provider more data about a subscription; the webhook brings the result.',
  putDebtor: 'Sends the provider a debtor, the account to pay from; the webhook brings the result.',
  putCreditor: 'Sends the provider a creditor, a payee; the webhook brings the result.',
  queryDebtors: 'Asks the provider for its debtors; the list arrives by webhook.',
  queryCreditors: 'Asks the provider for its creditors; the list arrives by webhook.',
  deleteDebtor: 'Asks the provider to delete a debtor; the webhook brings the result.',
  deleteCreditor: 'Asks the provider to delete a creditor; the webhook brings the result.',
  listMessages: 'Lists the messages to providers with their outcomes.',
  getMessage: 'Reads the outcome of one message.',
  sendMessageAgain: 'Resends a message whose response was lost, with the same idempotency key.',
  listWebhooks: 'Lists the webhooks that no page has read.',
  getDebtors: 'Lists the debtors that the provider has accepted.',
  getCreditors: 'Lists the creditors that the provider has accepted.',
  getInvoices: 'Lists sample invoices to pay.',
  getFileFormats: 'Lists the file formats of payments.',
  preparePayment:
    'Opens the review of a payment: gives it its idempotency key and finds invoices that may be paid already.',
  getPaymentAttempt: 'Returns the batch of a payment whose outcome is unknown, to resend it under its key.',
  createBatch: 'Pays the reviewed invoices as one batch; the idempotency key prevents a second payment.',
  getBatch: 'Reads a batch with the status of each of its payments.',
  getPostedBatches: 'Lists the batches posted from this console.',
  downloadPaymentFile: 'Downloads the file that carries a batch’s payments to the bank.',
  useExisting: 'Enters an existing organisation by its signing key.',
  revealSigningKey: 'Shows an organisation’s signing key, until that has succeeded once.',
  confirmSigningKey: 'Confirms that the signing key was shown, so that it is not shown again.',
  restoreSigningKey: 'Restores the previous signing key of an organisation, if the service accepts it.',
  removeRecord: 'Removes records that the service no longer knows.',
  createOrganisation: 'Creates the organisation, which gets the key that signs the calls of its companies.',
  createCompany: 'Creates a company of the organisation, in whose name the next steps act.',
  createAccount: 'Creates the network account of the signed-in user.',
  createDataset: 'Creates a data set of the network.',
  getUserInfo: 'Reads from the identity provider who the user token belongs to.',
  getToken: 'Gets the company’s access token, which the service’s calls carry.',
  startLogin: 'Starts the login at the identity provider that gives a user token.',
  storeUserToken: 'Checks and stores the user token of a login.',
  getTimeline: 'Reads the traffic between page, console and service.',
  getTest: 'Makes a test of a recorded write.',
  getDescription: 'Reads the description of the service.',
  getDrift: 'Compares the answers of the service with its description.',
  saveSituation: 'Saves the situation of sandbox and companies in one file.',
  openSituation: 'Opens a situation from a file in the sandbox.',
  checkSituation: 'Checks a situation file before it is opened.',
  getTranslation: 'Reads the translation of a text of the service.',
  getConsumerHealth: 'Asks whether the consumer API works.',
  getMessagingHealth: 'Asks whether the messaging API works.',
  getLab: 'Reads the state of the fault lab.',
  stopLab: 'Stops all faults of the sandbox and sets its clock to the machine’s time.',
  setFault: 'Adds a fault rule to the sandbox.',
  removeFault: 'Removes a rule of the fault lab.',
  stopFaults: 'Removes all rules of the fault lab.',
  changeClock: 'Moves the sandbox’s clock, stops it or lets it run.',
  resetClock: 'Sets the sandbox’s clock to the machine’s time.',
  setReceiver: 'Sends the sandbox’s webhooks to a second address as well.',
  removeReceiver: 'Removes the second receiver of webhooks.',
  getLabBatches: 'Lists the company’s batches with the state that each is in at the sandbox.',
  stepBatch: 'Advances a batch to its next state.',
  getLabWebhooks: 'Lists the webhooks that the sandbox has sent, or should have.',
  sendWebhooksAgain: 'Sends all webhooks again that were not accepted since a time.',
  checkWebhook: 'Checks the signature of a webhook as a receiver does.',
  sendWebhookAgain: 'Resends one webhook with the same id.',
  explainSignature: 'Explains the signature of a webhook.',
  sendExample: 'Sends an example of an operation to the sandbox.',
  emptySandbox: 'Empties the sandbox, and ends its companies.',
  getPrograms: 'Lists the tokens of the user’s programs.',
  getProgramChecks: 'Judges the calls of the user’s programs.',
  getProgramVerdict: 'Shows the verdict of the latest verification of a program.',
  getProgramEnvironment: 'Lists what a program needs to call the service; reveals the sandbox’s secrets.',
  makeProgramToken: 'Creates a token for a program.',
  confirmProgramToken: 'Confirms that the user has copied a program’s token, so that it is not shown again.',
  revokeProgramToken: 'Revokes a program’s token.',
  signOut: 'Ends the user’s session.',
};

/** The purpose of a call of the service; '' if it is unknown. `path` has no query. */
export function servicePurpose(method: string, path: string): string {
  const operation = operationAt(method, path);
  return operation ? serviceCalls[operation].purpose : '';
}

/** The purpose of a webhook, by its type. */
export function webhookPurpose(type: string): string {
  if (type === 'subscriptionUpdated') return 'Reports a new status of a subscription.';
  if (type === 'batchUpdated') return 'Reports a new status of a batch or of one of its payments.';
  if (type.endsWith('responses')) return 'Carries the list that a query asked the provider for.';
  return type === '' ? 'Refused before it was read.' : 'Carries the provider’s result of a message.';
}
