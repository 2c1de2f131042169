import { createHash } from 'node:crypto';
import { currencyOfCountry } from '#contract/constants.ts';
import type { Creditor } from '#contract/party.ts';
import type { Invoice } from '#contract/payment.ts';
import { amountOf, inCurrency } from '#contract/money.ts';
import { creditors } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';
import type { LineFacts } from '#server/storage/schema.ts';
import { lineOf } from '#server/writes/sameInvoice.ts';
import type { KnownPayee } from '#server/writes/sameInvoice.ts';

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
const hundredthsOf = (number: number): bigint => 1000n + ((BigInt(number - 1) * 7919n) % 100_000n);

/** Returns the currency to pay in: the debtor's, otherwise that of the provider's country; GBP if that is unknown. */
export const currencyFor = (debtorCurrency: string | undefined, country: string): string =>
  debtorCurrency || (currencyOfCountry[country] ?? 'GBP');

/** A creditor's invoice as it is listed, and what the payments have in common that the page creates from it. */
export interface SampleInvoice {
  invoice: Invoice;
  line: LineFacts;
}

/** The fields of a creditor by which its invoices are shown and recognised; see `markOf`. */
interface Payee extends KnownPayee, Pick<Creditor, 'creditorname'> {
  mark: string;
}

const payeeOf = (creditor: Creditor): Payee => ({
  creditorId: creditor.creditorId,
  creditorname: creditor.creditorname,
  identification: creditor.creditorAccountidentification,
  mark: markOf(creditor.creditorId),
});

/** Yields the payees of a subscription, earliest first. */
export async function* payeesOf(store: Store, subscriptionId: string): AsyncGenerator<Payee, void> {
  for await (const creditor of store.records(creditors).earliest({ subject: subscriptionId })) yield payeeOf(creditor);
}

/**
 * Generates an endless series of sample invoices, alternating between the payees; empty without payees (wire, section
 * 20: local sample data). An id always has the same creditor and amount, whatever other creditors exist and whatever the
 * currency: in one without decimals, only some of them can be paid. Consumes no more payees than invoices.
 */
export async function* sampleInvoices(
  payees: AsyncIterable<Payee>,
  currency: string,
): AsyncGenerator<SampleInvoice, void> {
  const invoiceTo = (payee: Payee, number: number): SampleInvoice => {
    const { creditorId, creditorname, mark } = payee;
    const ordinal = String(number).padStart(5, '0');
    const invoice = {
      invoiceId: `INV-${ordinal}-${mark}`,
      creditor: creditorId,
      creditorName: creditorname,
      description: `${sampleGoods[(number - 1) % sampleGoods.length]} ${ordinal}`,
      amount: inCurrency(amountOf(hundredthsOf(number), 2), currency),
      currency,
    };
    const line = lineOf({
      instructedAmount: { amount: invoice.amount, currency },
      creditor: { name: creditorname, creditorId },
      creditorAccount: { identification: payee.identification },
      remittanceInformation: { reference: invoice.invoiceId },
    });
    // Its reference alone says which invoice it is: a payment of the same sum without one may be for another.
    return { invoice, line: { ...line, sum: '' } };
  };
  const all: Payee[] = [];
  for await (const payee of payees) {
    all.push(payee);
    yield invoiceTo(payee, 1);
  }
  for (let number = 2; all.length > 0; number += 1) for (const payee of all) yield invoiceTo(payee, number);
}
