/** Time-outs of one attempt, in ms. */
export interface Patience {
  /** Until the headers of the answer have arrived. */
  headers: number;
  /** Between two chunks of the body. */
  body: number;
  /** Until the answer is complete. */
  total: number;
}

const usual: Patience = { headers: 20_000, body: 20_000, total: 60_000 };

/** The open-banking provider queries the bank, which may take 100 s (wire, section 13). */
const bank: Patience = { headers: 100_000, body: 100_000, total: 120_000 };

/** Time-outs by kind of call. */
export const patience = {
  /** Tokens, definitions, health and messages, which the service answers without the provider. */
  usual,
  /** The list of banks, and calls that the service forwards to the provider before it answers. */
  banks: bank,
  createSubscription: bank,
  subscription: bank,
  patchSubscription: bank,
  createBatch: bank,
  batch: bank,
  /** A file of up to 2,000 payments, generated on request. */
  paymentFile: { headers: 60_000, body: 20_000, total: 120_000 },
} as const satisfies Record<string, Patience>;

export type Asked = keyof typeof patience;
