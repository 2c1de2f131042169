import type { FaultTarget } from './lab.ts';

/**
 * Values that cause a fault from any client, without a rule, as the test cards of card schemes do. The sandbox decides by
 * this table, and its documents and pages list it. choice: public pages define no test values (wire, section 16).
 */
interface MagicValue {
  /** What the fault happens to, and its kind (lab.ts). */
  on: FaultTarget;
  kind: string;
  says: string;
}

export interface MagicName extends MagicValue {
  /** Whose name holds the word. */
  of: 'creditor' | 'debtor or creditor';
  /** Another spelling of the word. */
  also?: string;
}

const either = 'debtor or creditor';
const creditor = 'creditor';

/** Words in a name, in upper or lower case. */
export const magicNames = {
  fails: { of: creditor, on: 'batch', kind: 'failPayment', says: 'Each payment to it fails: its account is closed.' },
  approval: {
    of: creditor,
    on: 'batch',
    kind: 'needsApproval',
    says: 'An electronic batch that pays it must be authorised by a user before it is processed.',
  },
  returns: { of: creditor, on: 'batch', kind: 'returned', says: 'A batch that pays it is completed, then returned.' },
  holds: {
    of: creditor,
    on: 'batch',
    kind: 'hold',
    says: 'A batch that pays it stays in each state until it is sent on by hand.',
  },
  'link-dead': {
    of: creditor,
    on: 'batch',
    kind: 'fileLinkDead',
    says: 'Each link to the file of a batch that pays it has expired already.',
  },
  authorise: { of: either, also: 'authorize', on: 'put', kind: 'authorise', says: 'A user must authorise it.' },
  refuses: { of: either, on: 'put', kind: 'refuse', says: 'The provider refuses it.' },
  rejects: {
    of: either,
    on: 'authorisation',
    kind: 'reject',
    says: 'With authorise or approval: what awaits its user is rejected by itself.',
  },
  cancels: {
    of: either,
    on: 'authorisation',
    kind: 'cancel',
    says: 'With authorise or approval: what awaits its user is cancelled by itself.',
  },
  expires: {
    of: either,
    on: 'authorisation',
    kind: 'expire',
    says: 'With authorise or approval: the link to what awaits its user expires by itself.',
  },
  'webhook-lost': { of: either, on: 'webhook', kind: 'lose', says: 'The webhook that answers its put is never sent.' },
  'webhook-late': {
    of: either,
    on: 'webhook',
    kind: 'delay',
    says: 'The webhook that answers its put is sent 20 s later.',
  },
  'webhook-twice': {
    of: either,
    on: 'webhook',
    kind: 'duplicate',
    says: 'The webhook that answers its put is delivered twice, under the same id.',
  },
  'webhook-forged': {
    of: either,
    on: 'webhook',
    kind: 'badSignature',
    says: 'The webhook that answers its put is signed with another secret.',
  },
} as const satisfies Record<string, MagicName>;

/** Amounts of a payment, in any currency: the call that creates its batch meets the fault, once for each key. */
export const magicAmounts = {
  '9429': { on: 'call', kind: 'tooMany', says: 'The call is refused with 429 and Retry-After; nothing is done.' },
  '9503': { on: 'call', kind: 'status', says: 'The call is refused with 503; nothing is done.' },
  '9504': { on: 'call', kind: 'noAnswer', says: 'Nothing is done, and nothing is answered.' },
  '9001': { on: 'call', kind: 'reset', says: 'The connection is closed without an answer; nothing is done.' },
  '9002': { on: 'call', kind: 'answerLost', says: 'The work is done; the connection is closed without an answer.' },
} as const satisfies Record<string, MagicValue>;

export type MagicWord = keyof typeof magicNames;
export type MagicAmount = keyof typeof magicAmounts;

/** Where all of them are written, for lists: what it is, the value, and what it causes. */
export const magicValues: readonly { where: string; value: string; says: string; on: FaultTarget }[] = [
  ...Object.entries<MagicName>(magicNames).map(([word, { of, also, on, says }]) => ({
    ...{ where: `name of a ${of}`, value: also ? `${word}, ${also}` : word, on, says },
  })),
  ...Object.entries<MagicValue>(magicAmounts).map(([amount, { on, says }]) => ({
    ...{ where: 'amount of a payment', value: `${amount}.00`, on, says },
  })),
];
