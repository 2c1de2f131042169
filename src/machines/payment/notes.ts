import { isDay } from '#contract/day.ts';
import { dayFlaw, dayOf, daysFrom } from '#contract/executionDate.ts';
import type { Facts } from '#contract/facts.ts';
import type { Payment } from '#contract/payment.ts';
import { dayInWords, nextProcessingDay, type Scheme } from '#rules/bankingDays.ts';
import { batchRequest } from '#rules/batch.ts';
import { addressNotes, currenciesOf, dayNotes, schemesOf } from '#rules/batchNotes.ts';
import { debtorOf, executionDate, pricedInvoices, type PaymentContext } from './payment.ts';

/** What the notes depend on: the choices of a payment, without the fields of its form. */
export const noted = [
  'debtors',
  'debtorId',
  'creditors',
  'invoices',
  'ticked',
  'facts',
  'today',
  'date',
  'format',
  'instrument',
] as const;

type Noted = Pick<PaymentContext, (typeof noted)[number]>;

const meansOf = ({ format, instrument }: Noted): string => format?.name ?? instrument;

/** The payments of the ticked invoices whose creditor is known; none before an account is chosen. */
function paymentsOf(chosen: Noted): Payment[] {
  const { creditors, ticked } = chosen;
  const debtor = debtorOf(chosen);
  const ids = new Set(ticked);
  const known = new Set(creditors.map(({ creditorId }) => creditorId));
  const invoices = pricedInvoices(chosen).filter(
    ({ invoiceId, creditor }) => ids.has(invoiceId) && known.has(creditor),
  );
  if (!debtor) return [];
  const extras = { batch: {}, payment: {} };
  return batchRequest({ externalId: '', subscriptionId: '', debtor, invoices, creditors, extras, today: '' }).payments;
}

/** The schemes through which the chosen payments go; before an invoice is ticked, those in the account's currency. */
function schemesIn(chosen: Noted): Scheme[] {
  const currencies = currenciesOf(paymentsOf(chosen));
  return schemesOf(currencies.length > 0 ? currencies : [debtorOf(chosen)?.currency ?? ''], meansOf(chosen));
}

const addressesIn = (chosen: Noted, payments: readonly Payment[], { settings }: Facts): string[] =>
  addressNotes(
    {
      payments: [...payments],
      debtorAccount: { identification: debtorOf(chosen)?.debtorAccountidentification },
    },
    settings.providerCountry,
  );

/** What is said of the chosen execution date, in one text; '' if there is nothing to say. */
export function dateNote(chosen: Noted): string {
  const day = executionDate(chosen);
  return isDay(day) ? dayNotes(schemesIn(chosen), day).join(' ') : '';
}

/** The day that is proposed instead of the chosen one, on which all schemes process: YYYY-MM-DD; '' if there is none. */
export function proposedDay(chosen: Noted): string {
  const asked = executionDate(chosen);
  if (!isDay(asked)) return '';
  const schemes = schemesIn(chosen);
  let day = asked;
  for (let before = ''; before !== day;) {
    before = day;
    for (const scheme of schemes) day = nextProcessingDay(scheme, day);
  }
  return day === asked || dayFlaw(day, daysFrom(chosen.today)) ? '' : day;
}

/** The label of the button that chooses the proposed day. */
export const proposalLabel = (day: string): string => `Use ${dayInWords(day)}`;

/** What is said of the addresses of the chosen creditors, a sentence each. */
export const creditorNotes = (chosen: Noted): string[] => addressesIn(chosen, paymentsOf(chosen), chosen.facts);

/** What the review says of the batch that it shows, a sentence each; of one that was sent before, as it was sent. */
export function reviewNotes(chosen: Noted & Pick<PaymentContext, 'prepared'>): string[] {
  const { first } = chosen.prepared ?? {};
  const payments = first?.payments ?? paymentsOf(chosen);
  const day = first ? dayOf(first.requestedExecutionDateTime) : executionDate(chosen);
  return [
    ...dayNotes(schemesOf(currenciesOf(payments), meansOf(chosen)), day),
    ...addressesIn(chosen, payments, chosen.facts),
  ];
}
