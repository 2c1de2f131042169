import type { Store } from '#server/store/store.ts';

/** An attempt at a payment: its idempotency key and what became of it. Times in ms, 0 for never. */
export interface PaymentAttempt {
  key: string;
  /** See `intentionOf`. */
  intention: string;
  /** See `invoicesOf`. */
  invoices: string[];
  /** `open`: nothing was sent; `sent`: under way, or interrupted; `unknown`: its answer was lost. */
  state: 'open' | 'sent' | 'unknown' | 'refused' | 'done';
  madeAt: number;
  sentAt: number;
  /** '' until it is done. */
  batchId: string;
  /** The body first sent, as JSON, while the outcome is unknown; otherwise ''. */
  request: string;
  /** Keys of other attempts at the same invoices that the user has overridden. */
  despite: string[];
}

/** Attempts that were never sent, kept so that a reload finds their keys, or refused: how many of each are kept. */
const mostWithoutEffect = 100;

/** Statuses of batches that have not paid, so that their invoices are open again. */
const unpaid: readonly string[] = ['Failed', 'Rejected', 'Cancelled'];

export const isUndecided = ({ state }: PaymentAttempt): boolean => state === 'sent' || state === 'unknown';

/**
 * The attempts of one company, read once and kept in memory, so that looking up and claiming an invoice are one step:
 * `claim` changes the memory before it waits for the store.
 */
export function openRegister({ attempts, batches }: Pick<Store, 'attempts' | 'batches'>) {
  const byKey = new Map<string, PaymentAttempt>();
  const byInvoice = new Map<string, Set<string>>();
  let loading: Promise<void> | undefined;

  function set(attempt: PaymentAttempt): void {
    byKey.set(attempt.key, attempt);
    for (const invoice of attempt.invoices)
      byInvoice.set(invoice, (byInvoice.get(invoice) ?? new Set()).add(attempt.key));
  }

  function forget({ key, invoices }: PaymentAttempt): void {
    byKey.delete(key);
    for (const invoice of invoices) byInvoice.get(invoice)?.delete(key);
  }

  async function load(): Promise<void> {
    for (const attempt of await attempts.list()) set(attempt);
  }

  const having = (invoices: readonly string[]): PaymentAttempt[] =>
    [...new Set(invoices.flatMap((invoice) => [...(byInvoice.get(invoice) ?? [])]))].flatMap(
      (key) => byKey.get(key) ?? [],
    );

  return {
    /** Must be awaited first. Reads the store again if that failed before. */
    async ready(): Promise<void> {
      loading ??= load();
      try {
        await loading;
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
    get: (key: string): PaymentAttempt | undefined => byKey.get(key),
    withIntention: (intention: string): PaymentAttempt[] =>
      [...byKey.values()].filter((attempt) => attempt.intention === intention),
    /** Ids of batches for these invoices that have not paid. */
    async unpaidBatches(invoices: readonly string[]): Promise<ReadonlySet<string>> {
      const ids = having(invoices).flatMap(({ batchId }) => (batchId ? [batchId] : []));
      const records = await Promise.all(ids.map((id) => batches.get(id)));
      return new Set(records.flatMap((record) => (record && unpaid.includes(record.status) ? [record.batchId] : [])));
    },
    /** Attempts that have or may have paid one of these invoices, or, while undecided, one of these sums. */
    covering(invoices: readonly string[], unpaidBatches: ReadonlySet<string>, sums: readonly string[] = []) {
      const paid = having(invoices).filter(({ state, batchId }) => state === 'done' && !unpaidBatches.has(batchId));
      return [...having([...invoices, ...sums]).filter(isUndecided), ...paid];
    },
    async keep(attempt: PaymentAttempt): Promise<void> {
      await attempts.put(attempt.key, attempt);
      const before = byKey.get(attempt.key);
      if (before) forget(before);
      set(attempt);
    },
    /** As `keep`, but visible at once; undone if the store fails. */
    async claim(attempt: PaymentAttempt): Promise<void> {
      const before = byKey.get(attempt.key);
      if (before) forget(before);
      set(attempt);
      try {
        await attempts.put(attempt.key, attempt);
      } catch (error) {
        forget(attempt);
        if (before) set(before);
        throw error;
      }
    },
    /** Drops the oldest of those that were never sent, or refused. */
    async prune(): Promise<void> {
      for (const idle of ['open', 'refused']) {
        const its = [...byKey.values()].filter(({ state }) => state === idle);
        for (const attempt of its.slice(0, Math.max(0, its.length - mostWithoutEffect))) {
          forget(attempt);
          await attempts.remove(attempt.key);
        }
      }
    },
  };
}
