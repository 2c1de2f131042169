import { checkField } from './check.ts';
import type { Field } from './field.ts';

/** An example without small letters is a code: digits, capitals and significant punctuation. */
const isCode = (example: string): boolean => /[\dA-Z]/.test(example) && !/[a-z]/.test(example);

/** Characters with which people separate the parts of a code. */
const separators = /[\s\-–./]+/g;

/** Normalisations of a code, the smallest change first. */
const readings: readonly ((typed: string) => string)[] = [
  (typed) => typed.trim(),
  (typed) => typed.toUpperCase().trim(),
  (typed) => typed.replace(separators, ''),
  (typed) => typed.toUpperCase().replace(separators, ''),
];

/**
 * Normalises a code that its rule rejects as typed: `11-22-33` to `112233`, `gb` to `GB`. Returns any other value, and
 * one that the rule rejects in every normalisation, unchanged.
 */
export function corrected(field: Field, typed: string): string {
  if (field.kind !== 'text' || field.regex === '' || !isCode(field.example)) return typed;
  if (typed.trim() === '' || !checkField(field, typed)) return typed;
  return readings.map((read) => read(typed)).find((value) => value !== '' && !checkField(field, value)) ?? typed;
}
