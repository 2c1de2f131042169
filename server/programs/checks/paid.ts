import { isObject, jsonIn } from '#contract/json.ts';
import { textOrEmpty } from '#contract/text.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { finding, type Evidence, type Finding, type Invoice, type SentPayment } from './evidence.ts';
import { isDead, isMade, paidTimes, paymentsOf, plainAmount, writesIn, type Write } from './writes.ts';

/** A member of a payment that is compared with the invoice. */
interface Compared {
  /** Its place in a payment of a batch. */
  member: string;
  /** What it says, in words. */
  what: string;
  expected: (invoice: Invoice) => string;
  /** What was sent; empty where the payment has no such member, which then is not compared. */
  came: (payment: SentPayment) => readonly string[];
  /** Whether a payment without it is wrong. */
  isRequired?: boolean;
  /** Compares otherwise than by equality. */
  plain?: (text: string) => string;
  mend: string;
}

/** What `write-paid` compares of each payment, in this order (docs/verify.md, "What is compared where"). */
export const comparedMembers: readonly Compared[] = [
  {
    member: 'instructedAmount.amount',
    what: 'the amount',
    expected: ({ amount }) => amount,
    came: ({ amount }) => [amount],
    plain: plainAmount,
    mend: 'Send the amount as the text in the file of invoices: through no floating-point number, which rounds and writes 1.0E7.',
  },
  {
    member: 'instructedAmount.currency',
    what: 'the currency',
    expected: ({ currency }) => currency,
    came: ({ currency }) => [currency],
    mend: 'Send the currency of each invoice, not one for all.',
  },
  {
    member: 'creditor.creditorId',
    what: 'the creditor',
    expected: ({ creditorId }) => creditorId,
    came: ({ creditorId }) => (creditorId === '' ? [] : [creditorId]),
    mend: 'Send the creditorId of the same invoice as the amount.',
  },
  {
    member: 'creditor.name, creditorAccount.name',
    what: 'the name',
    expected: ({ creditorName }) => creditorName,
    came: ({ names = [] }) => names,
    plain: (text) => text.normalize('NFC').trim(),
    mend: 'Send the name as the file of invoices has it, as JSON in UTF-8: without the escapes of HTML or XML, uncut, and with a Content-Length in bytes.',
  },
  {
    member: 'creditorAccount.identification',
    what: 'the account',
    expected: ({ account = '' }) => account,
    came: ({ account = '' }) => (account === '' ? [] : [account]),
    mend: 'Send the creditorAccount of the same invoice as the amount.',
  },
  {
    member: 'remittanceInformation.reference',
    what: 'the reference',
    expected: ({ reference }) => reference,
    came: ({ reference }) => [reference],
    isRequired: true,
    mend: 'Send the reference of the invoice as remittanceInformation.reference, not its id: by it the creditor recognises the payment.',
  },
];

/** Scenarios in which nothing fails, so that each invoice is to be paid. */
export const undisturbed: readonly string[] = ['works', 'names', 'next-invoices', 'next-file', 'repeated-invoices'];

/** The members of a batch that nothing compares with what was asked for, each with the reason. */
export const uncomparedMembers: readonly (readonly [member: string, reason: string])[] = [
  ['externalId', 'the program chooses it; `write-same-body` compares it between attempts'],
  ['subscriptionId', 'there is one, and the service refuses another'],
  ['debtor.debtorId', 'there is one, and the service refuses another'],
  ['requestedExecutionDateTime', 'the program chooses it; a day to come is a warning'],
];

/** Number of characters shown of a text that came from elsewhere. */
const shown = 300;

const quoted = (text: string): string => `“${text.slice(0, shown)}”`;

/** Returns in words what the service said of a call that it refused; '' if it refused none. */
export function refusalIn(call: RecordedCall | undefined): string {
  if (!call || call.status < 400) return '';
  const body = jsonIn(call.response.body);
  const said = isObject(body) ? body : {};
  const list = Array.isArray(said['errors']) ? said['errors'] : [];
  const errors = list.flatMap((each) =>
    isObject(each) && typeof each['message'] === 'string' ? [each['message']] : [],
  );
  const detail = typeof said['detail'] === 'string' ? said['detail'] : '';
  const texts = [detail, ...errors.filter((each) => !detail.includes(each))].filter((text) => text !== '');
  return `the service refused the call with ${call.status}${texts.length > 0 ? `: ${texts.join('; ').slice(0, shown)}` : ''}`;
}

/** Returns in words what a reading of a batch said of its errors; '' if there is none. */
function errorsIn(calls: readonly RecordedCall[], batchId: string): string {
  const last = calls.findLast(
    ({ operation, path, status }) => operation === 'batch' && status === 200 && path.endsWith(batchId),
  );
  const body = last && jsonIn(last.response.body);
  const error = isObject(body) ? body['error'] : undefined;
  const detail: unknown[] = isObject(error) && Array.isArray(error['detail']) ? error['detail'] : [];
  const texts = detail.flatMap((each) =>
    isObject(each) ? [`${textOrEmpty(each['target'])}: ${textOrEmpty(each['message'])}`] : [],
  );
  return texts.join('; ').slice(0, shown);
}

const invoiceLine = ({ amount, currency, creditorName, reference }: Invoice): string =>
  `${amount} ${currency} to ${quoted(creditorName)}, reference ${quoted(reference)}`;

const refusedMend =
  'Correct what the service names: it says which member is wrong, and what would be right. Print such a refusal to whoever runs the program.';

const equalMend =
  'Recognise an invoice that was paid by its id alone: another one may have the same creditor and amount, and is to be paid too.';

const isEqual = (one: Invoice, other: Invoice): boolean =>
  one.id !== other.id &&
  one.creditorId === other.creditorId &&
  one.amount === other.amount &&
  one.currency === other.currency;

/** Returns what is wrong where nothing was paid for an invoice: the refusal, or that nothing was sent. */
function notPaid(evidence: Evidence, invoice: Invoice, makers: readonly Write[]): Finding {
  const { id } = invoice;
  const calls = makers.map(({ call }) => call);
  const [payment] = paymentsOf(evidence, id);
  const refusal = refusalIn(calls.findLast(({ status }) => status >= 400));
  const errors = payment ? errorsIn(evidence.calls, payment.batchId) : '';
  const expected = `Expected: ${invoiceLine(invoice)}`;
  if (payment) {
    const why = errors === '' ? '' : `: ${errors}`;
    return { ...finding(`The payment of ${id} is ${payment.status}${why}. ${expected}`, ...calls), mend: refusedMend };
  }
  if (refusal !== '')
    return { ...finding(`${id} is in no batch: ${refusal}. ${expected}`, ...calls), mend: refusedMend };
  const found = finding(`${id} is in no batch. ${expected}`, ...calls);
  return evidence.invoices.some((other) => isEqual(other, invoice)) ? { ...found, mend: equalMend } : found;
}

/** Returns the first difference between an invoice and the payment that was sent for it. */
function difference(invoice: Invoice, sent: SentPayment, calls: readonly RecordedCall[]): Finding[] {
  for (const { what, expected, came, isRequired = false, plain = (text: string) => text, mend } of comparedMembers) {
    const wanted = expected(invoice);
    const texts = came(sent);
    const wrong = texts.find((text) => plain(text) !== plain(wanted));
    if (wrong === undefined && (!isRequired || texts.length > 0)) continue;
    const is = (wrong ?? '') === '' ? `has no ${what.replace('the ', '')}` : `has ${quoted(wrong ?? '')} as ${what}`;
    return [
      {
        ...finding(
          `The payment of ${invoice.id} ${is} instead of ${quoted(wanted)}. Expected: ${invoiceLine(invoice)}`,
          ...calls,
        ),
        mend,
      },
    ];
  }
  return [];
}

/** Returns what differs from one payment of each invoice as the file of invoices has it. */
export function unpaid(evidence: Evidence): Finding[] {
  const writes = writesIn(evidence, evidence.calls).filter(({ call }) => call.operation === 'createBatch');
  return evidence.invoices.flatMap((invoice) => {
    const { id } = invoice;
    const makers = writes.filter(({ items }) => items.includes(id));
    const calls = makers.map(({ call }) => call);
    // Whether another service has made what it accepted, its answers need not tell.
    const made = paymentsOf(evidence, id).filter(({ status }) => (evidence.reading ? !isDead(status) : isMade(status)));
    const [payment] = made;
    if (!payment) return [notPaid(evidence, invoice, makers)];
    if (made.length > 1)
      return [
        {
          ...finding(
            paidTimes(
              id,
              made.length,
              makers.filter(({ call }) => call.isDone),
            ),
            ...calls,
          ),
          mend: 'Put each invoice into one batch, once; remember for each invoice which batch pays it.',
        },
      ];
    if (evidence.reading) return [];
    const maker = makers.find(({ key, call }) => call.isDone && key === payment.idempotencyKey);
    const sent = maker?.payments[maker.items.indexOf(id)];
    // What the service does not record, as it received it.
    return difference(invoice, { ...sent, ...payment }, calls);
  });
}
