import type { Standing } from '#contract/payment.ts';
import { counted } from '#rules/counted.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { companyOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { PaidInvoice, Payer } from '#server/storage/paidInvoices.ts';
import { failedInvoices } from './batchAnswers.ts';
import { lookupIdentities, ownIdentities, type IdentifiedBatch } from './identifiedBatch.ts';
import { hash, type Batch } from './invoiceIdentity.ts';
import { payerOf } from './payer.ts';
import { isUndecided, paymentAttempts } from './records.ts';

/** Maximum number of payments named in a refusal. */
const maximumNamed = 20;

/** A payment, under another idempotency key, that has paid an invoice or may have. */
interface PriorPayment {
  /** The idempotency key of a payment of the same record of the company; otherwise a hash that stands for it. */
  id: string;
  /** Whether another user has made it, of whom nothing else is told. */
  isOthers: boolean;
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
  // That another user's payment failed is not told: it covers nothing.
  const told = priorPayments.filter(({ isOthers, hasFailed }) => !(isOthers && hasFailed));
  const state = precedence.find((each) => told.some((priorPayment) => stateOf(priorPayment) === each));
  if (!state) return undefined;
  const priorPayment = told.findLast((each) => stateOf(each) === state && !each.isOthers);
  if (!priorPayment) return { state };
  return { state, at: iso(priorPayment.at), ...(priorPayment.batchId && { batchId: priorPayment.batchId }) };
}

function describeStanding({ state, at, batchId }: Standing): string {
  if (at === undefined)
    return state === 'paid'
      ? 'was paid by another user of this console'
      : 'was sent by another user of this console, and its outcome is not known';
  return state === 'paid' ? `was paid at ${at} in batch ${batchId}` : `was sent at ${at}, and its outcome is not known`;
}

/** Adds a prior payment to those of a name. */
function add(priorPayments: Map<string, PriorPayment[]>, name: string, priorPayment: PriorPayment): void {
  const known = priorPayments.get(name);
  if (known) known.push(priorPayment);
  else priorPayments.set(name, [priorPayment]);
}

export interface Covered {
  /** The payment's index in its batch. */
  index: number;
  priorPayments: PriorPayment[];
}

/** Returns the failure `paid-already` for a batch of which other payments cover these. */
export function paidAlreadyFailure(batch: Batch, found: readonly Covered[]): Failure {
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
export function requireSingle({ batch: { payments }, identities: all }: IdentifiedBatch): void {
  const payingIt = new Map<string, number>();
  const errors: { path: string; message: string }[] = [];
  for (const [index, identities] of all.entries()) {
    const same = lookupIdentities(identities).find((invoice) => payingIt.has(invoice));
    for (const invoice of ownIdentities(identities)) if (!payingIt.has(invoice)) payingIt.set(invoice, index);
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

/** Finds the payments, under other idempotency keys, that have paid a company's invoices or may have, whoever made them. */
export function createCoverage({
  store,
  config,
  upstream,
}: Pick<CompanyContext, 'store' | 'config'> & { upstream: Pick<CompanyContext['upstream'], 'token'> }) {
  const attempts = store.records(paymentAttempts);
  const { paidInvoices } = store;
  const isHere = ({ workspace, companyKey }: PaidInvoice) =>
    workspace === store.workspace && companyKey === store.scope;

  /** Returns what is known of payments that the register names, by the identities or sums under which it does. */
  async function priorPaymentsIn(rows: readonly PaidInvoice[]): Promise<Map<string, PriorPayment[]>> {
    const priorPayments = new Map<string, PriorPayment[]>();
    const failures = new Map<string, Awaited<ReturnType<typeof failedInvoices>>>();
    for (const row of rows) {
      const { workspace, companyKey, identity, key, batchId, reservedAt: at } = row;
      const batch = JSON.stringify([workspace, companyKey, batchId]);
      const hasFailed = failures.get(batch) ?? (await failedInvoices(store.at(companyKey, workspace), batchId));
      failures.set(batch, hasFailed);
      add(priorPayments, identity, {
        ...{ id: isHere(row) ? key : hash([workspace, companyKey, key]), isOthers: workspace !== store.workspace },
        ...{ batchId, at, hasFailed: hasFailed(identity) },
      });
    }
    return priorPayments;
  }

  /** Returns the payments of invoices, by the identities of these. */
  const paymentsOf = async (payer: Payer, identities: readonly string[]) =>
    priorPaymentsIn(await paidInvoices.covering(payer, identities));

  /**
   * Returns the payments of a batch that payments under other keys cover, by index. Omits those that the user has
   * overridden for this key, but only while its attempt is undecided: after a refusal, the key may be used for another
   * batch.
   */
  async function coveredBy(key: string, { batch, identities, sums, payer }: IdentifiedBatch): Promise<Covered[]> {
    if (!payer) return [];
    const paid = await paymentsOf(payer, identities.flatMap(lookupIdentities));
    const lookupSums = sums.map(({ other }) => other);
    const undecided = await priorPaymentsIn(await paidInvoices.undecided(payer, lookupSums.flat()));
    const own = await attempts.get(key);
    const ignored = [key, ...(own && isUndecided(own) ? own.despite : [])];
    return batch.payments.flatMap((_, index) => {
      const lookups = lookupIdentities(identities[index]!); // there is one element for each payment
      const priorPayments = [
        ...lookupSums[index]!.flatMap((sum) => undecided.get(sum) ?? []), // likewise
        ...lookups.flatMap((identity) => paid.get(identity) ?? []),
      ].filter(({ id, hasFailed }) => !hasFailed && !ignored.includes(id));
      return priorPayments.length > 0 ? [{ index, priorPayments }] : [];
    });
  }

  /** Rejects unless the service has issued a token for the company: its ids alone do not make it the user's. */
  const requireToken = async (): Promise<void> => void (await upstream.token(await companyOf(store)));

  /** Omits the payments of other users, unless the company is the user's as well. */
  async function told(all: readonly PriorPayment[][]): Promise<readonly PriorPayment[][]> {
    const isOwn = (): Promise<boolean> =>
      requireToken().then(
        () => true,
        () => false,
      );
    if (!all.some((each) => each.some(({ isOthers }) => isOthers)) || (await isOwn())) return all;
    return all.map((each) => each.filter(({ isOthers }) => !isOthers));
  }

  return {
    coveredBy,
    requireToken,

    /** Returns what the user may know of payments that others cover: their index and standing. */
    async standings(found: readonly Covered[]): Promise<(Standing & { index: number })[]> {
      const prior = await told(found.map(({ priorPayments }) => priorPayments));
      return found.flatMap(({ index }, place) => {
        const standing = invoiceStanding(prior[place] ?? []);
        return standing ? [{ index, ...standing }] : [];
      });
    },

    /** Returns the standing of each invoice, given by its identities (see `invoiceOf`). */
    standingsOf: async (invoices: readonly (readonly string[])[]): Promise<(Standing | undefined)[]> => {
      const payer = await payerOf({ store, config });
      const priorPayments = payer ? await paymentsOf(payer, invoices.flat()) : new Map<string, PriorPayment[]>();
      const all = invoices.map((identities) => identities.flatMap((identity) => priorPayments.get(identity) ?? []));
      return (await told(all)).map(invoiceStanding);
    },
  };
}
