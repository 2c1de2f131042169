import { parse, stringify } from '#contract/json.ts';
import { sumsOf, type Batch } from './identity.ts';
import { KeysByName } from './keysByName.ts';
import type { Store } from '#server/store/store.ts';

/** An attempt at a payment, with its idempotency key and its outcome. Times in ms, 0 for never. */
export interface PaymentAttempt {
  key: string;
  /** See `intentionOf`. */
  intention: string;
  /** See `identitiesOf`; earlier versions stored sums as well. */
  invoices: string[];
  /** `open`: nothing was sent; `sent`: in progress, or interrupted; `unknown`: the response was lost. */
  state: 'open' | 'sent' | 'unknown' | 'refused' | 'done';
  madeAt: number;
  sentAt: number;
  /** '' until the state is `done`. */
  batchId: string;
  /**
   * The body sent first while the outcome is undecided; otherwise ''. As JSON once the attempt has failed, because that
   * takes less memory; earlier versions stored nothing else.
   */
  request: Batch | string;
  /** The payments' references in the order sent, once a batch has been made; absent in records of earlier versions. */
  references?: string[];
  /** Keys of other attempts at the same invoices that the user has overridden. */
  despite: string[];
}

/**
 * Maximum number of attempts stored in each of the states `open` (kept so that a reload finds their keys) and
 * `refused`.
 */
const mostWithoutEffect = 100;

/** Statuses of batches that failed, so that their invoices can be paid again. */
const unpaid: readonly string[] = ['Failed', 'Rejected', 'Cancelled'];

export const isUndecided = ({ state }: PaymentAttempt): boolean => state === 'sent' || state === 'unknown';

/** The body that an undecided attempt sent first. */
export const sentFirst = ({ request }: PaymentAttempt): Batch =>
  typeof request === 'string' ? (parse(request) as Batch) : request; // stored by send

/** A body as it is kept for long. */
export const compact = (request: PaymentAttempt['request']): string =>
  typeof request === 'string' ? request : stringify(request);

const sumsKept = new WeakMap<PaymentAttempt, string[]>();

/** The sums of an undecided attempt's payments, see `sumsOf`. */
export function sumsIn(attempt: PaymentAttempt): string[] {
  const known = sumsKept.get(attempt);
  if (known) return known;
  const sums = sentFirst(attempt).payments.flatMap((payment) => sumsOf(payment).own);
  sumsKept.set(attempt, sums);
  return sums;
}

/**
 * The attempts of one company, read once and kept in memory. `claim` changes the memory before it waits for the store,
 * so that an invoice can be looked up and claimed in one step.
 */
export function openRegister({ attempts, batches }: Pick<Store, 'attempts' | 'batches'>) {
  const byKey = new Map<string, PaymentAttempt>();
  const byInvoice = new KeysByName();
  const byIntention = new KeysByName();
  const undecided = new Set<string>();
  /** Keys of the attempts that `prune` may remove, the oldest first. */
  const idle = { open: new Set<string>(), refused: new Set<string>() };
  const idleIn = (state: PaymentAttempt['state']) =>
    state === 'open' || state === 'refused' ? idle[state] : undefined;
  let loading: Promise<void> | undefined;

  /** Adds the attempt as the latest one. */
  function set(attempt: PaymentAttempt): void {
    const { key, invoices, intention, state } = attempt;
    latest = undefined;
    const before = byKey.get(key);
    if (before && before.invoices !== invoices) forget(before);
    else if (before) leave(before);
    byKey.set(key, attempt);
    idleIn(state)?.add(key);
    if (isUndecided(attempt)) undecided.add(key);
    for (const invoice of invoices) byInvoice.add(invoice, key);
    byIntention.add(intention, key);
  }

  /** Removes an attempt from where it stands by anything but its invoices. */
  function leave({ key, intention, state }: PaymentAttempt): void {
    latest = undefined;
    byKey.delete(key);
    idleIn(state)?.delete(key);
    undecided.delete(key);
    byIntention.remove(intention, key);
  }

  function forget(attempt: PaymentAttempt): void {
    leave(attempt);
    for (const invoice of attempt.invoices) byInvoice.remove(invoice, attempt.key);
  }

  async function load(): Promise<void> {
    for (const attempt of await attempts.list()) set({ ...attempt, request: compact(attempt.request) });
  }

  /** The keys of the attempts at the latest invoices asked for, while no attempt changes. */
  let latest: { invoices: readonly string[]; keys: ReadonlySet<string> } | undefined;

  function having(invoices: readonly string[]): PaymentAttempt[] {
    if (latest?.invoices !== invoices) {
      const keys = new Set<string>();
      for (const invoice of invoices) for (const key of byInvoice.of(invoice)) keys.add(key);
      latest = { invoices, keys };
    }
    return [...latest.keys].flatMap((key) => byKey.get(key) ?? []);
  }

  /** Undecided attempts, except `known` ones, at one of these sums. */
  function undecidedAt(sums: () => readonly string[], known: ReadonlySet<PaymentAttempt>): PaymentAttempt[] {
    const others = [...undecided].map((key) => byKey.get(key)!).filter((each) => !known.has(each)); // keys of attempts
    if (others.length === 0) return [];
    const sought = new Set(sums());
    return others.filter((each) => sumsIn(each).some((sum) => sought.has(sum)));
  }

  return {
    /**
     * Loads the attempts; await it before any other function. Rejects if the store fails; the next call then reads
     * again.
     */
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
      [...byIntention.of(intention)].flatMap((key) => byKey.get(key) ?? []),
    /** The attempt that made a batch. */
    madeBatch: (batchId: string): PaymentAttempt | undefined =>
      [...byKey.values()].find((each) => each.batchId === batchId),
    /** Ids of the failed batches for these invoices. */
    async unpaidBatches(invoices: readonly string[]): Promise<ReadonlySet<string>> {
      const ids = having(invoices).flatMap(({ batchId }) => (batchId ? [batchId] : []));
      const records = await Promise.all(ids.map((id) => batches.get(id)));
      return new Set(records.flatMap((record) => (record && unpaid.includes(record.status) ? [record.batchId] : [])));
    },
    /**
     * Attempts that paid one of these invoices, and undecided attempts at one of these invoices or sums. `sums` is
     * called only if there are undecided attempts at other invoices.
     */
    covering(
      invoices: readonly string[],
      unpaidBatches: ReadonlySet<string>,
      sums: () => readonly string[] = () => [],
    ): PaymentAttempt[] {
      const its = having(invoices);
      const paid = its.filter(({ state, batchId }) => state === 'done' && !unpaidBatches.has(batchId));
      return [...its.filter(isUndecided), ...undecidedAt(sums, new Set(its)), ...paid];
    },
    async keep(attempt: PaymentAttempt): Promise<void> {
      await attempts.put(attempt.key, attempt);
      set(attempt);
    },
    /** Like `keep`, but visible in memory at once; undone if the store fails. */
    async claim(attempt: PaymentAttempt): Promise<void> {
      const before = byKey.get(attempt.key);
      set(attempt);
      try {
        await attempts.put(attempt.key, attempt);
      } catch (error) {
        if (before) set(before);
        else forget(attempt);
        throw error;
      }
    },
    /** Removes the oldest `open` and `refused` attempts beyond the maximum number of each. */
    async prune(): Promise<void> {
      for (const keys of Object.values(idle))
        for (const key of [...keys].slice(0, Math.max(0, keys.size - mostWithoutEffect))) {
          forget(byKey.get(key)!); // the keys are those of attempts
          await attempts.remove(key);
        }
    },
  };
}
