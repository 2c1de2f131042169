import { invoiceCounts } from '#contract/constants.ts';
import { blockers } from '#machines/journeys.ts';
import type { InvoicesAsked, PaymentMaterial, UnsentBatch } from '#machines/payment.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { factsFor } from './ports.ts';
import { providerTerms } from './providerTerms.ts';

/** What both kinds of payment need. Where a gate will speak nothing but the facts is read: the rest could only fail. */
export async function commonMaterial(
  journey: 'electronicPayment' | 'filePayment',
  { invoiceCount }: InvoicesAsked,
  signal: AbortSignal,
): Promise<Omit<PaymentMaterial, 'fileFormats'>> {
  const facts = await factsFor(journey, signal);
  const today = new Date().toISOString().slice(0, 10);
  if (blockers(journey, facts).length > 0)
    return { facts, today, rules: [], maximumPayments: 0, debtors: [], creditors: [], invoices: [] };
  const [terms, debtors, creditors, invoices] = await Promise.all([
    providerTerms(facts, signal),
    call('getDebtors', { signal }),
    call('getCreditors', { signal }),
    call('getInvoices', { query: { count: String(invoiceCount) }, signal }),
  ]);
  return { facts, today, ...terms, debtors: debtors.data, creditors: creditors.data, invoices: invoices.data };
}

/** How many invoices the address asks for: `invoices`, if it is one of those offered. */
export const input = (query: URLSearchParams): InvoicesAsked => ({
  invoiceCount: invoiceCounts.find((count) => String(count) === query.get('invoices')) ?? invoiceCounts[0],
});

/** The port `pay`; the idempotency key is the externalId as well, so that a repeated try names the same batch. */
export const pay = fulfil(port<UnsentBatch, { batchId: string }>('pay'), async (batch, signal) => {
  const { data } = await once('createBatch', batch, (key) =>
    call('createBatch', { body: { ...batch, externalId: key }, key, signal }),
  );
  return { batchId: data.batchId };
});
