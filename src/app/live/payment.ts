import { invoiceCounts } from '#contract/constants.ts';
import { blockers } from '#machines/journeys.ts';
import type {
  InvoicesAsked,
  OutgoingPayment,
  PaymentMaterial,
  PreparedPayment,
  UnsentBatch,
} from '#machines/payment.ts';
import { fulfil, port } from '#machines/port.ts';
import { localDay } from '#rules/date.ts';
import { call } from '../client.ts';
import { factsFor } from './ports.ts';
import { providerTerms } from './providerTerms.ts';

/** What both kinds of payment need. Where a gate will speak nothing but the facts is read: the rest could only fail. */
export async function commonMaterial(
  journey: 'electronicPayment' | 'filePayment',
  { invoiceCount }: InvoicesAsked,
  signal: AbortSignal,
): Promise<Omit<PaymentMaterial, 'fileFormats'>> {
  const facts = await factsFor(journey, signal);
  const today = localDay(new Date());
  if (blockers(journey, facts).length > 0)
    return { facts, today, rules: [], maximumPayments: 0, debtors: [], creditors: [], invoices: [] };
  const [terms, debtors, creditors, invoices] = await Promise.all([
    providerTerms(facts, signal),
    call('getDebtors', { signal }),
    call('getCreditors', { signal }),
    call('getInvoices', { query: { count: String(invoiceCount), debtorId: '', paid: 'true' }, signal }),
  ]);
  return { facts, today, ...terms, debtors: debtors.data, creditors: creditors.data, invoices: invoices.data };
}

/** How many invoices the address asks for: `invoices`, if it is one of those offered. */
export const input = (query: URLSearchParams): InvoicesAsked => ({
  invoiceCount: invoiceCounts.find((count) => String(count) === query.get('invoices')) ?? invoiceCounts[0],
});

/** The port `prepare`; the server keeps the key, so that it outlives a reload. */
export const prepare = fulfil(
  port<UnsentBatch, PreparedPayment>('prepare'),
  async (batch, signal) => (await call('preparePayment', { body: batch, signal })).data,
);

/** The port `pay`. */
export const pay = fulfil(port<OutgoingPayment, { batchId: string }>('pay'), async ({ key, batch, again }, signal) => {
  const query = again ? { again: 'true' as const } : {};
  return { batchId: (await call('createBatch', { body: batch, key, query, signal })).data.batchId };
});
