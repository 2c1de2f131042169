import type { Timeouts } from './exchange.ts';

/**
 * Time (ms) until an answer is complete. Generous, because the time-out between two chunks ends answers that stall: an
 * answer over a slow line arrives as long as its bytes flow.
 */
const total = 10 * 60_000;

const usual: Timeouts = { headers: 20_000, body: 20_000, total };

/** The open-banking provider queries the bank, which may take 100 s (wire, section 13). */
const bank: Timeouts = { headers: 100_000, body: 100_000, total };

/** Time-outs by kind of call. */
export const timeouts = {
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
  paymentFile: { headers: 60_000, body: 20_000, total },
  /** Any call of the user's own program. */
  program: bank,
  /** The sandbox's fault lab, which waits for nothing. */
  lab: { headers: 10_000, body: 10_000, total: 10_000 },
} as const satisfies Record<string, Timeouts>;

export type TimeoutClass = keyof typeof timeouts;
