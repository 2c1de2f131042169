import { isDeepStrictEqual } from 'node:util';
import { alerts } from '#contract/alerts.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { Answer } from '#contract/shapes.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { currentAttempt, currentCall } from '#server/calls/callContext.ts';
import { writeKeyPrefix } from '#server/calls/idempotency.ts';
import { requireMine, settledOutcomeOf, type WriteAttempt } from '#server/calls/writeOutcome.ts';
import { createCoverage, paidAlreadyFailure, requireSingle, type Covered } from './coverage.ts';
import { identified, ownIdentities, type IdentifiedBatch } from './identifiedBatch.ts';
import { intentionOf, type Batch } from './invoiceIdentity.ts';
import { payerOf } from './payer.ts';
import { sentPaymentsOf, summaryOf } from './pendingPayments.ts';
import { isRepeatable, isUndecided, paymentAttempts, sentFirst, sentPayments } from './records.ts';
import type { PaymentAttempt, SentPayment } from './records.ts';
import type { Payer } from '#server/storage/paidInvoices.ts';

/**
 * Maximum number of attempts stored in each of the states `open` (kept so that a reload finds their keys) and
 * `refused`.
 */
const maximumWithoutEffect = 100;

/** An attempt that was stored before its batch is sent; `repeat` is what was stored of it before, if it was sent before. */
interface Begun {
  sent: PaymentAttempt & { request: Batch };
  payments: SentPayment[];
  repeat: PaymentAttempt | undefined;
}

/** The ids of the payments that cover others. */
const idsOf = (covered: readonly Pick<Covered, 'priorPayments'>[]): string[] => [
  ...new Set(covered.flatMap(({ priorPayments }) => priorPayments.map(({ id }) => id))),
];

/** Whether the review of an attempt has shown all payments of an invoice. */
const isShown = (covered: Covered, { shown = [] }: PaymentAttempt): boolean =>
  idsOf([covered]).every((id) => shown.includes(id));

/**
 * Ensures that each invoice of a company is paid only once. A batch is sent under the idempotency key of its attempt,
 * which reserves the batch's invoices. Invoices covered by a batch, or by an attempt with an unknown outcome, are not
 * paid under another key unless the user asks for it.
 */
export function createAttemptIndex(
  deps: Pick<CompanyContext, 'store' | 'config' | 'upstream' | 'clock' | 'newId' | 'retryWindow'>,
) {
  const { store, config, upstream, clock, newId } = deps;
  const coverage = createCoverage({ store, config, upstream });
  const attempts = store.records(paymentAttempts);
  const { paidInvoices } = store;
  const here = { workspace: store.workspace, companyKey: store.scope };

  /**
   * Returns an attempt that was not sent and whose key nobody has claimed: a request that ended before its batch was stored
   * may have had other data than what is reviewed now.
   */
  async function unclaimed(same: readonly PaymentAttempt[]): Promise<PaymentAttempt | undefined> {
    for (const attempt of same.filter(({ state }) => state === 'open').reverse())
      if (!(await store.idempotencyKeys.exists(here, writeKeyPrefix + attempt.key))) return attempt;
    return undefined;
  }

  /** Removes the oldest `open` and `refused` attempts beyond the maximum number of each. */
  async function prune(): Promise<void> {
    for (const state of ['open', 'refused']) {
      const oldest = await attempts.beyond(maximumWithoutEffect, { state });
      await attempts.removeAll(oldest.map(({ key }) => key));
    }
  }

  /** Reserves the invoices of a batch; stores why if other payments of them are known. */
  async function reserve(
    payer: Payer,
    key: string,
    { identities, sums }: IdentifiedBatch,
    payAgain: boolean,
  ): Promise<void> {
    const reservation = {
      ...{ key, identities: identities.flatMap(ownIdentities) },
      sums: sums.flatMap(({ own }) => own),
    };
    const others = await paidInvoices.reserve(payer, reservation);
    if (others.length === 0) return;
    const reason = payAgain ? 'The user pays it again.' : 'Its earlier payments failed or were overridden.';
    await paidInvoices.reserve(payer, { ...reservation, reason });
  }

  /**
   * Stores the attempt to send a batch, and reserves its invoices. Large batches take long to identify, which is done
   * before the transaction, for which all others wait.
   */
  async function begin(
    { key, batch, again }: { key: string; batch: Batch; again: boolean },
    attempt: WriteAttempt,
  ): Promise<Begun> {
    const seen = await attempts.get(key);
    const repeat = seen && isUndecided(seen) ? seen : undefined;
    const asked = await identified(deps, batch);
    const first = repeat ? await identified(deps, sentFirst(repeat), repeat.known ?? []) : asked;
    const payments = sentPaymentsOf(first);
    const summary = summaryOf(first.batch, currentCall()?.interactionId ?? '');
    // Looked up and reserved in one transaction, so that of two keys for one invoice only one succeeds.
    const sent = await store.transaction(async () => {
      // Whoever has taken the key over stores the attempt.
      await requireMine(attempt);
      const payer = await payerOf({ store, config });
      // It was removed after its token had been obtained.
      if (!payer) throw new Failure('prerequisite-missing', alerts.noCompany);
      await paidInvoices.lock(payer.owner);
      const isPayer = [asked, first].every((each) => isDeepStrictEqual(each.payer?.owner, payer.owner));
      if (!isPayer || !isDeepStrictEqual(await attempts.get(key), seen)) return undefined;
      const inTheWay = await coverage.coveredBy(key, asked);
      if (inTheWay.length > 0 && !again) throw paidAlreadyFailure(batch, inTheWay);
      const unseen = seen?.shown ? inTheWay.filter((each) => !isShown(each, seen)) : [];
      if (unseen.length > 0) throw paidAlreadyFailure(batch, unseen);
      if (!repeat && !again) requireSingle(asked);
      const overridden = inTheWay.flatMap(({ priorPayments }) => priorPayments.map(({ id }) => id));
      const stored = {
        ...({ key, intention: first.intention, state: 'sent' } as const),
        ...{ madeAt: seen?.madeAt ?? clock.now(), sentAt: repeat?.sentAt ?? clock.now() },
        ...{ request: first.batch, known: first.known, summary },
        despite: [...new Set([...(repeat?.despite ?? []), ...overridden])],
        ...(repeat?.lost && { lost: repeat.lost }),
        ...(seen?.shown && { shown: seen.shown }),
      };
      await attempts.put(key, stored);
      await reserve(first.payer!, key, first, again); // as just compared
      return stored;
    });
    // Another request has changed the attempt or the company since.
    return sent ? { sent, payments, repeat } : begin({ key, batch, again }, attempt);
  }

  return {
    /**
     * Returns the idempotency key for a payment under review: that of a repeatable earlier attempt at the same payment
     * with an unknown outcome, if there is one; otherwise that of an attempt not yet sent.
     */
    async prepare(batch: Batch): Promise<Answer<'preparePayment'>['data']> {
      const entered = await identified(deps, batch);
      const { intention } = entered;
      const { key, lost } = await store.transaction(async () => {
        const same = await attempts.list({ subject: intention });
        let lost: PaymentAttempt | undefined;
        for (const attempt of same.filter(isUndecided)) if (await isRepeatable(deps, attempt)) lost = attempt;
        const open = lost ?? (await unclaimed(same));
        const attempt: PaymentAttempt = open ?? {
          ...{ key: newId(), intention, state: 'open', madeAt: clock.now(), sentAt: 0 },
          ...{ request: null, despite: [] },
        };
        if (!open) {
          await attempts.put(attempt.key, attempt);
          await prune();
        }
        return { key: attempt.key, lost };
      });
      const first = lost && (sentFirst(lost) as BatchRequest); // stored by send
      const covered = await coverage.coveredBy(key, first ? await identified(deps, first) : entered);
      const shown = idsOf(covered);
      await attempts.change(key, (attempt) => attempt && { ...attempt, shown });
      return {
        key,
        ...(lost && first && { sentAt: iso(lost.sentAt), first }),
        covered: await coverage.standings(covered),
      };
    },

    standingsOf: coverage.standingsOf,

    /**
     * Returns the references of a batch's payments in the order sent; undefined if the batch was not sent from here.
     */
    referencesOf: async (batchId: string): Promise<string[] | undefined> =>
      (await store.records(sentPayments).get(batchId))?.map(({ reference }) => reference),

    /** Returns the batch that an undecided attempt sent first. Throws `not-found` if there is no such attempt. */
    async sentBatch(key: string): Promise<Batch> {
      const attempt = await attempts.get(key);
      if (!attempt || !isUndecided(attempt))
        throw new Failure('not-found', 'No payment with an unknown outcome has this key.');
      return sentFirst(attempt);
    },

    /** Returns whether an attempt under this key was sent, and not refused. */
    async wasSent(key: string): Promise<boolean> {
      const attempt = await attempts.get(key);
      return attempt !== undefined && attempt.state !== 'open' && attempt.state !== 'refused';
    },

    /** Returns the id of the batch that a webhook named while an attempt awaited its response, if that was lost. */
    async namedBatch(key: string): Promise<string | undefined> {
      const attempt = await attempts.get(key);
      return attempt && isUndecided(attempt) ? attempt.named : undefined;
    },

    /** Returns the id of the batch by which an attempt at this batch was settled; undefined if it was not. */
    async settledBatch(key: string, batch: Batch): Promise<string | undefined> {
      const attempt = await attempts.get(key);
      if (!attempt?.settled) return undefined;
      return attempt.intention === intentionOf(batch) ? attempt.settled.batchId : undefined;
    },

    /**
     * Posts a batch under an idempotency key; a repeat posts the body that was sent first. `again`: the user wants to
     * pay invoices a second time. Without it, throws `paid-already` for covered invoices and `invalid-request` if the
     * batch contains an invoice twice. Rejects as `post` does.
     */
    async send<T extends { batchId: string }, B extends Batch>(
      { key, batch, again }: { key: string; batch: B; again: boolean },
      post: (batch: B) => Promise<T>,
    ): Promise<T> {
      await coverage.requireToken();
      const attempt = currentAttempt();
      const { sent, payments, repeat } = await begin({ key, batch, again }, attempt);
      const first = sent.request as B; // stored by send, under the same key
      if (repeat) attempt.inDoubt = true;
      try {
        const answer = await post(first);
        const { batchId } = answer;
        const interactionId = currentCall()?.interactionId ?? '';
        const settled = { batchId, at: iso(clock.now()), by: 'response', interactionId } as const;
        await store.transaction(async () => {
          await attempts.put(key, { ...sent, state: 'done', request: null, ...(repeat && { settled }) });
          await paidInvoices.confirm(here, key, batchId);
          await store.records(sentPayments).put(batchId, payments);
        });
        return answer;
      } catch (error) {
        // If this cannot be stored either, the attempt stays `sent`, which counts as unknown after a restart.
        await store
          .transaction(async () => {
            // A webhook may have settled it meanwhile.
            const { state: present, named } = (await attempts.get(key)) ?? {};
            if (present === 'done') return;
            // Read here, so that nobody can take the key over before the invoices are free.
            const outcome = await settledOutcomeOf(attempt);
            const state = ({ 'not-sent': 'open', refused: 'refused', unknown: 'unknown' } as const)[outcome];
            const lost = error instanceof Failure ? error.message : 'The console failed before it read the response.';
            const unknown = { request: first, lost: sent.lost ?? lost, ...(named && { named }) };
            await attempts.put(key, { ...sent, state, ...(outcome === 'unknown' ? unknown : { request: null }) });
            if (outcome !== 'unknown') await paidInvoices.free(here, key);
            await prune();
          })
          .catch(() => undefined);
        throw error;
      }
    },
  };
}
