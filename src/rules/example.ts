import { isBlank } from '#contract/text.ts';
import { checkField } from './check.ts';
import { todayFor, localDay } from './date.ts';
import { initialValues, valueOf, type Field, type Form, type Values } from './field.ts';
import { formBudget, patternOf } from './pattern.ts';

/** A field's example as its control's value; '' if its rule gives none. `today` is YYYY-MM-DD. */
function exampleOf(field: Field, today: string): string {
  const { kind, example, options, required, regex } = field;
  if (kind === 'boolean') return required && patternOf(regex).test?.('true') === true ? 'true' : '';
  if (kind === 'text') return todayFor(field, today) || example;
  const open = options.filter(({ blocked }) => blocked === undefined);
  const named = open.find(({ value }) => value === example);
  return (named ?? (required ? open[0] : undefined))?.value ?? '';
}

/**
 * Fills absent and invalid values with the rules' examples; keeps valid values. Skips an example that its own rule
 * rejects. `today` is YYYY-MM-DD, by default the user's local day.
 */
export function withExamples(form: Form, values: Values, today = localDay(new Date())): Values {
  const budget = formBudget();
  const given = form.fields.flatMap((field) => {
    const value = valueOf(values, field);
    const isSet = field.kind === 'boolean' ? value === 'true' : !isBlank(value);
    const isWrong = (text: string) => checkField(field, text, budget) !== undefined;
    if (isSet && !isWrong(value)) return [];
    const example = field.secret ? '' : exampleOf(field, today);
    return example === '' || isWrong(example) ? [] : [[field.id, example] as const];
  });
  return { ...values, ...Object.fromEntries(given) };
}

/** The examples that fill a new form, by field; a field whose initial value is its example has none. */
export function examplesIn(form: Form): Values {
  const initial = initialValues(form);
  return Object.fromEntries(Object.entries(withExamples(form, initial)).filter(([id, value]) => value !== initial[id]));
}

/** The fields that hold their example; empty if a field that has one is blank. */
export function filledWith(examples: Values, values: Values): readonly string[] {
  const ids = Object.keys(examples);
  return ids.every((id) => !isBlank(values[id] ?? '')) ? ids.filter((id) => values[id] === examples[id]) : [];
}

/** Whether every value of a form that its user can have entered is the example of its field. */
export const holdsExamples = (form: Form, examples: Values, values: Values): boolean => {
  const initial = initialValues(form);
  return form.fields.every(({ id }) => isBlank(values[id] ?? '') || [initial[id], examples[id]].includes(values[id]));
};
