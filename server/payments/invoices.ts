import { createHash } from 'node:crypto';
import { currencyOfCountry } from '#contract/constants.ts';
import type { Creditor } from '#contract/party.ts';
import type { Invoice } from '#contract/payment.ts';
import { minorUnits } from '#contract/money.ts';
import { creditors } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';

const sampleGoods = [
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
 * Returns five characters that represent a creditor in the ids of its invoices; ids are short because banks accept
 * references of at most 15 characters.
 */
function markOf(creditorId: string): string {
  const number = createHash('sha256').update(creditorId).digest().readUInt32BE();
  return number.toString(36).toUpperCase().padStart(5, '0').slice(-5);
}

/**
 * Returns an amount in hundredths of a major unit, from 1000 (10.00) to 100,999 (1,009.99); the same number always
 * gives the same amount.
 */
const minorUnitsOf = (number: number): bigint => 1000n + ((BigInt(number - 1) * 7919n) % 100_000n);

/** Formats hundredths as an amount in major units; without decimals for currencies that have no minor unit. */
function decimal(minor: bigint, currency: string): string {
  const whole = String(minor / 100n);
  return minorUnits(currency) === 0 ? whole : `${whole}.${String(minor % 100n).padStart(2, '0')}`;
}

/** Returns the currency to pay in: the debtor's, otherwise that of the provider's country; GBP if that is unknown. */
export const currencyFor = (debtorCurrency: string | undefined, country: string): string =>
  debtorCurrency || (currencyOfCountry[country] ?? 'GBP');

/** The fields of a creditor that its invoices show; see `markOf`. */
interface Payee extends Pick<Creditor, 'creditorId' | 'creditorname'> {
  mark: string;
}

const payeeOf = ({ creditorId, creditorname }: Creditor): Payee => ({
  creditorId,
  creditorname,
  mark: markOf(creditorId),
});

/** Yields the payees of a subscription, earliest first. */
export async function* payeesOf(store: Store, subscriptionId: string): AsyncGenerator<Payee, void> {
  for await (const creditor of store.records(creditors).earliest({ subject: subscriptionId })) yield payeeOf(creditor);
}

/**
 * Generates an endless series of sample invoices, alternating between the payees; empty without payees (wire, section
 * 20: local sample data). An id always has the same creditor and amount, whatever other creditors exist. Consumes no
 * more payees than invoices.
 */
export async function* sampleInvoices(payees: AsyncIterable<Payee>, currency: string): AsyncGenerator<Invoice, void> {
  const invoice = ({ creditorId, creditorname, mark }: Payee, number: number): Invoice => {
    const ordinal = String(number).padStart(5, '0');
    return {
      invoiceId: `INV-${ordinal}-${mark}`,
      creditor: creditorId,
      creditorName: creditorname,
      description: `${sampleGoods[(number - 1) % sampleGoods.length]} ${ordinal}`,
      amount: decimal(minorUnitsOf(number), currency),
      currency,
    };
  };
  const all: Payee[] = [];
  for await (const payee of payees) {
    all.push(payee);
    yield invoice(payee, 1);
  }
  for (let number = 2; all.length > 0; number += 1) for (const payee of all) yield invoice(payee, number);
}
