import { setImmediate as othersTurn } from 'node:timers/promises';
import type { BatchRequest, Standing } from '#contract/payment.ts';
import type { Answer } from '#contract/shapes.ts';
import { counted } from '#rules/counted.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { currentAttempt, currentCall } from '#server/calls/callContext.ts';
import { outcomeOf } from '#server/calls/writeOutcome.ts';
import { batches, failedBatches } from '#server/companies/records.ts';
import { identitiesOf, intentionOf, storedIdentities, sumsOf, type Batch, type Identities } from './invoiceIdentity.ts';
import { sentPaymentsOf, summaryOf } from './pendingPayments.ts';
import {
  failedInvoices,
  inBatch,
  isRepeatable,
  isUndecided,
  paymentAttempts,
  sentFirst,
  sentPayments,
  undecided,
} from './records.ts';
import type { PaymentAttempt } from './records.ts';

/** Maximum number of payments named in a refusal. */
const maximumNamed = 20;

/**
 * Maximum number of attempts stored in each of the states `open` (kept so that a reload finds their keys) and
 * `refused`.
 */
const maximumWithoutEffect = 100;

/** A payment, under another idempotency key, that has paid an invoice or may have. */
interface PriorPayment {
  key: string;
  /** '' if its outcome is not known. */
  batchId: string;
  /** When it was sent, in ms. */
  at: number;
  /** Whether it is known to have failed, so that it covers nothing. */
  hasFailed: boolean;
}

const stateOf = ({ batchId, hasFailed }: PriorPayment): Standing['state'] =>
  hasFailed ? 'failed' : batchId === '' ? 'unknown' : 'paid';

/** The states of an invoice that several payments cover: the first one that applies to one of them. */
const precedence = ['paid', 'unknown', 'failed'] as const;

function invoiceStanding(priorPayments: readonly PriorPayment[]): Standing | undefined {
  const state = precedence.find((each) => priorPayments.some((priorPayment) => stateOf(priorPayment) === each));
  const priorPayment = priorPayments.findLast((each) => stateOf(each) === state);
  if (!state || !priorPayment) return undefined;
  return { state, at: iso(priorPayment.at), ...(priorPayment.batchId && { batchId: priorPayment.batchId }) };
}

/**
 * Returns the identities under which other attempts may have stored a payment's invoices, however much detail of the
 * payee they give.
 */
const lookupIdentities = ({ invoices, aliases }: Identities): string[] => [...invoices, ...aliases.other];

const describeStanding = ({ state, at, batchId }: Standing): string =>
  state === 'paid' ? `was paid at ${at} in batch ${batchId}` : `was sent at ${at}, and its outcome is not known`;

/** Adds a prior payment to those of a name. */
function add(priorPayments: Map<string, PriorPayment[]>, name: string, priorPayment: PriorPayment): void {
  const known = priorPayments.get(name);
  if (known) known.push(priorPayment);
  else priorPayments.set(name, [priorPayment]);
}

/**
 * Ensures that each invoice of a company is paid only once. A batch is sent under the idempotency key of its attempt,
 * which reserves the batch's invoices. Invoices covered by a batch, or by an attempt with an unknown outcome, are not
 * paid under another key unless the user asks for it.
 */
export function createAttemptIndex({ store, clock, newId }: Pick<CompanyContext, 'store' | 'clock' | 'newId'>) {
  const attempts = store.records(paymentAttempts);
  const { paidInvoices } = store;
  const here = { workspace: store.workspace, company: store.scope };

  /** Returns a function that tells whether the payment of an invoice in a batch is known to have failed. */
  async function failures(): Promise<(batchId: string, identity: string) => boolean> {
    const records = await store.records(batches).list({ state: failedBatches });
    const failed = new Set(records.map(({ batchId }) => batchId));
    const ofPayments = new Set((await store.records(failedInvoices).list()).flat());
    return (batchId, identity) => failed.has(batchId) || ofPayments.has(inBatch(batchId, identity));
  }

  /** Returns the payments of invoices, by the identities of these. */
  async function paymentsOf(identities: readonly string[]): Promise<Map<string, PriorPayment[]>> {
    const rows = await paidInvoices.covering(here, identities);
    const priorPayments = new Map<string, PriorPayment[]>();
    if (rows.length === 0) return priorPayments;
    const hasFailed = await failures();
    for (const { identity, key, batchId, reservedAt: at } of rows)
      add(priorPayments, identity, { key, batchId, at, hasFailed: hasFailed(batchId, identity) });
    return priorPayments;
  }

  /** Returns the attempts under other keys whose outcome is not known, by the sums of their payments (see `sumsOf`). */
  async function undecidedBySum(key: string): Promise<Map<string, PriorPayment[]>> {
    const priorPayments = new Map<string, PriorPayment[]>();
    for (const attempt of await attempts.list(undecided)) {
      if (attempt.key === key) continue;
      const priorPayment = { key: attempt.key, batchId: '', at: attempt.sentAt, hasFailed: false };
      for (const payment of sentFirst(attempt).payments)
        for (const sum of sumsOf(payment).own) add(priorPayments, sum, priorPayment);
    }
    return priorPayments;
  }

  /**
   * Returns the payments of a batch that payments under other keys cover, by index. Omits those that the user has
   * overridden for this key, but only while its attempt is undecided: after a refusal, the key may be used for another
   * batch.
   */
  async function coveredBy(key: string, batch: Batch): Promise<{ index: number; priorPayments: PriorPayment[] }[]> {
    const identities = identitiesOf(batch);
    const paid = await paymentsOf(identities.flatMap(lookupIdentities));
    const sums = await undecidedBySum(key);
    const own = await attempts.get(key);
    const ignoredKeys = [key, ...(own && isUndecided(own) ? own.despite : [])];
    return batch.payments.flatMap((payment, index) => {
      const lookups = lookupIdentities(identities[index]!); // there is one element for each payment
      const priorPayments = [
        ...sumsOf(payment).other.flatMap((sum) => sums.get(sum) ?? []),
        ...lookups.flatMap((identity) => paid.get(identity) ?? []),
      ].filter(({ key: other, hasFailed }) => !hasFailed && !ignoredKeys.includes(other));
      return priorPayments.length > 0 ? [{ index, priorPayments }] : [];
    });
  }

  /** Returns the payments of a batch that others cover: their index and standing. */
  const covered = async (key: string, batch: Batch) =>
    (await coveredBy(key, batch)).map(({ index, priorPayments }) => ({ index, ...invoiceStanding(priorPayments)! })); // not empty

  function refusal(batch: Batch, found: readonly { index: number; priorPayments: PriorPayment[] }[]): Failure {
    const errors = found.map(({ index, priorPayments }) => ({
      path: `payments.${index}`,
      message: `${batch.payments[index]?.remittanceInformation?.reference ?? 'This payment'} ${describeStanding(invoiceStanding(priorPayments)!)}`, // not empty
    }));
    return new Failure(
      'paid-already',
      `${errors.length} of ${counted(batch.payments.length, 'payment')} ${errors.length === 1 ? 'is for an invoice that is' : 'are for invoices that are'} paid or may be. To pay again, send again=true.`,
      { errors: errors.slice(0, maximumNamed) },
    );
  }

  /** Throws `invalid-request` if a batch contains several payments for one invoice. */
  function insistOnSingle(batch: Batch): void {
    const { payments } = batch;
    const payingIt = new Map<string, number>();
    const errors: { path: string; message: string }[] = [];
    for (const [index, identities] of identitiesOf(batch).entries()) {
      const same = lookupIdentities(identities).find((invoice) => payingIt.has(invoice));
      for (const ids of [identities.invoices, identities.aliases.own])
        for (const invoice of ids) if (!payingIt.has(invoice)) payingIt.set(invoice, index);
      if (same === undefined) continue;
      const name = payments[index]?.remittanceInformation?.reference ?? 'This payment';
      errors.push({
        path: `payments.${index}`,
        message: `${name} is for the same invoice as payments.${payingIt.get(same)}`,
      });
    }
    if (errors.length > 0)
      throw new Failure(
        'invalid-request',
        `${errors.length} of ${counted(payments.length, 'payment')} ${errors.length === 1 ? 'repeats' : 'repeat'} an invoice of the same batch. To pay it more than once, send again=true.`,
        { errors: errors.slice(0, maximumNamed) },
      );
  }

  /** Removes the oldest `open` and `refused` attempts beyond the maximum number of each. */
  async function prune(): Promise<void> {
    for (const state of ['open', 'refused']) {
      const all = await attempts.list({ state });
      await attempts.removeAll(all.slice(0, -maximumWithoutEffect).map(({ key }) => key));
    }
  }

  /** Reserves the invoices of a batch; stores why if other payments of them are known. */
  async function reserve(key: string, batch: Batch, payAgain: boolean): Promise<void> {
    const reservation = { key, identities: storedIdentities(batch).flat() };
    const others = await paidInvoices.reserve(here, reservation);
    if (others.length === 0) return;
    const reason = payAgain ? 'The user pays it again.' : 'Its earlier payments failed or were overridden.';
    await paidInvoices.reserve(here, { ...reservation, reason });
  }

  return {
    /**
     * Returns the idempotency key for a payment under review: that of a repeatable earlier attempt at the same payment
     * with an unknown outcome, if there is one; otherwise that of an attempt not yet sent.
     */
    prepare: (batch: Batch): Promise<Answer<'preparePayment'>['data']> =>
      store.transaction(async () => {
        const intention = intentionOf(batch);
        const same = await attempts.list({ subject: intention });
        const lost = same.findLast((attempt) => isUndecided(attempt) && isRepeatable(attempt, clock.now()));
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
          covered: await covered(attempt.key, first ?? batch),
        };
      }),

    /** Returns the standing of each invoice, given by its identities (see `invoiceOf`). */
    async standingsOf(invoices: readonly (readonly string[])[]): Promise<(Standing | undefined)[]> {
      const priorPayments = await paymentsOf(invoices.flat());
      return invoices.map((identities) =>
        invoiceStanding(identities.flatMap((identity) => priorPayments.get(identity) ?? [])),
      );
    },

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
      // Looked up and reserved in one transaction, so that of two keys for one invoice only one succeeds.
      const { sent, first, repeat } = await store.transaction(async () => {
        const inTheWay = await coveredBy(key, batch);
        if (inTheWay.length > 0 && !again) throw refusal(batch, inTheWay);
        const before = await attempts.get(key);
        const repeat = before && isUndecided(before) ? before : undefined;
        const first = repeat ? (sentFirst(repeat) as B) : batch; // stored by send, under the same key
        if (!repeat && !again) insistOnSingle(batch);
        const overridden = inTheWay.flatMap(({ priorPayments }) =>
          priorPayments.map((priorPayment) => priorPayment.key),
        );
        const sent: PaymentAttempt = {
          ...{ key, intention: intentionOf(first), state: 'sent' },
          ...{ madeAt: before?.madeAt ?? clock.now(), sentAt: repeat?.sentAt ?? clock.now() },
          request: first,
          despite: [...new Set([...(repeat?.despite ?? []), ...overridden])],
          summary: summaryOf(first, currentCall()?.interactionId ?? ''),
          ...(repeat?.lost && { lost: repeat.lost }),
        };
        // A large batch takes long to compare, and to store.
        await othersTurn();
        await attempts.put(key, sent);
        await othersTurn();
        await reserve(key, first, again);
        return { sent, first, repeat };
      });
      const attempt = currentAttempt();
      if (repeat) attempt.inDoubt = true;
      try {
        const answer = await post(first);
        const { batchId } = answer;
        const interactionId = currentCall()?.interactionId ?? '';
        const settled = { batchId, at: iso(clock.now()), by: 'response', interactionId } as const;
        await store.transaction(async () => {
          await attempts.put(key, { ...sent, state: 'done', request: null, ...(repeat && { settled }) });
          await paidInvoices.confirm(here, key, batchId);
          await store.records(sentPayments).put(batchId, sentPaymentsOf(first));
        });
        return answer;
      } catch (error) {
        const outcome = outcomeOf(attempt);
        const state = ({ 'not-sent': 'open', refused: 'refused', unknown: 'unknown' } as const)[outcome];
        // If this cannot be stored either, the attempt stays `sent`, which counts as unknown after a restart.
        await store
          .transaction(async () => {
            // A webhook may have settled it meanwhile.
            const { state: present, named } = (await attempts.get(key)) ?? {};
            if (present === 'done') return;
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

export type AttemptIndex = ReturnType<typeof createAttemptIndex>;
