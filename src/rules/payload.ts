import type { Payment } from '#contract/payment.ts';
import { isBlank } from '#contract/text.ts';
import { isObject, type Json, type JsonObject } from '#contract/json.ts';
import { valueOf, type Field, type Form, type Values } from './field.ts';

const sent = (field: Field, values: Values): Json | undefined => {
  const value = valueOf(values, field).normalize('NFC');
  if (isBlank(value)) return undefined;
  return field.kind === 'boolean' ? value === 'true' : value;
};

/** Sets the value at a dotted path; creates missing objects. */
function put(target: JsonObject, path: string, value: Json): void {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  const next = target[head];
  const inner = isObject(next) ? next : {};
  target[head] = inner;
  put(inner, rest.join('.'), value);
}

/**
 * Builds the body from a form's values: dotted names become nested objects, the text of a Boolean field true or false,
 * the values below a group's path a list of one object. Leaves out absent values (behaviour, sections 3 and 5).
 */
export function nested(form: Form, values: Values): JsonObject {
  const body: JsonObject = {};
  for (const field of form.fields) {
    const value = sent(field, values);
    if (value !== undefined) for (const path of field.paths) put(body, path, value);
  }
  // Inner groups first, because an outer one puts a list on their path.
  for (const group of [...(form.groups ?? [])].sort((a, b) => b.length - a.length)) wrap(body, group);
  return body;
}

/** Wraps the object at a dotted path, if any, in a list. */
function wrap(target: JsonObject, path: string): void {
  const [head = '', ...rest] = path.split('.');
  const inner = Object.hasOwn(target, head) ? target[head] : undefined;
  if (inner === undefined) return;
  if (rest.length === 0) target[head] = Array.isArray(inner) ? inner : [inner];
  else if (isObject(inner)) wrap(inner, rest.join('.'));
}

/** Returns a subscription's additionalData, a string that contains JSON (wire, section 5.1). */
export const additionalData = (form: Form, values: Values): string => JSON.stringify(nested(form, values));

/** The additional data of a batch and of each of its payments. */
export interface PaymentExtras {
  batch: { additionalData?: Json; userIdentification?: JsonObject };
  payment: Pick<Payment, 'additionalData'>;
}

/** Splits the payment form's values by their rules' paths: those below `payments.` go to each payment. */
export function paymentExtras(form: Form, values: Values): PaymentExtras {
  const { payments, ...batch } = nested(form, values);
  return { batch, payment: (payments ?? {}) as Pick<Payment, 'additionalData'> }; // the form's only paths below payments. are payments.additionalData
}
