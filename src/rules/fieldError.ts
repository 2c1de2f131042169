import { lengthOf, nameOfCharacter, oddCharacter, trimmed } from '#contract/text.ts';
import type { Field } from './field.ts';
import { refusalText } from './refusal.ts';

/** A field in error, with the rule's own message (behaviour, section 5). */
export interface FieldError {
  id: string;
  message: string;
}

const isOption = ({ options }: Field, value: string): boolean =>
  options.some((option) => option.value === value && option.blocked === undefined);

/** A cheap test before `oddCharacter`, which is slower. */
const unusual = /[^ -~]/;

/**
 * Returns a field's error, if any: it is required and absent, or its value fails the pattern's test, is not a selectable
 * option of the enumeration (behaviour, section 5), is too long, or contains a control character, which the server
 * rejects. Values are compared in their composed form (NFC). The message names the characters that the pattern refuses.
 */
export function fieldErrorOf(
  field: Field,
  typed: string,
  test?: (value: string) => boolean | undefined,
): FieldError | undefined {
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
  return test?.(value) === false ? { id, message: refusalText(errorMessage, test, value) } : undefined;
}
