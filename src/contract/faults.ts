import { amountPattern } from './money.ts';
import { returnReasons, returnTold } from './returns.ts';
import { messageKinds, serviceCalls, webhookTypes, type MessageKind } from './serviceCalls.ts';

/**
 * The vocabulary of the sandbox's fault lab: faults that can be caused on purpose, and their options. The schemas are
 * in controlShapes.ts, so that the page needs no schema library.
 */

/** Redirects a user to the home page of the sandbox, which shows its credentials. */
export const sandboxHomePath = '/api/sandbox';

/** An option of a fault besides its kind: a whole number or a text. */
export type FaultOption = { label: string } & (
  | { type: 'number'; unit?: 'ms' | 's'; least: number; most: number; usual: number }
  | {
      type: 'text';
      longest: number;
      usual: string;
      /** What it must look like, and that in words. */
      form?: { pattern: RegExp; says: string };
      /** The only texts that it may be, each with what it means. */
      words?: Readonly<Record<string, string>>;
    }
);

/** A fault in words: `title` is its only name, on all pages and in all documents; `says` is its effect. */
export interface FaultKind {
  title: string;
  says: string;
  options?: Readonly<Record<string, FaultOption>>;
}

const minute = 60_000;
const number = <const More extends object>(label: string, least: number, most: number, usual: number, more?: More) =>
  ({ label, type: 'number', least, most, usual, ...more }) as const;
const time = (label: string, usual: number) => number(label, 0, 10 * minute, usual, { unit: 'ms' });
const text = (label: string, usual = '') => ({ label, type: 'text', longest: 200, usual }) as const;

/** What may come at a place of a body, or of a whole response, in the words of a difference from the description. */
const cameForm = {
  pattern:
    /^(nothing|null|a text|a number|a whole number|true or false|an object|a list|another text|no body|(status [235]\d\d and )?half a body|a body|text|no type|a text of \d{1,6} characters|a list of \d{1,4}|status [235]\d\d|(type )?[\w.+-]+\/[\w.+-]+|".*|-?\d[\d.eE+-]*|true|false)$/s,
  says: 'what comes instead: nothing, null, a text, a number, true or false, an object, a list, another text, a value as JSON such as "Frozen"; for a whole response also status 200, no body, status 200 and half a body, or a type such as text/html',
};
/** A difference from the description, as `drift` tells it (docs/drift.md). */
const difference = {
  path: text('Place in the body, such as data[].country; empty for the whole', 'data.status'),
  came: { ...text('What comes there', 'a number'), form: cameForm },
};

const choice = (label: string, words: Readonly<Record<string, string>>, usual: string) => ({
  ...text(label, usual),
  words,
});
const toldWords = Object.fromEntries(Object.entries(returnTold).map(([name, { says }]) => [name, says]));
const heldEnds = { released: 'It is released', failed: 'It fails' };
const payment = number('Payment, counted from 0; -1 for each', -1, 1999, -1);
const bankingDays = (label: string, usual: number) => number(label, 0, 30, usual);
const charges = { pattern: new RegExp(`^$|${amountPattern.source}`), says: 'empty, or an amount such as 2.50' };

/** Names of faults that several targets have. */
const notAsDescribed = 'Not as described';
const refused = 'Refused by the provider';

/** The faults in a decision about a subscription, debtor, creditor or batch that awaits its user. */
const decision = (title: string, says: string, usual = 0) => ({ title, says, options: { ms: time('After', usual) } });
const rule = { rule: text('Rule id; empty for the first that fits') };
const provider = { provider: text('Provider id; empty for all; not for file formats') };

/** The kinds of faults by target. */
export const faultKinds = {
  call: {
    status: {
      title: 'Error status',
      says: 'The call is refused with this status and a problem body; nothing is done.',
      options: { status: number('Status', 400, 599, 503) },
    },
    tooMany: {
      title: 'Too many calls',
      says: 'The call is refused with 429 and Retry-After; nothing is done.',
      options: { retryAfter: number('Retry-After', 0, 3600, 2, { unit: 's' }) },
    },
    tooManyUntil: {
      title: 'Too many calls until a time',
      says: 'The call is refused with 429, and Retry-After names a time; nothing is done.',
      options: { retryAfter: number('Retry-After', 0, 3600, 2, { unit: 's' }) },
    },
    redirect: {
      title: 'Redirect',
      says: 'The call is answered with 307 to another address; nothing is done.',
      options: { to: text('Address', 'http://127.0.0.1:9/') },
    },
    expiredToken: {
      title: 'Token expired',
      says: 'The call is refused with 401, as if its token had expired; nothing is done.',
    },
    latency: {
      title: 'Latency',
      says: 'The call is processed normally, but only after this time.',
      options: { ms: time('Time', 3000) },
    },
    noAnswer: {
      title: 'No response',
      says: 'Nothing is done, and no byte is sent until the caller gives up.',
    },
    noBody: {
      title: 'Headers only',
      says: 'The work is done; the headers of the response arrive, its body never does.',
    },
    reset: { title: 'Connection reset', says: 'The connection is closed without a response; nothing is done.' },
    truncated: {
      title: 'Truncated body',
      says: 'The work is done; the connection is closed in the middle of the response.',
    },
    slow: {
      title: 'Slow body',
      says: 'The work is done; the body of the response takes this time to arrive.',
      options: { ms: time('Time', 3000) },
    },
    html: {
      title: 'HTML instead of JSON',
      says: 'An HTML page like that of a proxy is returned; nothing is done.',
      options: { status: number('Status', 200, 599, 502) },
    },
    answerLost: {
      title: 'Response lost',
      says: 'The work is done; the connection is closed without a response.',
    },
    extraMembers: {
      title: 'Unknown members',
      says: 'The work is done; each object of the response has members that are not documented.',
    },
    unknownStatus: {
      title: 'Unknown status',
      says: 'The work is done; the response has a status that is not documented.',
    },
    nullMembers: {
      title: 'Null members',
      says: 'The work is done; optional members of the response are null instead of absent.',
    },
    changed: {
      title: notAsDescribed,
      says: 'The work is done; the response differs at this place from its description.',
      options: difference,
    },
  },
  webhook: {
    lose: { title: 'Webhook lost', says: 'The webhook is never sent.' },
    delay: {
      title: 'Webhook delayed',
      says: 'The webhook is sent this much later.',
      options: { ms: time('Time', 20_000) },
    },
    duplicate: { title: 'Webhook twice', says: 'The webhook is delivered twice, under the same id.' },
    reorder: {
      title: 'Webhook out of order',
      says: 'The webhook is sent after the following one, or after this time if none follows.',
      options: { ms: time('Time', 10_000) },
    },
    badSignature: { title: 'Bad signature', says: 'The webhook is signed with another secret.' },
    oldTimestamp: { title: 'Old timestamp', says: 'The webhook is signed for a time one hour ago.' },
    otherSubscription: {
      title: 'Unknown subscription',
      says: 'The webhook names a subscription that does not exist.',
    },
    array: { title: 'Array body', says: 'The webhook’s body is a list with the event in it.' },
    receiverDown: {
      title: 'Receiver down',
      says: 'The webhook does not reach its receiver for this time; it is retried normally.',
      options: { ms: time('Time', 5000) },
    },
    changed: {
      title: notAsDescribed,
      says: 'The webhook’s body differs at this place from its description.',
      options: difference,
    },
  },
  put: {
    refuse: { title: refused, says: 'The provider refuses the debtor or creditor.' },
    authorise: {
      title: 'Authorisation required',
      says: 'A user must authorise the debtor or creditor on the provider’s page.',
    },
  },
  message: {
    refuse: { title: refused, says: 'The provider refuses the update, query or deletion; nothing is done.' },
  },
  login: {
    noState: { title: 'No state', says: 'The identity provider returns without the state.' },
    wrongState: { title: 'Wrong state', says: 'The identity provider returns with another state.' },
    neverReturns: { title: 'Never returns', says: 'The user is logged in, but not sent back to the console.' },
  },
  authorisation: {
    approve: decision('Approved', 'It is approved automatically, without the page.'),
    reject: decision('Rejected', 'It is rejected automatically.'),
    cancel: decision('Cancelled', 'It is cancelled automatically.'),
    expire: decision('Link expired', 'Its link expires early.'),
    approveTwice: decision('Approved twice', 'It is approved automatically, and its webhook is sent twice.'),
    approveThenRevoke: decision(
      'Approved, then revoked',
      'It is approved automatically, and cancelled after this time.',
      5000,
    ),
  },
  batch: {
    hold: { title: 'Manual steps', says: 'The batch stays in each state until it is advanced manually.' },
    needsApproval: { title: 'Needs approval', says: 'A user must authorise the batch before it is processed.' },
    failPayment: {
      title: 'Payment fails',
      says: 'One payment fails, because it violates this rule or its account is closed.',
      options: {
        index: number('Payment, counted from 0', 0, 1999, 0),
        rule: text('Rule id; empty for a closed account'),
      },
    },
    held: {
      title: 'Held for information',
      says: 'One payment is held until it is explained; after this many banking days it is released or fails.',
      options: { index: payment, days: bankingDays('Banking days', 1), end: choice('End', heldEnds, 'released') },
    },
    returned: {
      title: 'Returned after completion',
      says: 'One payment is completed, and comes back so many banking days later, whole or less charges.',
      options: {
        index: payment,
        reason: choice('Reason', returnReasons, 'AC04'),
        days: bankingDays('Banking days after completion', 0),
        charges: { ...text('Charges, in major units; empty for none'), form: charges },
        told: choice('Reported by', toldWords, 'both'),
      },
    },
    fileLinkDead: { title: 'File link dead', says: 'Each link to the payment file has expired already.' },
  },
  definition: {
    ruleAdded: {
      title: 'Rule added',
      says: 'A required rule is added to the definitions.',
      options: {
        apiPath: text('API path; not for file formats', 'Subscriptions'),
        path: text('JSON path', 'additionalData.addedByTheLab'),
      },
    },
    ruleDropped: { title: 'Missing rule', says: 'A rule is missing from the definitions.', options: rule },
    ruleRequired: { title: 'Rule required', says: 'An optional rule is required.', options: rule },
    ruleRegex: {
      title: 'Changed regex',
      says: 'A rule has this regex.',
      options: { ...rule, regex: text('Regex', '^[A-Z]{3}$') },
    },
    nullText: { title: 'Null texts', says: 'A rule has null in place of its label and its message.', options: rule },
    unknownOptionality: {
      title: 'Unknown optionality',
      says: 'A rule has an undocumented optionality.',
      options: rule,
    },
    languageGone: {
      title: 'Missing language',
      says: 'Definitions in this language are no longer served.',
      options: { language: text('Language', 'fr-CA') },
    },
    capabilityDropped: {
      title: 'Missing capability',
      says: 'A provider does not offer this capability.',
      options: { ...provider, capability: text('Capability', 'SubscriptionRequired') },
    },
    otherCountry: {
      title: 'Changed country',
      says: 'A provider names this country.',
      options: { ...provider, country: text('Country', 'DE') },
    },
  },
} as const satisfies Record<string, Record<string, FaultKind>>;

export type FaultTarget = keyof typeof faultKinds;

/** The targets of faults, in words. */
export const faultTargets: Readonly<Record<FaultTarget, string>> = {
  call: 'Calls of the service',
  webhook: 'Webhooks',
  put: 'Debtors and creditors that are put',
  message: 'Other messages to the provider',
  login: 'The login of a user',
  authorisation: 'Pending approvals',
  batch: 'Batches',
  definition: 'Definitions',
};

/** What faults can be set for, by target, besides `any`. */
export const faultPlaces = {
  call: Object.keys(serviceCalls),
  webhook: webhookTypes,
  put: ['debtor', 'creditor'],
  message: messageKinds.filter((kind): kind is Exclude<MessageKind, `${string}puts`> => !kind.endsWith('puts')),
  login: [],
  authorisation: ['subscription', 'debtor', 'creditor', 'batch'],
  batch: ['electronic', 'file'],
  definition: ['provider', 'fileFormat'],
} as const satisfies Record<FaultTarget, readonly string[]>;

/** The path of a rule below the lab's. Throws for a text that would make it another path, such as that of all rules. */
export function faultPath(ruleId: string): string {
  if (/^\.{0,2}$/.test(ruleId)) throw new Error(`There is no rule ${JSON.stringify(ruleId)}: give a ruleId.`);
  return `/faults/${encodeURIComponent(ruleId)}`;
}
