import { invoiceCounts } from '#contract/constants.ts';
import type { Debtor } from '#contract/party.ts';
import type { Invoice } from '#contract/payment.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { currencyFor, payeesOf, sampleInvoices } from '#server/payments/invoices.ts';
import { debtors } from '#server/companies/records.ts';
import { createBatch, preparePayment, requireDay, sentBatch } from '#server/payments/createBatch.ts';
import { factsOf, payerIn, standingsOf } from '#server/writes/invoices.ts';
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

/** Handlers for invoices and payments. */
export const paymentHandlers = {
  async getInvoices(context, { query }) {
    const { settings, store } = context;
    const count = Number(query.count ?? invoiceCounts[0]);
    if (!Number.isInteger(count) || count < 0 || count > maximumInvoices)
      throw new Failure(
        'invalid-request',
        `count is ${query.count}: give a whole number from 0 to ${maximumInvoices}.`,
      );
    const { subscriptionId, providerCountry } = settings;
    const debtor = await debtorOf(context, subscriptionId, query.debtorId);
    if (query.debtorId && !debtor)
      throw new Failure('not-found', `The current subscription has no account ${query.debtorId}.`);
    const currency = query.debtorId === '' ? '' : currencyFor(debtor?.currency, providerCountry);
    const [open, paid]: [Invoice[], Invoice[]] = [[], []];
    const payer = payerIn(context, settings);
    const invoices = sampleInvoices(payeesOf(store, subscriptionId), currency);
    // The series begins with the paid ones, of which there may be thousands: each read takes twice as many as the last.
    for (let step = count; open.length < count; step = Math.min(2 * step, maximumInvoices)) {
      const some = await takeNext(invoices, step);
      if (some.length === 0) break;
      const facts = payer === undefined ? [] : some.map(({ line }) => factsOf(store.tag, payer, line));
      const payments = await standingsOf(context, facts);
      for (const [index, { invoice }] of some.entries()) {
        if (open.length === count) break;
        const payment = payments.get(index);
        (payment?.state === 'paid' ? paid : open).push({ ...invoice, ...(payment && { payment }) });
      }
    }
    await invoices.return(undefined);
    return { data: [...open, ...(query.paid === 'true' ? paid.slice(-maximumShownPaid) : [])] };
  },
  async preparePayment(context, { body }) {
    requireDay(context, body);
    return { data: await preparePayment(context, body) };
  },
  getPaymentAttempt: async (context, { params }) => ({ data: await sentBatch(context, params.key) }),
  createBatch,
} satisfies Partial<Handlers>;
