/** Business constants and option lists (behaviour, section 9). Times are milliseconds. */

/**
 * Says for which company a call is: a scope of the facts. A call without it is for the current one. Each answer says in
 * the same header which company it is about, or which one the call has made current.
 */
export const scopeHeader = 'console-scope';

/**
 * Names the user of the page that makes a call, as a header or, where none can be sent, as a parameter of the address.
 * A call without it is made for the user who is signed in.
 */
export const subjectHeader = 'console-subject';

/**
 * Says for which step of which journey a call is made: `journey/state`. A call without it belongs to none.
 */
export const stepHeader = 'console-step';

export const webhookPollInterval = 1000;
/** How long an answer is awaited before the page says that it is late; a query may then be sent again. */
export const answerPatience = 15_000;
export const chunkLoadTimeout = 120_000;

export const providerCountries = ['AU', 'US', 'GB', 'CA'] as const;
export const fileFormatCountries = ['AU', 'CA', 'FR', 'ZA', 'GB', 'US'] as const;
/** The bank files page omits CA and US (behaviour, section 9). */
export const bankFilesPageCountries = ['AU', 'FR', 'ZA', 'GB'] as const;
/** '' is the specification's "none". */
export const languages = ['en', 'en-GB', 'en-CA', 'fr-CA', 'fr-FR', 'en-US', ''] as const;
export const bankFilesPageLanguages = [...languages, 'de-DE', 'es-ES'] as const;

/** The one provider that the bank screen offers, by name (behaviour, sections 2 and 9). */
export const bankProviderName = 'ecospend';

/** The eTransfer button's fixed amount, in major units of `currency` (behaviour, section 9). */
export const transferAmount = { amount: '1000.00', currency: 'USD', label: 'Pay $1000.00' } as const;

/** Language that goes with a provider's country when a subscription is selected (behaviour, section 4). */
export const languageOfCountry: Readonly<Record<string, string>> = {
  AU: 'en',
  GB: 'en',
  US: 'en',
  ZA: 'en',
  CA: 'en-CA',
};

/** Currency of a bank account that names none, by its provider's country. */
export const currencyOfCountry: Readonly<Record<string, string>> = {
  AU: 'AUD',
  CA: 'CAD',
  FR: 'EUR',
  GB: 'GBP',
  US: 'USD',
  ZA: 'ZAR',
};

/** Payments in one batch and bytes of its request body (wire, section 13). */
export const maximumPayments = 2000;
export const maximumBatchBytes = 5 * 1024 * 1024;

/** How many sample invoices can be asked for at once; the first unless another is chosen. */
export const invoiceCounts = [10, 100, 1000, 10_000] as const;

/** Batch states that no longer change by themselves; unknown states are followed on (wire, section 12). */
export const batchEndStatuses: readonly string[] = [
  'PaymentFileAvailable',
  'Completed',
  'PartiallyCompleted',
  'Failed',
  'Rejected',
  'Cancelled',
];

/** Messages and webhooks in one answer of their lists, unless fewer are asked for. */
export const pageSize = 20;
