import { nameOfCharacter, oddCharacter } from '#contract/text.ts';
import { valueOf, type Field, type Form, type Values } from './field.ts';
import { patternOf, runningInTurn, type Pattern, type Runs } from './pattern.ts';

/** A field in error, with the rule's own message (behaviour, section 5). */
export interface FieldError {
  id: string;
  message: string;
}

/** A field with what its check needs, made once for each form. */
interface Check {
  field: Field;
  pattern: Pattern;
}

const checkOf = (field: Field): Check => ({ field, pattern: patternOf(field.regex) });

/** The checks of the forms in use. */
const known = new WeakMap<Form, readonly Check[]>();

function checksOf(form: Form): readonly Check[] {
  const checks = known.get(form) ?? form.fields.map(checkOf);
  known.set(form, checks);
  return checks;
}

const isOption = ({ options }: Field, value: string): boolean =>
  options.some((option) => option.value === value && option.blocked === undefined);

/** Found sooner than an odd character, which it may be. */
const unusual = /[^ -~]/;

function errorOf({ field, pattern }: Check, typed: string, runs: Runs): FieldError | undefined {
  const { id, errorMessage } = field;
  const trimmed = typed.trim();
  if (trimmed === '') return field.required ? { id, message: errorMessage } : undefined;
  const value = field.trimmed ? trimmed : typed;
  const [odd] = unusual.test(value) ? (oddCharacter.exec(value) ?? []) : [];
  if (odd !== undefined)
    return { id, message: `${errorMessage} (the value holds ${nameOfCharacter(odd)}, which cannot be sent)` };
  const refused =
    value.length > (field.longest ?? Infinity) ||
    (runs(pattern, typed) && pattern.test?.(value) === false) ||
    (field.kind === 'choice' && !isOption(field, value));
  return refused ? { id, message: errorMessage } : undefined;
}

/**
 * A field is in error if it is required and absent, or if a value is present and fails the regex or is none of the
 * enumeration's that can be chosen (behaviour, section 5); also if it is too long, or holds a control character, which
 * the server does not take. A regex that cannot be run is the field's note, not an error; `runs` false leaves it out.
 */
export const checkField = (field: Field, typed: string, runs = true): FieldError | undefined =>
  errorOf(checkOf(field), typed, () => runs);

/**
 * Every field in error, in the form's order; valid only when empty (behaviour, section 5). Patterns that exceed what one form
 * may take are left to the provider to check.
 */
export function checkForm(form: Form, values: Values): FieldError[] {
  const affords = runningInTurn();
  const errors: FieldError[] = [];
  for (const check of checksOf(form)) {
    const error = errorOf(check, valueOf(values, check.field), affords);
    if (error) errors.push(error);
  }
  return errors;
}
