import { formErrors, type FormState } from '#machines/form.ts';

/** A form filled step by step: the first field in error gets its example, the first field of all is emptied if it is not empty. */
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

/** The part of a model's events that a form hears. */
export const typed = { 'form.change': typing };

/** How many fields are in error: all that a form's guards ask. */
export const errorsIn = (state: FormState): number => formErrors(state).length;

/** A choice that is none yet: what is shown cannot be chosen once more. */
export const otherThan = <T>(shown: T, first: T, second: T): T => (shown === first ? second : first);
