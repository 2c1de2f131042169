import type { Made } from '#contract/facts.ts';
import type { FormState } from '#machines/lib/form.ts';
import { valueOf, type Field, type Values } from '#rules/field.ts';
import { Result } from '#steps/kit/Result.tsx';

/** A field's value as it was shown in the form; '' if it was left empty, is unknown or is secret. */
function shownValue(field: Field, values: Values): string {
  const value = valueOf(values, field);
  if (field.secret) return '';
  if (field.kind === 'boolean' && value !== '') return value === 'true' ? 'Yes' : 'No';
  return field.options.find((option) => option.value === value)?.label ?? value.trim();
}

/** The values entered in a form, by label, except the name of the record, which is the page's heading. */
export const enteredIn = (
  made: Made,
  { form, values }: Pick<FormState, 'form' | 'values'>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    form.fields
      .map((field) => [field.label, shownValue(field, values)] as const)
      .filter(([, value]) => value !== made.name),
  );

/** A journey's result, with the values of the form that created it if the form is still known. */
export function StepResult({ made, form, values }: { made: Made } & Partial<Pick<FormState, 'form' | 'values'>>) {
  return <Result made={made} {...(form && values && { entered: enteredIn(made, { form, values }) })} />;
}
