import type { FaultTarget } from './faults.ts';

/**
 * Values that cause a fault for any client, without a rule, like the test card numbers of card schemes. The sandbox
 * decides by this table, and its documents and pages list it. choice: public pages define no test values (wire, section
 * 16).
 */
export interface MagicValue {
  /** The target of the fault, and its kind (lab.ts). */
  on: FaultTarget;
  kind: string;
  /** Those of its options that are not the usual ones. */
  options?: Readonly<Record<string, number | string>>;
  says: string;
}

export interface MagicName extends MagicValue {
  /** The place of the word, in words. */
  where: string;
  /** Another spelling of the word. */
  also?: string;
}

const creditor = 'name of a creditor';
const either = 'name of a debtor or creditor';
const awaiting = `${either}, property of a subscription`;
const subscription = 'property of a subscription';
const user = 'name of a user who logs in';
const company = 'name of a company';

/** A decision by a user. A subscription always awaits one; a debtor, creditor or batch only with another magic word. */
const decided = (kind: string, says: string) =>
  ({
    where: awaiting,
    on: 'authorisation',
    kind,
    says: `A pending approval (a subscription, a debtor or creditor with authorise, a batch with approval) ${says}.`,
  }) as const;
const answering = (kind: string, says: string) =>
  ({ where: either, on: 'webhook', kind, says: `The webhook for its put ${says}.` }) as const;
const loggedIn = (kind: string, says: string) => ({ where: user, on: 'login', kind, says }) as const;
/** Definitions served with a company's token, by which its subscriptions are validated. */
const defined = (kind: string, says: string) => ({ where: company, on: 'definition', kind, says }) as const;

const returning = (options: Record<string, string>, says: string) =>
  ({ where: creditor, on: 'batch', kind: 'returned', options, says }) as const;

/** Words in a name or property; case is ignored. */
export const magicNames = {
  fails: {
    where: creditor,
    on: 'batch',
    kind: 'failPayment',
    says: 'Each payment to it fails: its account is closed.',
  },
  approval: {
    where: creditor,
    on: 'batch',
    kind: 'needsApproval',
    says: 'An electronic batch that pays it must be authorised by a user before it is processed.',
  },
  returns: returning({}, 'Each payment to it is completed, then comes back: its account is closed.'),
  'returns-less': returning({ charges: '2.50' }, 'Each payment to it comes back less charges of 2.50.'),
  'returns-silently': returning(
    { told: 'event' },
    'Each payment to it comes back; one webhook says so, and every status stays.',
  ),
  recalled: returning({ reason: 'FOCR' }, 'Each payment to it is recalled by the bank.'),
  held: {
    where: creditor,
    on: 'batch',
    kind: 'held',
    says: 'Each payment to it is held for information, and released after a banking day.',
  },
  'held-fails': {
    where: creditor,
    on: 'batch',
    kind: 'held',
    options: { end: 'failed' },
    says: 'Each payment to it is held for information, and fails after a banking day.',
  },
  holds: {
    where: creditor,
    on: 'batch',
    kind: 'hold',
    says: 'A batch that pays it stays in each state until it is advanced manually.',
  },
  'link-dead': {
    where: creditor,
    on: 'batch',
    kind: 'fileLinkDead',
    says: 'Each link to the file of a batch that pays it has expired already.',
  },
  authorise: { where: either, also: 'authorize', on: 'put', kind: 'authorise', says: 'A user must authorise it.' },
  refuses: { where: either, on: 'put', kind: 'refuse', says: 'The provider refuses it.' },
  approves: decided('approve', 'is approved automatically'),
  rejects: decided('reject', 'is rejected automatically'),
  cancels: decided('cancel', 'is cancelled automatically'),
  expires: decided('expire', 'has its link expire early'),
  'approves-twice': decided('approveTwice', 'is approved automatically, and its webhook is sent twice'),
  revokes: decided('approveThenRevoke', 'is approved automatically, and cancelled 5 s later'),
  'messages-refused': {
    where: subscription,
    on: 'message',
    kind: 'refuse',
    says: 'The provider refuses updates, queries and deletions.',
  },
  'webhook-lost': answering('lose', 'is never sent'),
  'webhook-late': answering('delay', 'is sent 20 s later'),
  'webhook-twice': answering('duplicate', 'is delivered twice, under the same id'),
  'webhook-after': answering('reorder', 'is sent after the following one, or 10 s later if none follows'),
  'webhook-forged': answering('badSignature', 'is signed with another secret'),
  'webhook-old': answering('oldTimestamp', 'is signed for a time one hour ago'),
  'webhook-other': answering('otherSubscription', 'names a subscription that does not exist'),
  'webhook-array': answering('array', 'is a list with the event in it'),
  'webhook-down': answering('receiverDown', 'does not reach its receiver for 5 s'),
  'webhook-changed': answering('changed', 'has a number as its data.status'),
  'no-state': loggedIn('noState', 'The identity provider returns without the state.'),
  'wrong-state': loggedIn('wrongState', 'The identity provider returns with another state.'),
  'never-returns': loggedIn('neverReturns', 'The user is logged in, but not sent back.'),
  'rule-added': defined('ruleAdded', 'Its subscriptions need additionalData.addedByTheLab.'),
  'rule-dropped': defined('ruleDropped', 'The first rule of each provider is missing.'),
  'rule-required': defined('ruleRequired', 'The first optional rule of each provider is required.'),
  'rule-regex': defined('ruleRegex', 'The first regex of each provider is ^[A-Z]{3}$.'),
  'text-null': defined('nullText', 'The first rule of each provider has null for its label and message.'),
  'optionality-unknown': defined('unknownOptionality', 'The first rule of each provider is required “Sometimes”.'),
  'language-gone': defined('languageGone', 'Definitions in fr-CA are not served.'),
  'capability-dropped': defined('capabilityDropped', 'No provider supports subscriptions.'),
  'other-country': defined('otherCountry', 'All providers name the country DE.'),
} as const satisfies Record<string, MagicName>;

/**
 * Amounts of a payment, in any currency: the call that creates its batch meets the fault, once for each idempotency
 * key.
 */
export const magicAmounts = {
  '9429': { on: 'call', kind: 'tooMany', says: 'The call is refused with 429 and Retry-After; nothing is done.' },
  '9428': { on: 'call', kind: 'tooManyUntil', says: 'The call is refused with 429 until a time; nothing is done.' },
  '9307': { on: 'call', kind: 'redirect', says: 'The call is redirected to another address; nothing is done.' },
  '9503': { on: 'call', kind: 'status', says: 'The call is refused with 503; nothing is done.' },
  '9504': { on: 'call', kind: 'noAnswer', says: 'Nothing is done, and no response is sent.' },
  '9401': { on: 'call', kind: 'expiredToken', says: 'The call is refused as if its token had expired.' },
  '9001': { on: 'call', kind: 'reset', says: 'The connection is closed without a response; nothing is done.' },
  '9002': { on: 'call', kind: 'answerLost', says: 'The work is done; the connection is closed without a response.' },
  '9003': { on: 'call', kind: 'noBody', says: 'The work is done; the body of the response never arrives.' },
  '9004': {
    on: 'call',
    kind: 'truncated',
    says: 'The work is done; the connection is closed in the middle of the response.',
  },
  '9005': { on: 'call', kind: 'slow', says: 'The work is done; the body of the response takes 3 s.' },
  '9006': {
    on: 'call',
    kind: 'html',
    says: 'An HTML page like that of a proxy is returned with 502; nothing is done.',
  },
  '9007': { on: 'call', kind: 'latency', says: 'The call is processed normally, 3 s later.' },
  '9008': { on: 'call', kind: 'extraMembers', says: 'The response has members that are not documented.' },
  '9009': { on: 'call', kind: 'unknownStatus', says: 'The response has a status that is not documented.' },
  '9010': { on: 'call', kind: 'nullMembers', says: 'Optional members of the response are null.' },
  '9011': { on: 'call', kind: 'changed', says: 'The response has a number as its data.status.' },
} as const satisfies Record<string, MagicValue>;

export type MagicWord = keyof typeof magicNames;
export type MagicAmount = keyof typeof magicAmounts;

/** All magic values for lists: the place, the value, and its effect. */
export const magicValues: readonly { where: string; value: string; says: string; kind: string }[] = [
  ...Object.entries<MagicName>(magicNames).map(([word, { where, also, kind, says }]) => ({
    where,
    value: also ? `${word}, ${also}` : word,
    kind,
    says,
  })),
  ...Object.entries<MagicValue>(magicAmounts).map(([amount, { kind, says }]) => ({
    where: 'amount of a payment',
    value: `${amount}.00`,
    kind,
    says,
  })),
];
