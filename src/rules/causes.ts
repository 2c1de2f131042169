import type { Batch, BatchError } from '#contract/batch.ts';
import { isObject, parse, type Json, type JsonObject } from '#contract/json.ts';
import type { Form, Values } from './field.ts';
import { textAt, valueAt } from './path.ts';

/** What an error of a batch names, as far as the service says it. */
export interface Cause {
  /** Index of the payment in the batch as read; undefined if it names none. */
  position: number | undefined;
  /** Reference of that payment, which is the id of the invoice that it pays; '' if unknown. */
  invoice: string;
  /** Path of the field in the batch's body, e.g. `payments.creditorAccount.name`; '' if it names none. */
  path: string;
}

/** Members of a payment, which some errors name without the `payments` in front. */
const ofPayment = /^(creditor|creditorAccount|creditorAgent|instructedAmount|remittanceInformation)(\.|$)/;

/** Splits a target, however it is written (`$.data.payments[1].creditor`, `/payments/1/creditor`), into path and index. */
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
 * Finds what an error names. The payment is the one that has the error's `resourceId`, otherwise that at its index.
 * `references` are those of the payments in the order in which they were sent: they count where the service returns
 * its payments without a reference, or returns none.
 */
export function causeOf(error: Named, payments: readonly unknown[] = [], references: readonly string[] = []): Cause {
  const { path, index = error.index } = readTarget(error.target ?? '');
  const id = error.resourceId ?? '';
  const byId = id === '' ? -1 : payments.findIndex((payment) => textAt(payment, 'paymentId') === id);
  const position = byId >= 0 ? byId : index;
  const known = position !== undefined && position >= 0 && position < Math.max(payments.length, references.length);
  if (!known) return { position: undefined, invoice: '', path };
  const own = textAt(payments[position], 'remittanceInformation.reference');
  return { position, invoice: own || (references[byId >= 0 ? (index ?? byId) : position] ?? ''), path };
}

/** The choices of a payment that are not fields of rules, by the paths of their values. */
export const paymentChoices = { bankAccount: 'bankAccount', date: 'executionDate', invoices: 'invoices' } as const;

/** The id under which an error belongs to one invoice's row. */
export const invoiceChoice = (invoiceId: string): string => `${paymentChoices.invoices}/${invoiceId}`;

/** The choice that a path of the batch's body comes from; '' if it comes from a field of a rule, or from the invoice. */
export function choiceAt(path: string): string {
  if (/^(payments\.)?debtor(Account|Agent)?(\.|$)/.test(path)) return paymentChoices.bankAccount;
  return /^requestedExecutionDateTime(\.|$)/.test(path) ? paymentChoices.date : '';
}

/** Whether a path's value is typed into the payment's form, and does not come of the invoice or its creditor. */
export const isTyped = (path: string): boolean =>
  choiceAt(path) !== '' || /(^|\.)(additionalData|userIdentification)\./.test(path);

/** The control of the payment's form that a path comes from: a choice, or a field's id; '' if the form has none. */
export function controlAt(path: string, form: Form): string {
  const bare = path.replace(/^payments\./, '');
  const field = form.fields.find(({ paths }) =>
    paths.some((own) => [path, bare, `payments.${bare}`].some((each) => each === own || each.startsWith(`${own}.`))),
  );
  return path === '' ? '' : choiceAt(path) || (field?.id ?? '');
}

/** The value of `additionalData`, which the service returns as a text that contains JSON. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}

const withOpened = (value: unknown): JsonObject =>
  isObject(value) ? { ...value, additionalData: (opened(value['additionalData']) ?? {}) as Json } : {}; // parsed JSON

/** The values that a batch was sent with, for the fields of a form; a field of the payments has that of `position`. */
export function valuesIn(batch: Batch, form: Form, position = 0): Values {
  const body = { ...withOpened(batch), payments: withOpened(batch.payments?.[position] ?? batch.payments?.[0]) };
  const values: Record<string, string> = {};
  for (const { id, paths } of form.fields)
    for (const path of paths) {
      const value = valueAt(body, path);
      if (typeof value === 'string' || typeof value === 'boolean') values[id] = String(value);
    }
  return values;
}
