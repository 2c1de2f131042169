import { ibanFlaw } from '#contract/iban.ts';
import { fieldErrorOf, type FieldError } from './fieldError.ts';
import { valueOf, type Field, type Form, type Values } from './field.ts';
import { formBudget, patternOf, type Pattern } from './pattern.ts';
import type { Budget } from './regex/walk.ts';

/** A field with its compiled pattern. */
interface Check {
  field: Field;
  pattern: Pattern;
}

const checkOf = (field: Field): Check => ({ field, pattern: patternOf(field.regex) });

/** Caches the checks of each form. */
const known = new WeakMap<Form, readonly Check[]>();

function checksOf(form: Form): readonly Check[] {
  const checks = known.get(form) ?? form.fields.map(checkOf);
  known.set(form, checks);
  return checks;
}

/** Matches the id of a field for the number of an account, which may be an IBAN. */
const namesAccount = /(^|\.)(debtorAccount|creditorAccount)\.identification$|iban/i;

function errorOf({ field, pattern: { test } }: Check, typed: string, budget?: Budget): FieldError | undefined {
  const error = fieldErrorOf(field, typed, test && ((value) => test(value, budget)));
  if (error || !namesAccount.test(field.id)) return error;
  const flaw = ibanFlaw(typed.normalize('NFC'));
  return flaw ? { id: field.id, message: `${field.errorMessage} (${flaw})` } : undefined;
}

/**
 * Returns a field's error, if any (fieldError.ts); an IBAN with wrong check digits is one as well. A regex that cannot be
 * run, or not within the budget, is a note and no error.
 */
export const checkField = (field: Field, typed: string, budget?: Budget): FieldError | undefined =>
  errorOf(checkOf(field), typed, budget);

/**
 * Returns all errors in the form's order; empty if the form is valid (behaviour, section 5). Skips patterns beyond the
 * step limit of one form check; the provider checks those values.
 */
export function checkForm(form: Form, values: Values): FieldError[] {
  const budget = formBudget();
  const errors: FieldError[] = [];
  for (const check of checksOf(form)) {
    const error = errorOf(check, valueOf(values, check.field), budget);
    if (error) errors.push(error);
  }
  return errors;
}
