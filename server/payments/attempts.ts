import type { BatchRequest, Standing } from '#contract/payment.ts';
import type { Answer } from '#contract/shapes.ts';
import { counted } from '#rules/counted.ts';
import { iso } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { repeatsWithin } from '#server/writes/once.ts';
import { currentAttempt } from '#server/record/exchange.ts';
import { outcomeOf } from '#server/writes/outcome.ts';
import { keyLife } from '#server/upstream/wire.ts';
import { identitiesOf, intentionOf, sumsOf, type Batch, type Identities } from './identity.ts';
import { compact, isUndecided, openRegister, sentFirst, sumsIn, type PaymentAttempt } from './register.ts';

/** Maximum number of payments named in a refusal. */
const mostNamed = 20;

const standingOf = (attempts: readonly PaymentAttempt[]): Standing | undefined => {
  const attempt = attempts.findLast(({ state }) => state === 'done') ?? attempts.at(-1);
  return (
    attempt && {
      state: attempt.state === 'done' ? 'paid' : 'unknown',
      at: iso(attempt.sentAt),
      ...(attempt.batchId && { batchId: attempt.batchId }),
    }
  );
};

/** Returns the identities under which the payments of a batch are stored: their invoices and aliases. */
const keptOf = (batch: Batch): string[] => {
  const kept: string[] = [];
  for (const { invoices, aliases } of identitiesOf(batch)) kept.push(...invoices, ...aliases.own);
  return kept;
};

/**
 * Returns the identities under which other attempts may have stored a payment's invoices, however much detail of the
 * payee they give.
 */
const soughtOf = ({ invoices, aliases }: Identities): string[] => [...invoices, ...aliases.other];

const words = ({ state, at, batchId }: Standing): string =>
  state === 'paid' ? `was paid at ${at} in batch ${batchId}` : `was sent at ${at}, and its outcome is not known`;

/**
 * Ensures that each invoice of a company is paid only once. A batch is sent under the idempotency key of its attempt.
 * Invoices covered by a batch, or by an attempt with an unknown outcome, are not paid under another key unless the user
 * asks for it.
 */
export function createAttempts({ store, clock, newId }: Pick<Deps, 'store' | 'clock' | 'newId'>) {
  const register = openRegister(store);

  /**
   * Returns the other attempts that may have paid the same invoices. Omits those that the user has overridden for this
   * attempt, but only while it is undecided: after a refusal, the key may be used for another batch.
   */
  async function others(key: string, batch: Batch) {
    const invoices = identitiesOf(batch).flatMap(soughtOf);
    const unpaid = await register.unpaidBatches(invoices);
    const own = register.get(key);
    const aside = own && isUndecided(own) ? own.despite : [];
    const sums = () => batch.payments.flatMap((payment) => sumsOf(payment).other);
    return register.covering(invoices, unpaid, sums).filter((each) => each.key !== key && !aside.includes(each.key));
  }

  /** Returns the payments of a batch that other attempts cover: their index and standing. */
  function covered(batch: Batch, attempts: readonly PaymentAttempt[]) {
    if (attempts.length === 0) return [];
    const byInvoice = new Map<string, Set<PaymentAttempt>>();
    for (const attempt of attempts)
      for (const invoice of [...attempt.invoices, ...(isUndecided(attempt) ? sumsIn(attempt) : [])])
        byInvoice.set(invoice, (byInvoice.get(invoice) ?? new Set()).add(attempt));
    const identities = identitiesOf(batch);
    return batch.payments.flatMap((payment, index) => {
      const its = [...soughtOf(identities[index]!), ...sumsOf(payment).other].flatMap((id) => [
        // `identities` has one element per payment
        ...(byInvoice.get(id) ?? []),
      ]);
      const standing = standingOf(its);
      return standing ? [{ index, ...standing }] : [];
    });
  }

  function refusal(batch: Batch, attempts: readonly PaymentAttempt[]): Failure {
    const errors = covered(batch, attempts).map(({ index, ...standing }) => ({
      path: `payments.${index}`,
      message: `${batch.payments[index]?.remittanceInformation?.reference ?? 'This payment'} ${words(standing)}`,
    }));
    return new Failure(
      'paid-already',
      `${errors.length} of ${counted(batch.payments.length, 'payment')} ${errors.length === 1 ? 'is for an invoice that is' : 'are for invoices that are'} paid or may be. To pay again, send again=true.`,
      { errors: errors.slice(0, mostNamed) },
    );
  }

  /** Throws `invalid-request` if a batch contains several payments for one invoice. */
  function insistOnSingle(batch: Batch): void {
    const { payments } = batch;
    const payingIt = new Map<string, number>();
    const errors: { path: string; message: string }[] = [];
    for (const [index, identities] of identitiesOf(batch).entries()) {
      const same = soughtOf(identities).find((invoice) => payingIt.has(invoice));
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
        { errors: errors.slice(0, mostNamed) },
      );
  }

  const isRepeatable = (attempt: PaymentAttempt): boolean => {
    const life = 'fileFormatId' in sentFirst(attempt) ? keyLife.fileBatch : keyLife.usual;
    const { sentAt } = attempt;
    return sentAt <= clock.now() && repeatsWithin(life) > clock.now() - sentAt;
  };

  return {
    /**
     * Returns the idempotency key for a payment under review: that of a repeatable earlier attempt at the same payment
     * with an unknown outcome, if there is one; otherwise that of an attempt not yet sent.
     */
    prepare: (batch: Batch): Promise<Answer<'preparePayment'>['data']> =>
      register.inTurn(async () => {
        const intention = intentionOf(batch);
        const invoices = keptOf(batch);
        const same = register.withIntention(intention);
        const lost = same.findLast((attempt) => isUndecided(attempt) && isRepeatable(attempt));
        const open = lost ?? same.findLast(({ state }) => state === 'open');
        const attempt = open ?? {
          ...{ key: newId(), intention, invoices, state: 'open' as const, madeAt: clock.now(), sentAt: 0 },
          ...{ batchId: '', request: '', despite: [] },
        };
        if (!open) {
          await register.keep(attempt);
          await register.prune();
        }
        const first = lost && (sentFirst(lost) as BatchRequest); // stored by send
        return {
          key: attempt.key,
          ...(lost && first && { sentAt: iso(lost.sentAt), first }),
          covered: covered(first ?? batch, await others(attempt.key, batch)),
        };
      }),

    /** Resolves with a function that returns the standing of invoices, given as `invoiceOf` returns them. */
    async standings(): Promise<(invoices: readonly string[]) => Promise<Standing | undefined>> {
      await register.ready();
      return async (invoices) => standingOf(register.covering(invoices, await register.unpaidBatches(invoices)));
    },

    /**
     * Returns the references of a batch's payments in the order sent; undefined if the batch was not sent from here.
     */
    async referencesOf(batchId: string): Promise<string[] | undefined> {
      await register.ready();
      return register.madeBatch(batchId)?.references;
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
      // Looked up and claimed in one turn, so that of two keys for one invoice only one succeeds.
      const { sent, first, repeat } = await register.inTurn(async () => {
        const inTheWay = await others(key, batch);
        if (inTheWay.length > 0 && !again) throw refusal(batch, inTheWay);
        const before = register.get(key);
        const repeat = before && isUndecided(before) ? before : undefined;
        const first = repeat ? (sentFirst(repeat) as B) : batch; // stored by send, under the same key
        if (!repeat && !again) insistOnSingle(batch);
        const sent: PaymentAttempt = {
          ...{ key, intention: intentionOf(first), invoices: keptOf(first), state: 'sent' },
          ...{ madeAt: before?.madeAt ?? clock.now(), sentAt: repeat?.sentAt ?? clock.now(), batchId: '' },
          request: repeat?.request ?? batch,
          despite: [...(repeat?.despite ?? []), ...inTheWay.map((each) => each.key)],
        };
        await register.keep(sent);
        return { sent, first, repeat };
      });
      const attempt = currentAttempt();
      if (repeat) attempt.inDoubt = true;
      try {
        const answer = await post(first);
        const references = first.payments.map(({ remittanceInformation }) => remittanceInformation?.reference ?? '');
        const done = { ...sent, state: 'done', batchId: answer.batchId, request: '', references } as const;
        await register.inTurn(() => register.keep(done));
        return answer;
      } catch (error) {
        const outcome = outcomeOf(attempt);
        const state = { 'not-sent': 'open', refused: 'refused', unknown: 'unknown' } as const;
        const request = outcome === 'unknown' ? compact(sent.request) : '';
        // If this cannot be stored either, the attempt stays `sent`, which counts as unknown after a restart.
        await register
          .inTurn(async () => {
            await register.keep({ ...sent, state: state[outcome], request });
            await register.prune();
          })
          .catch(() => undefined);
        throw error;
      }
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
