import { nameOfCharacter, oddCharacter } from '#contract/text.ts';
import { valueOf, type Field, type Form, type Values } from './field.ts';
import { patternOf, runningInTurn } from './pattern.ts';

/** A field in error, with the rule's own message (behaviour, section 5). */
export interface FieldError {
  id: string;
  message: string;
}

/**
 * A field is in error if it is required and absent, or if a value is present and fails the regex or is none of the
 * enumeration's that can be chosen (behaviour, section 5); also if it is too long, or holds a control character, which
 * the server does not take. A regex that cannot be run is the field's note, not an error; `runs` false leaves it out.
 */
export function checkField(field: Field, typed: string, runs = true): FieldError | undefined {
  const value = field.trimmed ? typed.trim() : typed;
  const absent = value.trim() === '';
  const [odd] = oddCharacter.exec(value) ?? [];
  if (!absent && odd !== undefined)
    return {
      id: field.id,
      message: `${field.errorMessage} (the value holds ${nameOfCharacter(odd)}, which cannot be sent)`,
    };
  const refused =
    !absent &&
    (value.length > (field.longest ?? Infinity) ||
      (runs && patternOf(field.regex).test?.(value) === false) ||
      (field.kind === 'choice' &&
        !field.options.some((option) => option.value === value && option.blocked === undefined)));
  return (absent && field.required) || refused ? { id: field.id, message: field.errorMessage } : undefined;
}

/**
 * Every field in error, in the form's order; valid only when empty (behaviour, section 5). Patterns that exceed what one form
 * may take are left to the provider to check.
 */
export function checkForm(form: Form, values: Values): FieldError[] {
  const affords = runningInTurn();
  return form.fields.flatMap((field) => {
    const value = valueOf(values, field);
    return checkField(field, value, affords(field.regex, value)) ?? [];
  });
}
