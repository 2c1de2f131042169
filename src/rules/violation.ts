import type { Validation } from '#contract/lookup.ts';
import { isBlank } from '#contract/text.ts';
import { fieldOf } from './field.ts';
import { patternOf } from './pattern.ts';
import { refusalText } from './refusal.ts';
import { scalarText } from './values.ts';

export type ViolationCode = 'Missing' | 'RegexFailure' | 'NotInEnumeration' | 'NotAllowed';

/** A violation of a rule by a batch; `index` is the payment's position, `sourceId` the rule's id. */
export interface BatchViolation {
  target: string;
  message: string;
  code: ViolationCode;
  index?: number;
  sourceId: string;
}

const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && isBlank(value)) ||
  (Array.isArray(value) && value.length === 0);

/** The code of a violation, if any. Hidden means "not allowed" (wire, section 8): any value violates it. */
export function codeOf(validation: Validation, value: unknown): ViolationCode | undefined {
  const { optionality, fieldType, regex, enumeration = [] } = validation;
  if (isAbsent(value)) return optionality === 'Required' ? 'Missing' : undefined;
  if (optionality === 'Hidden') return 'NotAllowed';
  if (fieldType === 'Array') return Array.isArray(value) ? undefined : 'RegexFailure';
  const text = scalarText(value)?.normalize('NFC');
  if (text === undefined || (fieldType === 'Boolean' && typeof value !== 'boolean')) return 'RegexFailure';
  if (enumeration.length > 0 && !enumeration.some((option) => option.value === text)) return 'NotInEnumeration';
  return regex && patternOf(regex).test?.(text) === false ? 'RegexFailure' : undefined;
}

/** A violation by a value as a sentence: the rule's own message, with the characters that its pattern refuses. */
export function messageOf(validation: Validation, code: ViolationCode, value: unknown): string {
  const { label, errorMessage } = fieldOf(validation, validation.jsonPath);
  if (code === 'NotAllowed') return `${label} must not be sent`;
  const { test } = patternOf(validation.regex ?? '');
  const text = scalarText(value)?.normalize('NFC');
  return code === 'RegexFailure' && test && text !== undefined ? refusalText(errorMessage, test, text) : errorMessage;
}
