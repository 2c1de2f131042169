import { blockers } from '#machines/journeys.ts';
import type { PaymentMaterial, UnsentBatch } from '#machines/payment.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { providerRules } from './providerRules.ts';

/** What both kinds of payment need. Where a gate will speak nothing but the facts is read: the rest could only fail. */
export async function commonMaterial(
  journey: 'electronicPayment' | 'filePayment',
  signal: AbortSignal,
): Promise<Omit<PaymentMaterial, 'fileFormats'>> {
  const facts = await call('getFacts', { signal });
  const today = new Date().toISOString().slice(0, 10);
  if (blockers(journey, facts).length > 0) return { facts, today, rules: [], debtors: [], creditors: [], invoices: [] };
  const [rules, debtors, creditors, invoices] = await Promise.all([
    providerRules(facts, signal),
    call('getDebtors', { signal }),
    call('getCreditors', { signal }),
    call('getInvoices', { signal }),
  ]);
  return { facts, today, rules, debtors: debtors.data, creditors: creditors.data, invoices: invoices.data };
}

/** The port `pay`; the idempotency key is the externalId as well, so that a repeated try names the same batch. */
export const pay = fulfil(port<UnsentBatch, { batchId: string }>('pay'), async (batch, signal) => {
  const { data } = await once('createBatch', batch, (key) =>
    call('createBatch', { body: { ...batch, externalId: key }, key, signal }),
  );
  return { batchId: data.batchId };
});
