import { Box, Text } from '@chakra-ui/react';
import type { Rule } from '#contract/lookup.ts';
import type { ApiPath } from '#machines/lookup/additionalData.machine.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { validationOf, type Field, type Form, type Values } from '#rules/field.ts';
import { patternOf } from '#rules/pattern.ts';
import { Code } from '#ui/Code.tsx';

/** Maximum number of rules listed. */
const shown = 50;

/** A list of the rules that the current values violate. */
export function Firings({ firings }: { firings: readonly Firing[] }) {
  return (
    <Box role="status">
      <Text>{firings.length === 0 ? 'No rule is broken: the form is valid.' : `Broken rules: ${firings.length}`}</Text>
      <Box as="ul" ps="4" listStyleType="disc">
        {firings.slice(0, shown).map(({ ruleId, label, why, message }) => (
          <li key={ruleId}>
            {label} (rule <Code>{ruleId}</Code>): {why} It says: {message}
          </li>
        ))}
        {firings.length > shown && <li>and {firings.length - shown} more</li>}
      </Box>
    </Box>
  );
}

/** A violated rule: its field's label, why it is violated, and its error message. */
export interface Firing {
  ruleId: string;
  label: string;
  why: string;
  message: string;
}

/**
 * The rule from which a field was built. Field ids lack the rule's prefix `additionalData.` or
 * `payments.additionalData.`.
 */
const ruleOf = (field: Field, rules: readonly Rule[], apiPath: ApiPath): Rule | undefined =>
  rules.find((rule) => {
    const { apiPath: declared, jsonPath = '' } = validationOf(rule) ?? {};
    return declared === apiPath && (jsonPath === field.id || jsonPath.endsWith(`additionalData.${field.id}`));
  });

function whyOf({ regex }: Field, value: string): string {
  if (value.trim() === '') return 'It is required but missing.';
  return regex !== '' && patternOf(regex).test?.(value) === false
    ? 'The value does not match its pattern.'
    : 'The value is not in its enumeration.';
}

/** The rules that these values violate, in the form's order (behaviour, section 5). */
export const firings = (state: {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
  rules: readonly Rule[];
  apiPath: ApiPath;
}): Firing[] =>
  state.form.fields.flatMap((field) => {
    const error = state.errors.find(({ id }) => id === field.id);
    if (!error) return [];
    return {
      ruleId: ruleOf(field, state.rules, state.apiPath)?.ruleId ?? field.id,
      label: field.label,
      why: whyOf(field, state.values[field.id] ?? ''),
      message: error.message,
    };
  });
