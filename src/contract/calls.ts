/**
 * The console's own API, call by call: method and path (behaviour, section 7). Shapes of params, bodies and answers are
 * in shapes.ts, so that the browser needs no schema library. `{name}` marks a path parameter. `write: true` calls
 * need the header `Idempotency-Key`.
 */
export const calls = {
  getSettings: { method: 'GET', path: '/api/settings' },
  setSetting: { method: 'POST', path: '/api/settings' },
  getFacts: { method: 'GET', path: '/api/facts' },
  /** Records that could not be read and are kept apart. */
  getSetAside: { method: 'GET', path: '/api/setaside' },
  getProviders: { method: 'GET', path: '/api/providers' },
  getProvider: { method: 'GET', path: '/api/providers/{providerId}' },
  getLocalInstruments: { method: 'GET', path: '/api/localinstruments' },
  getBanks: { method: 'GET', path: '/api/banks' },
  getSubscription: { method: 'GET', path: '/api/subscription/{subscriptionId}' },
  createSubscription: { method: 'POST', path: '/api/subscription', write: true },
  patchSubscription: { method: 'PATCH', path: '/api/patchsubscriptions/{subscriptionId}' },
  sendUpdate: { method: 'POST', path: '/api-msg-v1/updates', write: true },
  putDebtor: { method: 'POST', path: '/api-msg-v1/debtoraccountputs', write: true },
  putCreditor: { method: 'POST', path: '/api-msg-v1/creditorputs', write: true },
  queryDebtors: { method: 'POST', path: '/api-msg-v1/debtoraccountlistqueries' },
  queryCreditors: { method: 'POST', path: '/api-msg-v1/creditorlistqueries' },
  deleteDebtor: { method: 'POST', path: '/api-msg-v1/debtoraccountdeletes', write: true },
  deleteCreditor: { method: 'POST', path: '/api-msg-v1/creditordeletes', write: true },
  /** What was sent to providers, newest first; what awaits an answer is among it, whichever page or tab sent it. */
  listMessages: { method: 'GET', path: '/api/messages' },
  /** What became of a message: the service answers 202 and a webhook decides. By its own id, or by its resource's. */
  getMessage: { method: 'GET', path: '/api/messages/{resourceId}' },
  /** Sends a message again whose answer was lost: under its own idempotency key, so that the service takes it once. */
  sendMessageAgain: { method: 'POST', path: '/api/messages/{messageId}/again' },
  /** Webhooks that no page has read, newest first. */
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  getDebtors: { method: 'GET', path: '/api/debtors' },
  getCreditors: { method: 'GET', path: '/api/creditors' },
  getInvoices: { method: 'GET', path: '/api/invoices' },
  getFileFormats: { method: 'GET', path: '/api/fileformats' },
  /** Opens a payment's review: returns the idempotency key to pay under and the invoices that may be paid already. */
  preparePayment: { method: 'POST', path: '/api/paymentattempts' },
  createBatch: { method: 'POST', path: '/api/batchpayments', write: true },
  getBatch: { method: 'GET', path: '/api/batchpayments/{batchId}' },
  getPostedBatches: { method: 'GET', path: '/api/getbatchpayments' },
  downloadPaymentFile: { method: 'GET', path: '/api/downloadpaymentfile/{link}' },
  /** Takes up an organisation, and its company unless companyId is '', by its signing key; the service has to take it. */
  useExisting: { method: 'POST', path: '/api/existing' },
  /** Returns the organisation's signing key, once. */
  revealSigningKey: { method: 'POST', path: '/api/signingkey' },
  /** Removes from here what the service no longer knows. */
  removeRecord: { method: 'POST', path: '/api/remove' },
  createOrganisation: { method: 'POST', path: '/api/organisation', write: true },
  createCompany: { method: 'POST', path: '/api/company', write: true },
  createAccount: { method: 'POST', path: '/api/account', write: true },
  createDataset: { method: 'POST', path: '/api/dataset', write: true },
  getUserInfo: { method: 'GET', path: '/api/userinfo' },
  getToken: { method: 'GET', path: '/api/token' },
  startLogin: { method: 'POST', path: '/api/login' },
  storeUserToken: { method: 'POST', path: '/api/usertoken' },
  /** What passed between page, console and service, newest first. */
  getTimeline: { method: 'GET', path: '/api/timeline' },
  /** Sends the call of an entry again: under its own key, or as another request. */
  repeatCall: { method: 'POST', path: '/api/timeline/{entryId}/again' },
  getTranslation: { method: 'GET', path: '/api/translation/{key}' },
  getConsumerHealth: { method: 'GET', path: '/api/consumerapistatus' },
  getMessagingHealth: { method: 'GET', path: '/api/consumermessagingapistatus' },
  /** Ends the user's session. */
  signOut: { method: 'POST', path: '/api/signout' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'PATCH'; path: `/${string}`; write?: true }>;

export type CallName = keyof typeof calls;
