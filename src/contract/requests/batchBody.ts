import type { BatchRequest, Payment } from '../payment.ts';
import { isObject, stringify } from '../json.ts';

/** The format of a batch where behaviour, section 3 leaves it open. */
const batchForm = {
  /**
   * The payee is identified by the first of these two that is present (behaviour, section 3). choice: by address in a
   * file, because the file is created without the provider that issued the id (wire, section 5.3).
   */
  payee: { file: ['postalAddress', 'creditorId'], electronic: ['creditorId', 'postalAddress'] },
  /**
   * A member that is sent as a string containing JSON. choice: in requests as in the providers' updates (wire, sections
   * 5.1 and 5.3).
   */
  asText: 'additionalData',
  /**
   * choice: empty values, and objects with only empty values, are left out, so there is no empty `creditorAgent` (wire,
   * section 5.3).
   */
  empty: [undefined, null, ''],
} as const;

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
