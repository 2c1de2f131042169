import type { Validation } from '#contract/lookup.ts';
import { patternOf } from './pattern.ts';
import { textOf } from './values.ts';

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
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** The code of a violation, if any. Hidden means "not allowed" (wire, section 8): any value violates it. */
export function codeOf(validation: Validation, value: unknown): ViolationCode | undefined {
  const { optionality, fieldType, regex, enumeration = [] } = validation;
  if (isAbsent(value)) return optionality === 'Required' ? 'Missing' : undefined;
  if (optionality === 'Hidden') return 'NotAllowed';
  if (fieldType === 'Array') return Array.isArray(value) ? undefined : 'RegexFailure';
  const text = textOf(value);
  if (text === undefined || (fieldType === 'Boolean' && typeof value !== 'boolean')) return 'RegexFailure';
  if (enumeration.length > 0 && !enumeration.some((option) => option.value === text)) return 'NotInEnumeration';
  return regex && patternOf(regex).test?.(text) === false ? 'RegexFailure' : undefined;
}
