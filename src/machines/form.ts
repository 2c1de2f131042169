import { checkField, checkForm, type FieldError } from '#rules/check.ts';
import { initialValues, type Form, type Values } from '#rules/field.ts';
import { press, when } from './say.ts';

/** The part of a context that a form needs. */
export interface FormState {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
}

/** Events of every form in words, for charts; a transition may say otherwise. */
export const formWords = { 'form.change': 'Fill in a field' } as const;

export type FormEvent = { type: 'form.change'; field: string; value: string } | { type: 'form.submit' };

export const emptyForm: FormState = { form: { fields: [] }, values: {}, errors: [] };

/** A form as it opens; `given` are values known beforehand. */
export const openForm = (form: Form, given: Values = {}): FormState => ({
  form,
  values: { ...initialValues(form), ...given },
  errors: [],
});

/** A field has changed: one in error is checked again at once (behaviour, section 10.3). */
export function changeField(
  state: FormState,
  event: { field: string; value: string },
): Pick<FormState, 'values' | 'errors'> {
  const field = state.form.fields.find(({ id }) => id === event.field);
  const others = state.errors.filter(({ id }) => id !== event.field);
  return {
    values: { ...state.values, [event.field]: event.value },
    errors: field && checkField(field, event.value) ? state.errors : others,
  };
}

/** Everything in error, for the moment of submitting (behaviour, section 5). */
export const formErrors = ({ form, values }: FormState): FieldError[] => checkForm(form, values);

/** Guard: the form can be sent. */
export const valid = when(
  'nothing is in error',
  ({ context }: { context: FormState }): boolean => formErrors(context).length === 0,
);

/**
 * The states of a form between its opening and its submitting, for charts whose way on is a state `submitting`;
 * `more` are further events that each of them hears, `submit` is the label of its button.
 */
export const filling = <const More extends object>(more: More, submit?: string) =>
  ({
    editing: {
      tags: ['form'],
      meta: { description: 'The form is open' },
      on: {
        ...more,
        'form.change': { actions: 'change' },
        'form.submit': [
          { guard: 'valid', target: 'submitting', ...(submit && { description: press(submit) }) },
          { target: 'invalid', actions: 'showErrors' },
        ],
        'form.cancel': { target: 'cancelled', description: press('Cancel') },
      },
    },
    invalid: {
      tags: ['form'],
      meta: { description: 'The form was submitted with fields in error' },
      on: {
        ...more,
        'form.change': { actions: 'change' },
        'form.submit': [{ guard: 'valid', target: 'submitting' }, { actions: 'showErrors' }],
        'form.cancel': { target: 'cancelled' },
      },
    },
    refused: {
      tags: ['form', 'failed'],
      meta: { description: 'What was sent was refused, or nobody could be reached' },
      on: {
        ...more,
        'form.change': { target: 'editing', actions: 'change' },
        'form.submit': { target: 'submitting' },
        retry: { target: 'submitting' },
        'form.cancel': { target: 'cancelled' },
      },
    },
  }) as const;
