import { createHash } from 'node:crypto';
import { currencyOfCountry } from '#contract/constants.ts';
import type { Creditor, Invoice } from '#contract/entities.ts';
import { minorUnits } from '#contract/money.ts';

const goods = [
  'Stationery',
  'Cleaning',
  'Office rent',
  'Software licences',
  'Freight',
  'Catering',
  'Repairs',
  'Electricity',
];

/** Stands for a creditor in the ids of its invoices. Banks take references of 15 characters, so it has five. */
function markOf(creditorId: string): string {
  const number = createHash('sha256').update(creditorId).digest().readUInt32BE();
  return number.toString(36).toUpperCase().padStart(5, '0').slice(-5);
}

/** Minor units from 10.00 to 1,009.99, the same for the same number every time. */
const minorUnitsOf = (number: number): bigint => 1000n + ((BigInt(number - 1) * 7919n) % 100_000n);

/** In major units; a currency without decimals has whole ones. */
function decimal(minor: bigint, currency: string): string {
  const whole = String(minor / 100n);
  return minorUnits(currency) === 0 ? whole : `${whole}.${String(minor % 100n).padStart(2, '0')}`;
}

/** The currency to pay in: the debtor's own, else that of the provider's country. */
export const currencyFor = (debtorCurrency: string | undefined, country: string): string =>
  debtorCurrency || (currencyOfCountry[country] ?? 'GBP');

/**
 * Sample invoices without end, the creditors taking turns; none without a creditor (wire, section 20: local
 * sample data). An id stands for one creditor and one amount, whichever other creditors there are.
 */
export function* sampleInvoices(creditors: readonly Creditor[], currency: string): Generator<Invoice> {
  const marked = creditors.map((creditor) => ({ ...creditor, mark: markOf(creditor.creditorId) }));
  for (let number = 1; marked.length > 0; number += 1)
    for (const { creditorId, creditorname, mark } of marked) {
      const ordinal = String(number).padStart(5, '0');
      yield {
        invoiceId: `INV-${ordinal}-${mark}`,
        creditor: creditorId,
        creditorName: creditorname,
        description: `${goods[(number - 1) % goods.length]} ${ordinal}`,
        amount: decimal(minorUnitsOf(number), currency),
        currency,
      };
    }
}
