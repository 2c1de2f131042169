/**
 * The console's own API: method and path of each call (behaviour, section 7). The shapes of params, bodies and answers
 * are in shapes.ts, so that the browser needs no schema library. `{name}` is a path parameter. Calls with `write: true`
 * take effect once for each value of the header `Idempotency-Key`. Without the header the server assigns a new key, which
 * the answer names in the same header. The answer of a call with `file: true` is a file, all others are JSON.
 */
export const calls = {
  getSettings: { method: 'GET', path: '/api/settings' },
  setSetting: { method: 'POST', path: '/api/settings' },
  /** Changes several settings: all of them or, if one cannot be changed, none. */
  changeSettings: { method: 'PATCH', path: '/api/settings' },
  getFacts: { method: 'GET', path: '/api/facts' },
  /** Records that were set aside because they could not be read. */
  getSetAside: { method: 'GET', path: '/api/setaside' },
  getProviders: { method: 'GET', path: '/api/providers' },
  getProvider: { method: 'GET', path: '/api/providers/{providerId}' },
  getLocalInstruments: { method: 'GET', path: '/api/localinstruments' },
  getBanks: { method: 'GET', path: '/api/banks' },
  /** Whether a provider's page or the transfer page can be shown in a frame, by the headers of its answer. */
  getFraming: { method: 'GET', path: '/api/framing' },
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
  /**
   * Messages sent to providers, newest first, including those waiting for an answer, whichever page or tab sent them.
   */
  listMessages: { method: 'GET', path: '/api/messages' },
  /**
   * The outcome of a message, by its own id or its resource's id: the service answers 202, and a webhook reports the
   * outcome.
   */
  getMessage: { method: 'GET', path: '/api/messages/{resourceId}', polled: true },
  /**
   * Resends a message whose response was lost, under its own idempotency key, so that the service accepts it only once.
   */
  sendMessageAgain: { method: 'POST', path: '/api/messages/{messageId}/again' },
  /** Unread webhooks, newest first. */
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  getDebtors: { method: 'GET', path: '/api/debtors' },
  getCreditors: { method: 'GET', path: '/api/creditors' },
  getInvoices: { method: 'GET', path: '/api/invoices' },
  getFileFormats: { method: 'GET', path: '/api/fileformats' },
  /** Opens a payment's review: returns the idempotency key to pay under and the invoices that may already be paid. */
  preparePayment: { method: 'POST', path: '/api/paymentattempts' },
  /** Returns the batch of an attempt whose outcome is unknown, so that it can be resent under its key. */
  getPaymentAttempt: { method: 'GET', path: '/api/paymentattempts/{key}' },
  createBatch: { method: 'POST', path: '/api/batchpayments', write: true },
  getBatch: { method: 'GET', path: '/api/batchpayments/{batchId}' },
  getPostedBatches: { method: 'GET', path: '/api/getbatchpayments' },
  downloadPaymentFile: { method: 'GET', path: '/api/downloadpaymentfile/{link}', file: true },
  /**
   * Stores an existing organisation with its signing key, which the service must accept, and its company unless
   * companyId is ''.
   */
  useExisting: { method: 'POST', path: '/api/existing' },
  /** Returns the organisation's signing key, until it is confirmed that it was shown. */
  revealSigningKey: { method: 'POST', path: '/api/signingkey' },
  /** Confirms that the signing key was shown: from now on it is not returned any more. */
  confirmSigningKey: { method: 'POST', path: '/api/signingkey/shown' },
  /** Puts back the signing key that another one has replaced, if the service accepts it. */
  restoreSigningKey: { method: 'POST', path: '/api/signingkey/previous' },
  /** Removes the records of a resource that the service no longer knows. */
  removeRecord: { method: 'POST', path: '/api/remove' },
  createOrganisation: { method: 'POST', path: '/api/organisation', write: true, keyOf: 'workspace' },
  createCompany: { method: 'POST', path: '/api/company', write: true, keyOf: 'organisation' },
  createAccount: { method: 'POST', path: '/api/account', write: true },
  createDataset: { method: 'POST', path: '/api/dataset', write: true },
  getUserInfo: { method: 'GET', path: '/api/userinfo' },
  getToken: { method: 'GET', path: '/api/token' },
  startLogin: { method: 'POST', path: '/api/login' },
  storeUserToken: { method: 'POST', path: '/api/usertoken' },
  /** The recorded calls, requests and webhooks, newest first. */
  getTimeline: { method: 'GET', path: '/api/timeline', unrecorded: true },
  /** A test that repeats a recorded write, with the calls that it needs and with its fault, in a sandbox of its own. */
  getTest: { method: 'GET', path: '/api/timeline/{entryId}/test', unrecorded: true },
  /** The OpenAPI document of the service, with the address that this console calls. */
  getDescription: { method: 'GET', path: '/openapi.json', unrecorded: true },
  /** What the answers and webhooks in the timeline differ in from that document. */
  getDrift: { method: 'GET', path: '/api/drift', unrecorded: true },
  /** The sandbox, the companies and the timeline in one file, without keys. */
  saveSituation: { method: 'GET', path: '/api/situation', unrecorded: true },
  /** Replaces the sandbox and the companies by those of such a file. */
  openSituation: { method: 'POST', path: '/api/situation', unrecorded: true },
  /** What opening such a file would end; refuses it as opening does, and changes nothing. */
  checkSituation: { method: 'POST', path: '/api/situation/check', unrecorded: true },
  getTranslation: { method: 'GET', path: '/api/translation/{key}' },
  getConsumerHealth: { method: 'GET', path: '/api/consumerapistatus' },
  getMessagingHealth: { method: 'GET', path: '/api/consumermessagingapistatus' },
  /**
   * The fault lab of the sandbox (docs/sandbox.md). All users of the sandbox share its rules, clock and second receiver.
   */
  getLab: { method: 'GET', path: '/api/lab', unrecorded: true },
  /** Stops all faults and sets the clock to the machine's time. */
  stopLab: { method: 'DELETE', path: '/api/lab' },
  setFault: { method: 'POST', path: '/api/lab/faults' },
  removeFault: { method: 'DELETE', path: '/api/lab/faults/{ruleId}' },
  stopFaults: { method: 'DELETE', path: '/api/lab/faults' },
  changeClock: { method: 'PATCH', path: '/api/lab/clock' },
  resetClock: { method: 'DELETE', path: '/api/lab/clock' },
  setReceiver: { method: 'PUT', path: '/api/lab/receiver' },
  removeReceiver: { method: 'DELETE', path: '/api/lab/receiver' },
  /** The current company's latest batches at the sandbox. */
  getLabBatches: { method: 'GET', path: '/api/lab/batches', unrecorded: true },
  stepBatch: { method: 'POST', path: '/api/lab/batches/{batchId}/step' },
  /** The latest webhooks to the user. */
  getLabWebhooks: { method: 'GET', path: '/api/lab/webhooks', unrecorded: true },
  sendWebhooksAgain: { method: 'POST', path: '/api/lab/webhooks/again' },
  checkWebhook: { method: 'POST', path: '/api/lab/webhooks/check', reads: true, unrecorded: true },
  sendWebhookAgain: { method: 'POST', path: '/api/lab/webhooks/{webhookId}/again' },
  explainSignature: { method: 'GET', path: '/api/lab/webhooks/{webhookId}/signature', unrecorded: true },
  /** Sends an example of an operation to the sandbox, as a program of the company would; whatever is answered. */
  sendExample: { method: 'POST', path: '/api/lab/operations/{operation}' },
  emptySandbox: { method: 'POST', path: '/api/lab/reset' },
  /** The tokens with which programs call through the console, newest first. */
  getPrograms: { method: 'GET', path: '/api/programs' },
  /** The checks of the latest calls of the user's programs at the embedded sandbox; none for another service. */
  getProgramChecks: { method: 'GET', path: '/api/programs/checks' },
  /** The verdict of the latest `verify`, and how far the user's programs have come at the embedded sandbox. */
  getProgramVerdict: { method: 'GET', path: '/api/programs/verdict' },
  /** What a program needs to call the service; the sandbox's secret named by `reveal`, or with `all` each, in clear text. */
  getProgramEnvironment: { method: 'GET', path: '/api/programs/environment' },
  /** Creates a token. The list contains it until the user has confirmed to have it, or a program has used it. */
  makeProgramToken: { method: 'POST', path: '/api/programs' },
  /** Confirms that the user has the token: from now on nothing contains it any more. */
  confirmProgramToken: { method: 'POST', path: '/api/programs/{tokenId}/copied' },
  revokeProgramToken: { method: 'DELETE', path: '/api/programs/{tokenId}' },
  /** Ends the user's session. */
  signOut: { method: 'POST', path: '/api/signout' },
} as const satisfies Record<string, CallFacts>;

/** What is true of a call, besides its shapes. */
export interface CallFacts {
  method: Method;
  path: `/${string}`;
  write?: true;
  /** Who shares a write's keys, if not only the company: the first attempt may have made another company current. */
  keyOf?: 'workspace' | 'organisation';
  /** It changes nothing, although its method is one of writes. */
  reads?: true;
  file?: true;
  /**
   * A waiting page repeats it each second. An answer that the page has already is sent as 304 and not recorded: a timeline
   * full of "nothing yet" tells nobody anything.
   */
  polled?: true;
  /** The timeline does not have it: it reads the timeline, is repeated there as another call, or is of the lab of every page. */
  unrecorded?: true;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type CallName = keyof typeof calls;
