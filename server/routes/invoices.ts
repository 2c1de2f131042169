import type { Creditor, Invoice } from '#contract/entities.ts';

const currencyOfCountry: Readonly<Record<string, string>> = {
  AU: 'AUD',
  CA: 'CAD',
  FR: 'EUR',
  GB: 'GBP',
  US: 'USD',
  ZA: 'ZAR',
};
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

/** Minor units from 10.00 to 1,009.99, the same for the same position every time. */
const minorUnits = (position: number): bigint => 1000n + ((BigInt(position) * 7919n) % 100_000n);
const decimal = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/** The currency to pay in: the debtor's own, else that of the provider's country. */
export const currencyFor = (debtorCurrency: string | undefined, country: string): string =>
  debtorCurrency || (currencyOfCountry[country] ?? 'GBP');

/** Sample invoices, the creditors taking turns; none without a creditor (upstream-api, section 20: local sample data). */
export const sampleInvoices = (creditors: readonly Creditor[], count: number, currency: string): Invoice[] =>
  creditors.length === 0
    ? []
    : Array.from({ length: count }, (_, index) => {
        const { creditorId, creditorname } = creditors[index % creditors.length]!; // the remainder is within the list
        const number = String(index + 1).padStart(5, '0');
        return {
          invoiceId: `INV-${number}`,
          creditor: creditorId,
          creditorName: creditorname,
          description: `${goods[index % goods.length]} ${number}`,
          amount: decimal(minorUnits(index)),
          currency,
        };
      });
