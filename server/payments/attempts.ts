import { setImmediate as othersTurn } from 'node:timers/promises';
import type { BatchRequest } from '#contract/payment.ts';
import type { Answer } from '#contract/shapes.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { currentAttempt, currentCall } from '#server/calls/callContext.ts';
import { requireMine, settledOutcomeOf } from '#server/calls/writeOutcome.ts';
import { createCoverage, requireSingle, paidAlreadyFailure } from './coverage.ts';
import { intentionOf, storedIdentities, sumsBy, type Batch, type KnownPayee } from './invoiceIdentity.ts';
import { knownPayeesOf } from './knownPayees.ts';
import { payerOf } from './payer.ts';
import { sentPaymentsOf, summaryOf } from './pendingPayments.ts';
import { isRepeatable, isUndecided, paymentAttempts, sentFirst, sentPayments } from './records.ts';
import type { PaymentAttempt } from './records.ts';
import type { Payer } from '#server/storage/paidInvoices.ts';

/**
 * Maximum number of attempts stored in each of the states `open` (kept so that a reload finds their keys) and
 * `refused`.
 */
const maximumWithoutEffect = 100;

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
  const here = { workspace: store.workspace, company: store.scope };

  /** Removes the oldest `open` and `refused` attempts beyond the maximum number of each. */
  async function prune(): Promise<void> {
    for (const state of ['open', 'refused']) {
      const all = await attempts.list({ state });
      await attempts.removeAll(all.slice(0, -maximumWithoutEffect).map(({ key }) => key));
    }
  }

  /** Reserves the invoices of a batch; stores why if other payments of them are known. */
  async function reserve(
    payer: Payer,
    { key, request: batch, known }: PaymentAttempt & { request: Batch; known: KnownPayee[] },
    payAgain: boolean,
  ): Promise<void> {
    const sums = batch.payments.map(sumsBy(known)).flatMap(({ own }) => own);
    const reservation = { key, identities: storedIdentities(batch, known).flat(), sums };
    const others = await paidInvoices.reserve(payer, reservation);
    if (others.length === 0) return;
    const reason = payAgain ? 'The user pays it again.' : 'Its earlier payments failed or were overridden.';
    await paidInvoices.reserve(payer, { ...reservation, reason });
  }

  return {
    /**
     * Returns the idempotency key for a payment under review: that of a repeatable earlier attempt at the same payment
     * with an unknown outcome, if there is one; otherwise that of an attempt not yet sent.
     */
    async prepare(batch: Batch): Promise<Answer<'preparePayment'>['data']> {
      const { covered, ...prepared } = await store.transaction(async () => {
        const intention = intentionOf(batch);
        const same = await attempts.list({ subject: intention });
        let lost: PaymentAttempt | undefined;
        for (const attempt of same.filter(isUndecided)) if (await isRepeatable(deps, attempt)) lost = attempt;
        const open = lost ?? same.findLast(({ state }) => state === 'open');
        const attempt: PaymentAttempt = open ?? {
          ...{ key: newId(), intention, state: 'open', madeAt: clock.now(), sentAt: 0 },
          ...{ request: null, despite: [] },
        };
        if (!open) {
          await attempts.put(attempt.key, attempt);
          await prune();
        }
        const first = lost && (sentFirst(lost) as BatchRequest); // stored by send
        return {
          key: attempt.key,
          ...(lost && first && { sentAt: iso(lost.sentAt), first }),
          covered: await coverage.coveredBy(attempt.key, first ?? batch),
        };
      });
      return { ...prepared, covered: await coverage.standings(covered) };
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
      return attempt?.intention === intentionOf(batch) ? attempt.settled?.batchId : undefined;
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
      // Looked up and reserved in one transaction, so that of two keys for one invoice only one succeeds.
      const attempt = currentAttempt();
      const { sent, first, repeat } = await store.transaction(async () => {
        // Whoever has taken the key over stores the attempt.
        await requireMine(attempt);
        const payer = (await payerOf({ store, config }))!; // a token needs a company
        await paidInvoices.lock(payer.owner);
        const inTheWay = await coverage.coveredBy(key, batch);
        if (inTheWay.length > 0 && !again) throw paidAlreadyFailure(batch, inTheWay);
        const before = await attempts.get(key);
        const repeat = before && isUndecided(before) ? before : undefined;
        const first = repeat ? (sentFirst(repeat) as B) : batch; // stored by send, under the same key
        const known = repeat ? (repeat.known ?? []) : await knownPayeesOf({ store }, batch);
        if (!repeat && !again) requireSingle(batch, known);
        const overridden = inTheWay.flatMap(({ priorPayments }) => priorPayments.map(({ id }) => id));
        const sent = {
          ...({ key, intention: intentionOf(first), state: 'sent' } as const),
          ...{ madeAt: before?.madeAt ?? clock.now(), sentAt: repeat?.sentAt ?? clock.now() },
          request: first,
          known,
          despite: [...new Set([...(repeat?.despite ?? []), ...overridden])],
          summary: summaryOf(first, currentCall()?.interactionId ?? ''),
          ...(repeat?.lost && { lost: repeat.lost }),
        };
        // A large batch takes long to compare, and to store.
        await othersTurn();
        await attempts.put(key, sent);
        await othersTurn();
        await reserve(payer, sent, again);
        return { sent, first, repeat };
      });
      if (repeat) attempt.inDoubt = true;
      try {
        const answer = await post(first);
        const { batchId } = answer;
        const interactionId = currentCall()?.interactionId ?? '';
        const settled = { batchId, at: iso(clock.now()), by: 'response', interactionId } as const;
        await store.transaction(async () => {
          await attempts.put(key, { ...sent, state: 'done', request: null, ...(repeat && { settled }) });
          await paidInvoices.confirm(here, key, batchId);
          await store.records(sentPayments).put(batchId, sentPaymentsOf(first, sent.known));
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
