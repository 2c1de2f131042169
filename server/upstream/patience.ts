/** How long one attempt may take, in ms. */
export interface Patience {
  /** Until the head of the answer. */
  headers: number;
  /** Between two pieces of the body. */
  body: number;
  /** Until the answer is complete, however steadily it trickles. */
  total: number;
}

const usual: Patience = { headers: 20_000, body: 20_000, total: 60_000 };

/** The open-banking provider asks the bank, for which 100 s are to be allowed (wire, section 13). */
const bank: Patience = { headers: 100_000, body: 100_000, total: 120_000 };

/** By what is asked; one table for all calls. */
export const patience = {
  /** Tokens, definitions, health, and what the service only notes: it answers without asking anybody. */
  usual,
  /** The list of banks, and what the service passes on to the provider before it answers. */
  banks: bank,
  createSubscription: bank,
  subscription: bank,
  patchSubscription: bank,
  createBatch: bank,
  batch: bank,
  /** Up to 2,000 payments in a file that is made on demand. */
  paymentFile: { headers: 60_000, body: 20_000, total: 120_000 },
} as const satisfies Record<string, Patience>;

export type Asked = keyof typeof patience;
