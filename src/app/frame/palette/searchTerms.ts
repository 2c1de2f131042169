import type { JourneyId } from '#machines/journeys.ts';
import type { labTabs } from '../sandboxControls.ts';
import type { otherPages } from '../pages.ts';

/** What a user may type for a page besides its title. */
export const pageWords: Readonly<Record<(typeof otherPages)[number]['path'], string>> = {
  '/': 'guided path, start page, begin, back, overview, workspace, switch, add, remove, delete, existing company, signing key, secret',
  '/journeys': 'charts, diagrams, state machines',
  '/timeline':
    'calls, requests, responses, webhooks, traffic, network, log, history, curl, HAR, Postman, Bruno, http file, export, import, idempotency key, retry, send again, repeat, compare, sequence',
  '/sandbox': 'sandbox, errors, failures',
  '/programs': 'connect, my program, application, integration, tokens, base URL, verify, test',
  '/run': 'open, run, journeys, automation, command line, CI',
  '/reference': 'OpenAPI, Swagger, operations, endpoints, bodies, schema, description, documentation, docs, help',
  '/drift': 'differences, description, changes, contract',
};

/** And for what a program needs. */
export const connectWords =
  '.env, environment variables, API key, application id, signing key, token, webhook secret, code';

/** And for a step, besides its title, its heading and its group. */
export const stepWords: Readonly<Record<JourneyId, string>> = {
  settings: 'preferences, options, configuration, mock, network, frame, locale',
  consumerHealth: 'ping, status of the service, API, up, down, uptime',
  messagingHealth: 'ping, status of the service, up, down, uptime',
  translations: 'texts, labels, words',
  organisation: 'new, add, organization, tenant, signing key',
  company: 'new, add, business',
  accessToken: 'bearer, JWT, authentication, credentials',
  userToken: 'log in, login, sign in, JWT, identity provider, network access token',
  account: 'new, add, network',
  dataset: 'new, add, data set, ledger',
  subscription: 'new, add, provider, onboarding, form, mandate',
  bankSubscription: 'new, add, open banking, choose a bank, mandate',
  authorisation: 'approve, approval, authorised, authorize, authorization, consent, rejected, suspend, resume, update',
  bankFiles: 'formats, Bacs, SEPA, country',
  providers: 'banks, capabilities, country',
  debtor: 'new, add, bank account, paying account, payer, sort code, IBAN, currency',
  debtorQuery: 'list, delete, remove, bank accounts, payers',
  creditor: 'new, add, payee, supplier, vendor, beneficiary, recipient, IBAN',
  creditorQuery: 'list, delete, remove, payees, suppliers, vendors, beneficiaries, recipients',
  electronicPayment: 'make a payment, send money, payout, transfer, invoices, suppliers, batch',
  filePayment: 'make a payment, send money, payout, invoices, Bacs, batch, template',
  transfer: 'e-transfer, Interac, top up, fund',
  batch: 'payment status, follow, poll, download the bank file, errors',
  batchList: 'batches, history, payment status, completed, failed, rejected, received, outcome unknown',
  additionalData: 'provider rules, fields, validation, JSON, try',
};

/** And for a part of the fault lab. */
export const labWords: Readonly<Record<(typeof labTabs)[number]['id'], string>> = {
  practise: 'practice, rehearsal, scenarios, simulate a failure, lost response',
  faults: 'errors, failures, time-out, timeout, slow, delay, lost response, rate limit, inject, simulate, chaos',
  clock: 'time, date, tomorrow, forward, advance, stop, execute a batch',
  webhooks: 'receiver, events, notifications, callbacks, redeliver, send again, signature, secret',
  magic: 'test data, names, amounts',
  'start-from': 'situations, examples, states, demo, seed',
};

/** And for what can be done with a sandbox. */
export const controlWords = {
  save: 'snapshot, backup, export, download, file',
  open: 'snapshot, restore, import, load, upload, file',
  empty: 'reset, clear, wipe, delete everything, start again',
} as const;
