import { checkField } from './check.ts';
import type { Field } from './field.ts';

/** An example without small letters is a code: digits, capitals and signs that mean something. */
const isCode = (example: string): boolean => /[\dA-Z]/.test(example) && !/[a-z]/.test(example);

/** What people put between the parts of a code. */
const separators = /[\s\-–./]+/g;

/** Ways of reading a code, the least change first. */
const readings: readonly ((typed: string) => string)[] = [
  (typed) => typed.trim(),
  (typed) => typed.toUpperCase().trim(),
  (typed) => typed.replace(separators, ''),
  (typed) => typed.toUpperCase().replace(separators, ''),
];

/**
 * What is plainly meant by a code that its rule refuses as it was typed: `11-22-33` is `112233`, `gb` is `GB`. Anything
 * else, and what the rule takes in no reading, stays as it is.
 */
export function corrected(field: Field, typed: string): string {
  if (field.kind !== 'text' || field.regex === '' || !isCode(field.example)) return typed;
  if (typed.trim() === '' || !checkField(field, typed)) return typed;
  return readings.map((read) => read(typed)).find((value) => value !== '' && !checkField(field, value)) ?? typed;
}
