import { partlyReturnedStatus, returnedStatus } from './returns.ts';

/** Business constants and option lists (behaviour, section 9). Times in ms. */

/**
 * The locale of all dates, numbers and orders: the page is in English, so a browser's calendar, digits and order of
 * words would not fit its sentences.
 */
export const locale = 'en-GB-u-ca-gregory-nu-latn';

/**
 * The header that names the company of a call, by its `companyKey` in the facts; the default is the current company. Each
 * answer has the same header, with the key of the call's company or of the one that the call made current.
 */
export const companyHeader = 'console-company';

/**
 * The header, or query parameter where headers cannot be sent, that names the user whose page makes a call; the default
 * is the signed-in user.
 */
export const subjectHeader = 'console-subject';

/** The header that names a call's journey and state: `journey/state`. A call without it belongs to no journey. */
export const stepHeader = 'console-step';

/**
 * The header of an answer that is the first one to an earlier request with this key: `true`. In a request, `only`: without
 * such an answer it is refused, and nothing is sent.
 */
export const replayHeader = 'idempotent-replay';

/**
 * The header of each answer and webhook that the sandbox's fault lab changed: the kind of fault and its rule,
 * `answerLost; rule=…`.
 */
export const faultHeader = 'x-sandbox-fault';

export const webhookPollInterval = 1000;
/** Time after which the page reports a missing answer as late; a query may then be sent again. */
export const answerPatience = 15_000;
export const chunkLoadTimeout = 120_000;

export const providerCountries = ['AU', 'US', 'GB', 'CA'] as const;
export const fileFormatCountries = ['AU', 'CA', 'FR', 'ZA', 'GB', 'US'] as const;
/** The bank files page omits CA and US (behaviour, section 9). */
export const bankFilesPageCountries = ['AU', 'FR', 'ZA', 'GB'] as const;
/** '' is "none" in the specification. */
export const languages = ['en', 'en-GB', 'en-CA', 'fr-CA', 'fr-FR', 'en-US', ''] as const;
export const bankFilesPageLanguages = [...languages, 'de-DE', 'es-ES'] as const;

/** The name of the only provider that the bank screen offers (behaviour, sections 2 and 9). */
export const bankProviderName = 'ecospend';

/** The eTransfer button's fixed amount, in major units of `currency` (behaviour, section 9). */
export const transferAmount = { amount: '1000.00', currency: 'USD', label: 'Pay $1000.00' } as const;

/** The language that selecting a subscription sets, by its provider's country (behaviour, section 4). */
export const languageOfCountry: Readonly<Record<string, string>> = {
  AU: 'en',
  GB: 'en',
  US: 'en',
  ZA: 'en',
  CA: 'en-CA',
};

/** The currency of a bank account without one, by its provider's country. */
export const currencyOfCountry: Readonly<Record<string, string>> = {
  AU: 'AUD',
  CA: 'CAD',
  FR: 'EUR',
  GB: 'GBP',
  US: 'USD',
  ZA: 'ZAR',
};

/** Maximum number of payments in a batch, and of bytes in its request body (wire, section 13). */
export const maximumPayments = 2000;
export const maximumBatchBytes = 5 * 1024 * 1024;

/** Numbers of sample invoices that can be requested; the first is the default (behaviour, section 9). */
export const invoiceCounts = [8, 10, 100, 1000, 10_000] as const;

/** Final statuses of batches; a batch with any other status, even an unknown one, is polled (wire, section 12). */
export const batchEndStatuses: readonly string[] = [
  'PaymentFileAvailable',
  'Completed',
  'PartiallyCompleted',
  'Failed',
  'Rejected',
  'Cancelled',
  returnedStatus,
  partlyReturnedStatus,
];

/** Default number of messages or webhooks in one page of a list. */
export const pageSize = 20;

/** Maximum number of subscriptions, and of batches, in the lists of the settings; the latest are listed. */
export const listedInSettings = 50;

/** The id of news about the lab. */
export const labNews = 'lab';

/** Records that screens show the number of are counted up to this one. */
export const mostCounted = 10_000;
