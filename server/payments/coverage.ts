import type { Standing } from '#contract/payment.ts';
import { counted } from '#rules/counted.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { identitiesOf, sumsOf, type Batch, type Identities } from './invoiceIdentity.ts';
import { failedInvoices } from './batchAnswers.ts';
import { isUndecided, paymentAttempts, sentFirst, undecided } from './records.ts';

/** Maximum number of payments named in a refusal. */
const maximumNamed = 20;

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

interface Covered {
  /** The payment's index in its batch. */
  index: number;
  priorPayments: PriorPayment[];
}

/** Returns the failure `paid-already` for a batch of which other payments cover these. */
export function refusalOf(batch: Batch, found: readonly Covered[]): Failure {
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
export function insistOnSingle(batch: Batch): void {
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

/** Finds the payments, under other idempotency keys, that have paid a company's invoices or may have. */
export function createCoverage({ store }: Pick<CompanyContext, 'store'>) {
  const attempts = store.records(paymentAttempts);
  const { paidInvoices } = store;
  const here = { workspace: store.workspace, company: store.scope };

  /** Returns the payments of invoices, by the identities of these. */
  async function paymentsOf(identities: readonly string[]): Promise<Map<string, PriorPayment[]>> {
    const rows = await paidInvoices.covering(here, identities);
    const priorPayments = new Map<string, PriorPayment[]>();
    if (rows.length === 0) return priorPayments;
    const hasFailed = await failedInvoices(store);
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
  async function coveredBy(key: string, batch: Batch): Promise<Covered[]> {
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

  return {
    coveredBy,

    /** Returns the payments of a batch that others cover: their index and standing. */
    covered: async (key: string, batch: Batch) =>
      (await coveredBy(key, batch)).map(({ index, priorPayments }) => ({ index, ...invoiceStanding(priorPayments)! })), // not empty

    /** Returns the standing of each invoice, given by its identities (see `invoiceOf`). */
    standingsOf: async (invoices: readonly (readonly string[])[]): Promise<(Standing | undefined)[]> => {
      const priorPayments = await paymentsOf(invoices.flat());
      return invoices.map((identities) =>
        invoiceStanding(identities.flatMap((identity) => priorPayments.get(identity) ?? [])),
      );
    },
  };
}
