/**
 * What may become of one payment after it was sent: it is held for information, or comes back. Statuses, and the reasons of
 * returns by their codes in ISO 20022 (ExternalReturnReason1Code); choice: that the service says them so (wire, section 12).
 */
export const returnReasons = {
  AC01: 'Account unknown',
  AC04: 'Account closed',
  BE01: 'Name does not match the account',
  MS02: 'Refused by the payee',
  RR04: 'Regulatory reason',
  FOCR: 'Recalled by the bank',
} as const;

export type ReturnReason = keyof typeof returnReasons;

/** How the service tells that a payment came back: which of its statuses change, and how many webhooks it sends. */
export const returnTold = {
  both: { says: 'Statuses and a webhook', batch: true, payment: true, webhooks: 1 },
  status: { says: 'Statuses alone', batch: true, payment: true, webhooks: 0 },
  webhook: {
    says: 'A webhook and the payment’s status; that of the batch stays',
    batch: false,
    payment: true,
    webhooks: 1,
  },
  event: { says: 'A webhook alone; all statuses stay', batch: false, payment: false, webhooks: 1 },
  twice: { says: 'Statuses, and two webhooks', batch: true, payment: true, webhooks: 2 },
} as const;

export type ReturnTold = keyof typeof returnTold;

/** Status of a payment that awaits information. */
export const heldStatus = 'Held';
/** Status of a payment that came back, and of a batch whose payments all did. */
export const returnedStatus = 'Returned';
/** Status of a batch of which some payments came back. */
export const partlyReturnedStatus = 'PartiallyReturned';
