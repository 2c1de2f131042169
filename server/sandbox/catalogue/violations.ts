import type { FileFormat, Provider, Rule } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { validationOf } from '#rules/field.ts';
import { misfitsOf } from '#rules/paymentFile/layout.ts';
import { loadCompiler } from '#rules/pattern.ts';
import { valuesAt, type Found } from '#rules/values.ts';
import { codeOf, messageOf, type BatchViolation, type ViolationCode } from '#rules/violation.ts';
import { rulesOf } from './rules.ts';
import type { Violation } from './types.ts';

// Batches are checked synchronously from here on.
await loadCompiler();

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
    for (const found of valuesAt(body, path)) {
      const code = codeOf(validation, found.value);
      if (code) all.push({ ...found, rule, path, message: messageOf(validation, code, found.value), code });
      if (all.length === mostFindings) return all;
    }
  }
  return all;
}

/**
 * Returns the violations of rules by a body, each with the rule's errorMessage. For rules with apiPath Subscriptions
 * the body is `{ additionalData }`, where additionalData is the parsed object.
 */
export const violations = (rules: readonly Rule[], body: unknown): Violation[] =>
  findings(rules, body).map(({ path, message, code, rule: { ruleId } }) => ({ path, message, code, ruleId }));

/**
 * Returns the violations by a batch of the provider's rules for BatchPayments and of the file format's rules. Lays out
 * a batch without violations on trial, to find values that do not fit the file.
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
