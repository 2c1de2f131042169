import { formErrors, type FormState } from '#machines/lib/form.ts';

/**
 * Payloads that fill in a form step by step: the first field in error gets its example; the form's first field is
 * cleared if it is not empty.
 */
function typing(state: FormState): { field: string; value: string }[] {
  const [first] = state.form.fields;
  const [wrong] = formErrors(state);
  const field = state.form.fields.find(({ id }) => id === wrong?.id);
  return [
    ...(field
      ? [{ field: field.id, value: field.options.find(({ blocked }) => blocked === undefined)?.value ?? field.example }]
      : []),
    ...(first && state.values[first.id] !== '' ? [{ field: first.id, value: '' }] : []),
  ];
}

/** Payloads of the form events, for models. */
export const typed = { 'form.change': typing };

/** Number of fields in error, which is all that a form's guards depend on. */
export const errorsIn = (state: FormState): number => formErrors(state).length;

/** Returns the one of two values that is not already chosen, because choosing the shown value again has no effect. */
export const otherThan = <T>(shown: T, first: T, second: T): T => (shown === first ? second : first);
