import { ibanFlaw } from '#contract/iban.ts';
import { lengthOf, nameOfCharacter, oddCharacter, trimmed } from '#contract/text.ts';
import { valueOf, type Field, type Form, type Values } from './field.ts';
import { formBudget, patternOf, type Pattern } from './pattern.ts';
import { refusalOf } from './refusal.ts';
import type { Budget } from './walk.ts';

/** A field in error, with the rule's own message (behaviour, section 5). */
export interface FieldError {
  id: string;
  message: string;
}

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

const isOption = ({ options }: Field, value: string): boolean =>
  options.some((option) => option.value === value && option.blocked === undefined);

/** Matches the id of a field for the number of an account, which may be an IBAN. */
const namesAccount = /(^|\.)(debtorAccount|creditorAccount)\.identification$|iban/i;

/** A cheap test before `oddCharacter`, which is slower. */
const unusual = /[^ -~]/;

function errorOf({ field, pattern }: Check, typed: string, budget?: Budget): FieldError | undefined {
  const { id, errorMessage } = field;
  const composed = typed.normalize('NFC');
  const bare = trimmed(composed);
  if (bare === '') return field.required ? { id, message: errorMessage } : undefined;
  const value = field.trimmed ? bare : composed;
  const [odd] = unusual.test(value) ? (oddCharacter.exec(value) ?? []) : [];
  if (odd !== undefined)
    return { id, message: `${errorMessage} (the value holds ${nameOfCharacter(odd)}, which cannot be sent)` };
  if (lengthOf(value) > (field.longest ?? Infinity) || (field.kind === 'choice' && !isOption(field, value)))
    return { id, message: errorMessage };
  const { test } = pattern;
  if (test?.(value, budget) === false)
    return { id, message: refusalOf(errorMessage, (text) => test(text, budget), value) };
  const flaw = namesAccount.test(id) ? ibanFlaw(value) : '';
  return flaw ? { id, message: `${errorMessage} (${flaw})` } : undefined;
}

/**
 * Returns a field's error, if any: it is required and absent, or its value fails the regex, is not a selectable option
 * of the enumeration (behaviour, section 5), is too long, is an IBAN with wrong check digits, or contains a control
 * character, which the server rejects. Values are compared in their composed form (NFC). The message names the characters
 * that the regex refuses. A regex that cannot be run, or not within the budget, is a note and no error.
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
