import { ExactNumber } from '#contract/json.ts';

/** A member of an object anywhere in a JSON value. */
export interface Member {
  /** The names and indexes that lead to it, joined by dots. */
  path: string;
  /** Its name by `plainName`. */
  name: string;
  value: unknown;
}

export const isScalar = (value: unknown): value is string | number | boolean | ExactNumber =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber;

/** Returns a name without letter case and separators: `batch_id` and `BatchID` become `batchid`. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns all members of the objects in a value, outermost first, without those at the paths `without` and their own. */
export function* membersIn(value: unknown, without: readonly string[] = [], path = ''): Generator<Member> {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (without.includes(here)) continue;
    if (!isList) yield { path: here, name: plainName(key), value: part };
    yield* membersIn(part, without, here);
  }
}
