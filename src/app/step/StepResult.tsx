import type { Made } from '#contract/facts.ts';
import type { FormState } from '#machines/lib/form.ts';
import { valueOf, type Field, type Values } from '#rules/field.ts';
import { Result } from '#steps/kit/Result.tsx';

/** A field's value as it was shown in the form; '' if it was left empty or is secret. */
function shownValue(field: Field, values: Values): string {
  const value = valueOf(values, field);
  if (field.secret) return '';
  if (field.kind === 'boolean') return value === 'true' ? 'Yes' : 'No';
  return field.options.find((option) => option.value === value)?.label ?? value.trim();
}

/** A journey's result, with the values of the form that created it if the form is still known. */
export function StepResult({ made, form, values }: { made: Made } & Partial<Pick<FormState, 'form' | 'values'>>) {
  const entered = (form?.fields ?? [])
    .map((field) => [field.label, shownValue(field, values ?? {})] as const)
    .filter(([, value]) => value !== made.name); // the page's heading
  return <Result made={made} entered={Object.fromEntries(entered)} />;
}
