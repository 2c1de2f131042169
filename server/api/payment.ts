import { invoiceCounts } from '#contract/constants.ts';
import { dayFlaw, dayOf, daysAnywhere } from '#contract/executionDate.ts';
import type { Debtor } from '#contract/party.ts';
import type { BatchRequest, Invoice } from '#contract/payment.ts';
import { amountText, creditorCount, totalsByCurrency } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { createAttemptIndex } from '#server/payments/attempts.ts';
import { insertBatch, lastStatusOf } from '#server/payments/batchAnswers.ts';
import { readBatch } from '#server/payments/readBatch.ts';
import { currencyFor, payeesOf, sampleInvoices } from '#server/payments/invoices.ts';
import { debtors } from '#server/companies/records.ts';
import { companyOf, storedSettingsOf } from '#server/companies/settings.ts';
import { requireNewId } from '#server/companies/receivedIds.ts';
import type { Company } from '#server/upstream/tokens.ts';
import type { Handlers } from './handlers.ts';

/** Maximum number of paid invoices listed after the unpaid ones. */
const maximumShownPaid = 10;

const maximumInvoices = Math.max(...invoiceCounts);

/** Takes up to `count` of the next values. */
async function takeNext<T>(values: AsyncGenerator<T, void>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { done, value } = await values.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Returns the subscription's debtor with this id; the earliest one if `id` is undefined. */
async function debtorOf(
  { store }: CompanyContext,
  subscriptionId: string,
  id: string | undefined,
): Promise<Debtor | undefined> {
  if (id === undefined) {
    for await (const debtor of store.records(debtors).earliest({ subject: subscriptionId })) return debtor;
    return undefined;
  }
  const debtor = await store.records(debtors).get(id);
  return debtor?.subscriptionId === subscriptionId ? debtor : undefined;
}

/** Throws a Failure if the execution date is past or too far away. */
function requireDay(
  { clock }: CompanyContext,
  { requestedExecutionDateTime: at }: Pick<BatchRequest, 'requestedExecutionDateTime'>,
): void {
  const message = dayFlaw(dayOf(at), daysAnywhere(clock.now()));
  if (message)
    throw new Failure('invalid-request', message, { errors: [{ path: 'requestedExecutionDateTime', message }] });
}

async function post(context: CompanyContext, company: Company, batch: BatchRequest, key: string) {
  const { store, upstream, clock } = context;
  const { data } = await upstream.createBatch(company, batch, key);
  const { batchId, status } = data;
  await requireNewId(context, 'batch', batchId, key);
  // A repeat does not change the existing record.
  await insertBatch(store, {
    batchId,
    status,
    amount: amountText(totalsByCurrency(batch.payments.map(({ instructedAmount }) => instructedAmount))),
    kind: batch.fileFormatId === undefined ? 'electronic' : 'file',
    creditors: creditorCount(batch.payments),
    postedAt: iso(clock.now()),
  });
  await store.settings.write('batchId', batchId);
  return data;
}

/** Returns the batch by which an attempt under this key was settled. */
async function settledBatch(context: CompanyContext, key: string, batch: BatchRequest) {
  const batchId = await createAttemptIndex(context).settledBatch(key, batch);
  return batchId === undefined ? undefined : { batchId, status: await lastStatusOf(context.store, batchId) };
}

/** Reads the batch that a webhook named while the response was awaited, and returns it if it settles the attempt. */
async function settledMeanwhile(context: CompanyContext, key: string, batch: BatchRequest) {
  const batchId = await createAttemptIndex(context).namedBatch(key);
  if (batchId !== undefined) await readBatch(context, batchId);
  return settledBatch(context, key, batch);
}

/** Handlers for invoices and payments. */
export const paymentHandlers = {
  async getInvoices(context, { query }) {
    const { store } = context;
    const count = Number(query.count ?? invoiceCounts[0]);
    if (!Number.isInteger(count) || count < 0 || count > maximumInvoices)
      throw new Failure(
        'invalid-request',
        `count is ${query.count}: give a whole number from 0 to ${maximumInvoices}.`,
      );
    const { subscriptionId, providerCountry } = await storedSettingsOf(store);
    const debtor = await debtorOf(context, subscriptionId, query.debtorId);
    if (query.debtorId && !debtor)
      throw new Failure('not-found', `The current subscription has no account ${query.debtorId}.`);
    const currency = query.debtorId === '' ? '' : currencyFor(debtor?.currency, providerCountry);
    const [open, paid]: [Invoice[], Invoice[]] = [[], []];
    const attempts = createAttemptIndex(context);
    const invoices = sampleInvoices(payeesOf(store, subscriptionId), currency);
    // The series begins with the paid ones, of which there may be thousands: each read takes twice as many as the last.
    for (let step = count; open.length < count; step = Math.min(2 * step, maximumInvoices)) {
      const some = await takeNext(invoices, step);
      if (some.length === 0) break;
      const payments = await attempts.standingsOf(some.map(({ identities }) => identities));
      for (const [index, { invoice }] of some.entries()) {
        if (open.length === count) break;
        const payment = payments[index];
        (payment?.state === 'paid' ? paid : open).push({ ...invoice, ...(payment && { payment }) });
      }
    }
    await invoices.return(undefined);
    return { data: [...open, ...(query.paid === 'true' ? paid.slice(-maximumShownPaid) : [])] };
  },
  async preparePayment(context, { body }) {
    requireDay(context, body);
    return { data: await createAttemptIndex(context).prepare(body) };
  },
  getPaymentAttempt: async (context, { params }) => ({
    data: (await createAttemptIndex(context).sentBatch(params.key)) as BatchRequest, // as the page sent it
  }),
  async createBatch(context, { body, query, key, givenKey }) {
    const attempts = createAttemptIndex(context);
    const known = await settledBatch(context, givenKey, body);
    if (known) return { data: known };
    // A repeat asks for the outcome of the first attempt, whose date may have passed since.
    if (!(await attempts.wasSent(givenKey))) requireDay(context, body);
    const company = await companyOf(context.store);
    const again = query.again === 'true';
    try {
      return {
        data: await attempts.send({ key: givenKey, batch: body, again }, (batch) => post(context, company, batch, key)),
      };
    } catch (error) {
      // A webhook may have named the batch before its response was lost.
      const settled = await settledMeanwhile(context, givenKey, body).catch(() => undefined);
      if (!settled) throw error;
      return { data: settled };
    }
  },
} satisfies Partial<Handlers>;
