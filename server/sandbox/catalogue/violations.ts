import type { FileFormat, Provider, Rule, Validation } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { fieldOf, validationOf } from '#rules/field.ts';
import '#rules/linear.ts';
import { patternOf } from '#rules/pattern.ts';
import { misfitsOf } from './paymentFile/layout.ts';
import { textOf, valuesAt, type Found } from './path.ts';
import { rulesOf } from './rules.ts';
import type { BatchViolation, Violation, ViolationCode } from './types.ts';

const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** The code of the violation, if any. Hidden means "not allowed" (wire, section 8): any value is a violation. */
function codeOf(validation: Validation, value: unknown): ViolationCode | undefined {
  const { optionality, fieldType, regex, enumeration = [] } = validation;
  if (isAbsent(value)) return optionality === 'Required' ? 'Missing' : undefined;
  if (optionality === 'Hidden') return 'NotAllowed';
  if (fieldType === 'Array') return Array.isArray(value) ? undefined : 'RegexFailure';
  const text = textOf(value);
  if (text === undefined || (fieldType === 'Boolean' && typeof value !== 'boolean')) return 'RegexFailure';
  if (enumeration.length > 0 && !enumeration.some((option) => option.value === text)) return 'NotInEnumeration';
  return regex && patternOf(regex).test?.(text) === false ? 'RegexFailure' : undefined;
}

interface Finding extends Found {
  rule: Rule;
  path: string;
  message: string;
  code: ViolationCode;
}

/** Maximum number of violations per body, because each is stored and returned. */
const mostFindings = 2000;

function findings(rules: readonly Rule[], body: unknown): Finding[] {
  const all: Finding[] = [];
  for (const rule of rules) {
    const validation = validationOf(rule);
    if (!validation) continue;
    const path = validation.jsonPath;
    const { label, errorMessage } = fieldOf(validation, path);
    for (const found of valuesAt(body, path)) {
      const code = codeOf(validation, found.value);
      const message = code === 'NotAllowed' ? `${label} must not be sent` : errorMessage;
      if (code) all.push({ ...found, rule, path, message, code });
      if (all.length === mostFindings) return all;
    }
  }
  return all;
}

/**
 * The violations of rules by a body, each with the rule's errorMessage. For rules with apiPath Subscriptions the body
 * is `{ additionalData }`, where additionalData is the parsed object.
 */
export const violations = (rules: readonly Rule[], body: unknown): Violation[] =>
  findings(rules, body).map(({ path, message, code, rule: { ruleId } }) => ({ path, message, code, ruleId }));

/**
 * The violations by a batch of the provider's rules for BatchPayments and of the file format's rules. A batch without
 * violations is laid out on trial, to find values that do not fit the file.
 */
export function batchViolations(
  provider: Provider | undefined,
  fileFormat: FileFormat | undefined,
  batch: BatchRequest,
): BatchViolation[] {
  const rules = [...(provider ? rulesOf(provider, 'BatchPayments') : []), ...(fileFormat?.specification.rules ?? [])];
  const broken = findings(rules, batch).map(({ path, message, code, index, rule }) => ({
    target: path,
    message,
    code,
    ...(index !== undefined && { index }),
    sourceId: rule.ruleId,
  }));
  return broken.length > 0 || !fileFormat ? broken : misfitsOf(fileFormat, batch);
}
