import type { BatchRecord } from '#contract/batch.ts';
import { amountOf, decimalsIn, unitsOf } from '#contract/money.ts';
import { member } from '#contract/member.ts';
import { returnedStatus } from '#contract/returns.ts';
import { isFailure, stageOf, statusOf } from '#contract/status.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { BatchRequest, Invoice, Payment } from '#contract/payment.ts';
import { returnedAmountOf } from './afterPaid.ts';
import { textAt } from './path.ts';
import type { PaymentExtras } from './payload.ts';

/** A sum in one currency: a decimal string in major units, with the decimals of the most precise summand. */
export interface Total {
  currency: string;
  amount: string;
}

/** Returns exact totals by currency in order of first appearance. Amounts are decimal strings in major units. */
export function totalsByCurrency(amounts: readonly Total[]): Total[] {
  const summands = new Map<string, string[]>();
  for (const { currency, amount } of amounts) {
    const those = summands.get(currency) ?? [];
    those.push(amount);
    summands.set(currency, those);
  }
  return [...summands].map(([currency, those]) => {
    const places = those.reduce((most, amount) => Math.max(most, decimalsIn(amount)), 0);
    const sum = those.reduce((total, amount) => total + unitsOf(amount, places), 0n);
    return { currency, amount: amountOf(sum, places) };
  });
}

/** Formats totals, e.g. "120.50 GBP" or "120.50 GBP, 8.00 USD". */
export const amountText = (totals: readonly Total[]): string =>
  totals.map(({ amount, currency }) => `${amount} ${currency}`.trim()).join(', ');

/** Reads what `amountText` has formatted. */
export const totalsIn = (text: string): Total[] =>
  text.split(', ').flatMap((each) => {
    const [amount = '', currency = ''] = each.split(' ');
    return isAmount(amount) ? [{ amount, currency }] : [];
  });

/** Whether a text is a plain decimal number, as amounts are written. */
const isAmount = (text: string): boolean => /^\d{1,30}(\.\d{1,30})?$/.test(text);

/** The total of payments as the service lists them (major units) for each currency; '' if an amount is not a plain decimal number. */
export function totalOf(payments: readonly object[]): string {
  const amounts = payments.map((payment) => ({
    amount: textAt(payment, 'instructedAmount.amount'),
    currency: textAt(payment, 'instructedAmount.currency'),
  }));
  return amounts.every(({ amount }) => isAmount(amount)) ? amountText(totalsByCurrency(amounts)) : '';
}

/**
 * What was paid, what has failed and what came back of a batch, by the payments that the service lists; one that states no status has that of its
 * batch. Undefined if it lists none, or one whose amount cannot be read: then only the batch's status is known.
 */
export function outcomeTotals(payments: readonly object[] | undefined = [], status = ''): BatchRecord['totals'] {
  if (payments.length === 0 || totalOf(payments) === '') return undefined;
  const ended = (is: (status: string) => boolean) =>
    totalOf(payments.filter((each) => is(textAt(each, 'status') || status)));
  const returned = ended((said) => statusOf(said) === returnedStatus);
  return {
    paid: ended((said) => statusOf(said) === 'Completed'),
    failed: ended(isFailure),
    ...(returned && { returned }),
  };
}

/** What came back of payments, charges taken off (major units, for each currency); '' unless it is said of each of them. */
export function returnedTotal(payments: readonly object[]): string {
  const amounts = payments.map(returnedAmountOf);
  return amounts.every(({ amount }) => isAmount(amount)) ? amountText(totalsByCurrency(amounts)) : '';
}

/** How a batch stands: in the status of the service, unless money of it came back and the status does not say so. */
export function standingOf(status: string, totals: BatchRecord['totals']): { status: string; tone?: 'back' } {
  if (!totals?.returned || stageOf(status) === 2) return { status };
  return { status: `${status}, ${totals.paid === '' ? 'all' : 'part'} ${outcomeWords.returned}`, tone: 'back' };
}

/** What has become of an amount, each in words that follow it; in the order in which it is drawn. */
export const outcomeWords = { paid: 'paid', open: 'in progress', returned: 'came back', failed: 'failed' } as const;
export type Outcome = keyof typeof outcomeWords;

/** What has become of a batch's amount of one currency: decimal strings in major units, without those that are zero. */
export function partsOf(
  { amount, totals, status }: Pick<BatchRecord, 'amount' | 'totals' | 'status'>,
  currency: string,
): { outcome: Outcome; text: string }[] {
  const of = (text: string) => totalsIn(text).find((each) => each.currency === currency)?.amount ?? '0';
  const whole = of(amount);
  const ends: Readonly<Record<string, Outcome>> = { Completed: 'paid', [returnedStatus]: 'returned' };
  const outcome = isFailure(status) ? 'failed' : (member(ends, statusOf(status)) ?? 'open');
  if (!totals) return [{ outcome, text: whole }];
  const [paid, failed, returned] = [of(totals.paid), of(totals.failed), of(totals.returned ?? '')];
  const places = Math.max(...[whole, paid, failed, returned].map(decimalsIn));
  const rest = [paid, failed, returned].reduce((left, each) => left - unitsOf(each, places), unitsOf(whole, places));
  const parts = [
    ['paid', paid],
    ['open', amountOf(rest > 0n ? rest : 0n, places)],
    ['returned', returned],
    ['failed', failed],
  ] as const;
  return parts.filter(([, text]) => /[1-9]/.test(text)).map(([each, text]) => ({ outcome: each, text }));
}

/** The input of a batch; `today` is the execution date as YYYY-MM-DD. */
export interface BatchParts {
  externalId: string;
  subscriptionId: string;
  /** Only for a bank file (behaviour, section 2). */
  fileFormatId?: string;
  debtor: Debtor;
  invoices: readonly Invoice[];
  creditors: readonly Creditor[];
  extras: PaymentExtras;
  today: string;
}

/** Returns an account or address without its empty members. */
const filled = (parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));

/** Returns an agent, or {} if it is empty: the service rejects an empty one. */
/** How many creditors the payments of a batch are for. */
export const creditorCount = (
  payments: readonly { creditor: { name: string; creditorId?: string | undefined } }[],
): number => new Set(payments.map(({ creditor: { creditorId, name } }) => creditorId ?? name)).size;

const agentOf = <Name extends 'debtorAgent' | 'creditorAgent'>(name: Name, identification: string) =>
  (identification === '' ? {} : { [name]: { identification } }) as { [agent in Name]?: { identification: string } }; // its only member is `name`

const account = (debtor: Debtor) => ({
  ...agentOf('debtorAgent', debtor.debtorAgentidentification),
  debtorAccount: filled({ identification: debtor.debtorAccountidentification, name: debtor.debtorAccountname }),
});

function payeeOf(creditor: Creditor): Pick<Payment, 'creditorAgent' | 'creditorAccount' | 'creditor'> {
  const postalAddress = filled({
    addressLine1: creditor.creditorAddress1,
    addressLine3: creditor.creditorAddress3,
    countrySubdivision: creditor.creditorCountrySubDivision,
    countryCode: creditor.creditorCountryCode,
    postalCode: creditor.creditorPostalCode,
  });
  return {
    ...agentOf('creditorAgent', creditor.creditorAgentidentification),
    creditorAccount: filled({
      identification: creditor.creditorAccountidentification,
      secondaryIdentification: creditor.creditorAccountSecondaryIdentification,
      name: creditor.creditorname,
    }),
    creditor: {
      name: creditor.creditorname,
      // The console's server recognises a paid invoice by this id; the service gets either this or the address.
      creditorId: creditor.creditorId,
      ...(Object.keys(postalAddress).length > 0 && { postalAddress }),
    },
  };
}

/** The payments of the invoices. Shared parts are built once, because a batch has thousands of payments. */
function paymentsOf({ invoices, debtor, creditors, extras }: BatchParts): Payment[] {
  const payer = account(debtor);
  const creditorById = new Map(creditors.map((creditor) => [creditor.creditorId, creditor]));
  const payeeById = new Map<string, ReturnType<typeof payeeOf>>();
  const payee = ({ invoiceId, creditor: id }: Invoice) => {
    const creditor = creditorById.get(id);
    if (!creditor) throw new Error(`Invoice ${invoiceId} is to be paid to ${id}, who is not a creditor`);
    const made = payeeById.get(id) ?? payeeOf(creditor);
    payeeById.set(id, made);
    return made;
  };
  return invoices.map((invoice) => ({
    instructedAmount: { amount: invoice.amount, currency: invoice.currency },
    ...payer,
    ...payee(invoice),
    remittanceInformation: { reference: invoice.invoiceId, unstructured: invoice.description },
    ...extras.payment,
  }));
}

/**
 * Returns the batch payment request (behaviour, section 3), to be executed at 00:00:00Z on its date (behaviour, section
 * 9). Throws if an invoice names a creditor that is not in `creditors`.
 */
export function batchRequest(parts: BatchParts): BatchRequest {
  const { debtor, fileFormatId } = parts;
  const { userIdentification, additionalData } = parts.extras.batch;
  return {
    externalId: parts.externalId,
    subscriptionId: parts.subscriptionId,
    ...(fileFormatId === undefined ? {} : { fileFormatId }),
    debtor: { debtorId: debtor.debtorId },
    requestedExecutionDateTime: `${parts.today}T00:00:00Z`,
    ...(userIdentification !== undefined && { userIdentification }),
    ...(additionalData !== undefined && { additionalData }),
    ...account(debtor),
    payments: paymentsOf(parts),
  };
}
