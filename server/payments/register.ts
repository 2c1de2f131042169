import { parse, stringify } from '#contract/json.ts';
import { statusOf } from '#contract/status.ts';
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
   * The body sent first while the outcome is undecided; otherwise ''. Serialised once the attempt has failed, to save
   * memory; earlier versions always serialised it.
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
export const unpaid: readonly string[] = ['Failed', 'Rejected', 'Cancelled'];

export const isUndecided = ({ state }: PaymentAttempt): boolean => state === 'sent' || state === 'unknown';

/** Returns the body that an undecided attempt sent first. */
export const sentFirst = ({ request }: PaymentAttempt): Batch =>
  typeof request === 'string' ? (parse(request) as Batch) : request; // stored by send

/** Returns a body in the form in which it is kept for long. */
export const compact = (request: PaymentAttempt['request']): string =>
  typeof request === 'string' ? request : stringify(request);

const sumsKept = new WeakMap<PaymentAttempt, string[]>();

/** Returns the sums (see `sumsOf`) of an undecided attempt's payments. */
export function sumsIn(attempt: PaymentAttempt): string[] {
  const known = sumsKept.get(attempt);
  if (known) return known;
  const sums = sentFirst(attempt).payments.flatMap((payment) => sumsOf(payment).own);
  sumsKept.set(attempt, sums);
  return sums;
}

/**
 * The attempts of one company, cached, and read again after another server has written to them. Changes run in turns,
 * so that looking up and claiming an invoice is one step across all servers.
 */
export function openRegister({ attempts, batches, inTurn }: Pick<Store, 'attempts' | 'batches' | 'inTurn'>) {
  const byKey = new Map<string, PaymentAttempt>();
  const byInvoice = new KeysByName();
  const byIntention = new KeysByName();
  const undecided = new Set<string>();
  /** Keys of the attempts that `prune` may remove, the oldest first. */
  const idle = { open: new Set<string>(), refused: new Set<string>() };
  const idleIn = (state: PaymentAttempt['state']) =>
    state === 'open' || state === 'refused' ? idle[state] : undefined;
  /** The version of the attempts in memory (Records, version); undefined if there are none. */
  let loaded: string | undefined;

  /** Number of changes made here. */
  let changes = 0;

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
    if (before?.invoices !== invoices || byInvoice.hasSeveral)
      for (const invoice of invoices) byInvoice.add(invoice, key);
    byIntention.add(intention, key);
  }

  /** Removes an attempt from all indexes but that of invoices. */
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

  /** Reads the attempts if the cache is out of date. */
  async function load(): Promise<void> {
    const version = await attempts.version();
    if (version === loaded) return;
    const all = await attempts.list();
    for (const each of [byKey, byInvoice, byIntention, undecided, idle.open, idle.refused]) each.clear();
    for (const attempt of all) set({ ...attempt, request: compact(attempt.request) });
    loaded = version;
  }

  /**
   * Runs a function that looks up and changes attempts, serialised with all others on all servers, with an up-to-date
   * cache. If it fails after a change, the cache is discarded.
   */
  const turn = <T>(run: () => Promise<T>): Promise<T> =>
    inTurn('payments', async () => {
      await load();
      const before = changes;
      try {
        const result = await run();
        if (changes > before) loaded = await attempts.version();
        return result;
      } catch (error) {
        if (changes > before) loaded = undefined;
        throw error;
      }
    });

  /** Cache: the keys of the attempts at the invoices asked for last, until an attempt changes. */
  let latest: { invoices: readonly string[]; keys: ReadonlySet<string> } | undefined;

  function having(invoices: readonly string[]): PaymentAttempt[] {
    if (latest?.invoices !== invoices) {
      const keys = new Set<string>();
      for (const invoice of invoices) for (const key of byInvoice.of(invoice)) keys.add(key);
      latest = { invoices, keys };
    }
    return [...latest.keys].flatMap((key) => byKey.get(key) ?? []);
  }

  /** Returns undecided attempts, except `known` ones, at one of these sums. */
  function undecidedAt(sums: () => readonly string[], known: ReadonlySet<PaymentAttempt>): PaymentAttempt[] {
    const others = [...undecided].map((key) => byKey.get(key)!).filter((each) => !known.has(each)); // keys of attempts
    if (others.length === 0) return [];
    const sought = new Set(sums());
    return others.filter((each) => sumsIn(each).some((sum) => sought.has(sum)));
  }

  return {
    /** Reads the attempts if the cache is out of date. Rejects if the store fails. */
    ready: (): Promise<void> => turn(() => Promise.resolve()),
    inTurn: turn,
    get: (key: string): PaymentAttempt | undefined => byKey.get(key),
    withIntention: (intention: string): PaymentAttempt[] =>
      [...byIntention.of(intention)].flatMap((key) => byKey.get(key) ?? []),
    /** Returns the attempt that made a batch. */
    madeBatch: (batchId: string): PaymentAttempt | undefined =>
      [...byKey.values()].find((each) => each.batchId === batchId),
    /** Returns the ids of the failed batches for these invoices. */
    async unpaidBatches(invoices: readonly string[]): Promise<ReadonlySet<string>> {
      const ids = having(invoices).flatMap(({ batchId }) => (batchId ? [batchId] : []));
      const records = await Promise.all(ids.map((id) => batches.get(id)));
      return new Set(
        records.flatMap((record) => (record && unpaid.includes(statusOf(record.status)) ? [record.batchId] : [])),
      );
    },
    /**
     * Returns the attempts that paid one of these invoices, and the undecided attempts at one of these invoices or
     * sums. Calls `sums` only if there are undecided attempts at other invoices.
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
    /** Stores an attempt. Only within `inTurn`. */
    async keep(attempt: PaymentAttempt): Promise<void> {
      changes += 1;
      await attempts.put(attempt.key, attempt);
      set(attempt);
    },
    /** Removes the oldest `open` and `refused` attempts beyond the maximum number of each. Only within `inTurn`. */
    async prune(): Promise<void> {
      changes += 1;
      for (const keys of Object.values(idle))
        for (const key of [...keys].slice(0, Math.max(0, keys.size - mostWithoutEffect))) {
          forget(byKey.get(key)!); // the keys are those of attempts
          await attempts.remove(key);
        }
    },
  };
}
