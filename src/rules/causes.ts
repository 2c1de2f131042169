import type { BatchError } from '#contract/batch.ts';
import type { Form } from './field.ts';
import { textAt } from './path.ts';

/** The payment and field that a batch error names; the service may name neither. */
export interface Cause {
  /** Index of the payment in the batch as read; undefined if the error names none. */
  position: number | undefined;
  /** Reference of that payment, which is the id of its invoice; '' if unknown. */
  invoice: string;
  /** Path of the field in the batch's body, e.g. `payments.creditorAccount.name`; '' if the error names none. */
  path: string;
}

/** Members of a payment; some errors name them without the prefix `payments`. */
const ofPayment = /^(creditor|creditorAccount|creditorAgent|instructedAmount|remittanceInformation)(\.|$)/;

/** Splits a target in any notation (`$.data.payments[1].creditor`, `/payments/1/creditor`) into path and index. */
function readTarget(target: string): { path: string; index: number | undefined } {
  const dotted = target
    .trim()
    .replace(/\[(\d{1,9})\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^[$.]+/, '')
    .replace(/^data\./, '');
  const [, index, rest = ''] = /^payments\.(\d{1,9})(?:\.(.*))?$/.exec(dotted) ?? [];
  if (index !== undefined) return { path: rest && `payments.${rest}`, index: Number(index) };
  if (dotted === 'payments') return { path: '', index: undefined };
  return { path: ofPayment.test(dotted) ? `payments.${dotted}` : dotted, index: undefined };
}

type Named = Partial<Pick<BatchError, 'target' | 'index' | 'resourceId'>>;

/**
 * Returns what an error names. The payment is the one with the error's `resourceId`, otherwise the one at its index.
 * `references` are those of the payments in the order sent, in which an error counts; they are used where the service
 * returns payments without a reference, or no payments. Its list of payments may have another order.
 */
export function causeOf(error: Named, payments: readonly unknown[] = [], references: readonly string[] = []): Cause {
  const { path, index = error.index } = readTarget(error.target ?? '');
  const id = error.resourceId ?? '';
  const byId = id === '' ? -1 : payments.findIndex((payment) => textAt(payment, 'paymentId') === id);
  const position = byId >= 0 ? byId : index;
  const known = position !== undefined && position >= 0 && position < Math.max(payments.length, references.length);
  if (!known) return { position: undefined, invoice: '', path };
  const own = textAt(payments[position], 'remittanceInformation.reference');
  return { position, invoice: own || (index === undefined ? '' : (references[index] ?? '')), path };
}

/** Ids of the payment form's controls other than rule fields. */
export const paymentChoices = { bankAccount: 'bankAccount', date: 'executionDate', invoices: 'invoices' } as const;

/** The id of an error at an invoice's row. */
export const invoiceChoice = (invoiceId: string): string => `${paymentChoices.invoices}/${invoiceId}`;

/** The control, other than a rule field, that sets the value at a path of the batch's body; '' if there is none. */
export function choiceAt(path: string): string {
  if (/^(payments\.)?debtor(Account|Agent)?(\.|$)/.test(path)) return paymentChoices.bankAccount;
  return /^requestedExecutionDateTime(\.|$)/.test(path) ? paymentChoices.date : '';
}

/**
 * Whether the user enters the value at a path in the payment form; other values come from the invoice or its creditor.
 */
export const isTyped = (path: string): boolean =>
  choiceAt(path) !== '' || /(^|\.)(additionalData|userIdentification)\./.test(path);

/** The control that sets the value at a path: a choice, or a field's id; '' if the form has none. */
export function controlAt(path: string, form: Form): string {
  const bare = path.replace(/^payments\./, '');
  const field = form.fields.find(({ paths }) =>
    paths.some((own) => [path, bare, `payments.${bare}`].some((each) => each === own || each.startsWith(`${own}.`))),
  );
  return path === '' ? '' : choiceAt(path) || (field?.id ?? '');
}
