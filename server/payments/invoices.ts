import { createHash } from 'node:crypto';
import { currencyOfCountry } from '#contract/constants.ts';
import type { Creditor } from '#contract/party.ts';
import type { Invoice } from '#contract/payment.ts';
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

/**
 * Five characters that represent a creditor in the ids of its invoices; references are short because banks accept only
 * 15 characters.
 */
function markOf(creditorId: string): string {
  const number = createHash('sha256').update(creditorId).digest().readUInt32BE();
  return number.toString(36).toUpperCase().padStart(5, '0').slice(-5);
}

/** An amount in minor units, from 10.00 to 1,009.99; the same number always gives the same amount. */
const minorUnitsOf = (number: number): bigint => 1000n + ((BigInt(number - 1) * 7919n) % 100_000n);

/** Formats an amount in major units; without decimals for currencies that have no minor unit. */
function decimal(minor: bigint, currency: string): string {
  const whole = String(minor / 100n);
  return minorUnits(currency) === 0 ? whole : `${whole}.${String(minor % 100n).padStart(2, '0')}`;
}

/** The currency to pay in: the debtor's, otherwise that of the provider's country; GBP if that is unknown. */
export const currencyFor = (debtorCurrency: string | undefined, country: string): string =>
  debtorCurrency || (currencyOfCountry[country] ?? 'GBP');

/**
 * Generates an endless series of sample invoices, alternating between the creditors; empty without creditors (wire,
 * section 20: local sample data). An id always has the same creditor and amount, whatever other creditors exist. Takes
 * no more creditors than invoices.
 */
export async function* sampleInvoices(
  creditors: AsyncIterable<Creditor>,
  currency: string,
): AsyncGenerator<Invoice, void> {
  const invoice = ({ creditorId, creditorname }: Creditor, mark: string, number: number): Invoice => {
    const ordinal = String(number).padStart(5, '0');
    return {
      invoiceId: `INV-${ordinal}-${mark}`,
      creditor: creditorId,
      creditorName: creditorname,
      description: `${goods[(number - 1) % goods.length]} ${ordinal}`,
      amount: decimal(minorUnitsOf(number), currency),
      currency,
    };
  };
  const marked: [Creditor, string][] = [];
  for await (const creditor of creditors) {
    const mark = markOf(creditor.creditorId);
    marked.push([creditor, mark]);
    yield invoice(creditor, mark, 1);
  }
  for (let number = 2; marked.length > 0; number += 1)
    for (const [creditor, mark] of marked) yield invoice(creditor, mark, number);
}
