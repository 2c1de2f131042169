import type { BatchRequest, Payment } from '../payment.ts';
import { isObject, stringify } from '../json.ts';
import { batchForm } from './endpoints.ts';

const none: readonly unknown[] = batchForm.empty;

const hasMembers = (value: object): boolean => {
  for (const _ in value) return true;
  return false;
};

/**
 * Returns a copy with each member replaced by what `of` returns for it, without those for which it returns undefined.
 * If nothing changes, returns the object itself, because a batch has thousands of payments.
 */
function made<T extends object>(value: T, of: (name: string, member: unknown) => unknown): T {
  const given = value as Record<string, unknown>; // any object has members
  const names = Object.keys(given);
  let members: Record<string, unknown> | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!; // within
    const kept = of(name, given[name]);
    if (!members && kept !== given[name]) {
      members = {};
      for (const earlier of names.slice(0, index)) members[earlier] = given[earlier];
    }
    if (members && kept !== undefined) members[name] = kept;
  }
  return (members ?? value) as T; // only optional members are left out
}

const unlessEmpty = (name: string, member: unknown): unknown => {
  if (!isObject(member)) return none.includes(member) ? undefined : member;
  const kept = filled(member);
  if (!hasMembers(kept)) return undefined;
  return name === batchForm.asText ? member : kept;
};

/** The object without its empty members and without members that contain only empty ones; lists are not changed. */
const filled = <T extends object>(value: T): T => made(value, unlessEmpty);

const withText = <T extends object>(value: T): T => {
  const { [batchForm.asText]: given } = value as { additionalData?: unknown }; // any object may have this member
  return given === undefined || typeof given === 'string' ? value : { ...value, [batchForm.asText]: stringify(given) };
};

/** The object with only the first of these members that is present. */
function withFirst<T extends object>(value: T, names: readonly (keyof T & string)[]): T {
  const first = names.find((name) => value[name] !== undefined);
  return made(value, (name, member) => (name === first || !names.some((each) => each === name) ? member : undefined));
}

/** Converts a batch to the form that the service expects: see `batchForm`. */
export function batchBody(batch: BatchRequest): BatchRequest {
  const { payments, ...rest } = batch;
  const payee = batchForm.payee[batch.fileFormatId === undefined ? 'electronic' : 'file'];
  return {
    ...withText(filled(rest)),
    payments: payments.map((each) => {
      const payment: Payment = filled(each);
      // An empty payee is left out, so that the service reports what is missing.
      return withText(
        payment.creditor === undefined ? payment : { ...payment, creditor: withFirst(payment.creditor, payee) },
      );
    }),
  };
}
