import type { Facts } from '#contract/facts.ts';
import { checkField, checkForm } from '#rules/check.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { corrected } from '#rules/correct.ts';
import { withExamples } from '#rules/example.ts';
import { initialValues, type Form, type Values } from '#rules/field.ts';
import { pressLabel, describedGuard } from './describe.ts';

/** The part of a context that a form needs. */
export interface FormState {
  form: Form;
  values: Values;
  errors: readonly FieldError[];
}

/** Default descriptions of every form's events, for charts; a transition may override them. */
export const formEventTexts = { 'form.change': 'Fill in a field' } as const;

export type FormEvent = { type: 'form.change'; field: string; value: string } | { type: 'form.submit' };

/** Fills a form with its examples. */
export interface FillEvent {
  type: 'form.fill';
}

export const fillText = pressLabel('Fill with example');

export const emptyForm: FormState = { form: { fields: [] }, values: {}, errors: [] };

/** A newly opened form; `given` are initial values. */
export const openForm = (form: Form, given: Values = {}): FormState => ({
  form,
  values: { ...initialValues(form), ...given },
  errors: [],
});

/**
 * Sets a field's value. A field in error is validated again immediately (behaviour, section 10.3). Codes are normalised
 * by `corrected` unless another `read` is given.
 */
export function changeField(
  state: FormState,
  event: { field: string; value: string },
  read = corrected,
): Pick<FormState, 'values' | 'errors'> {
  const field = state.form.fields.find(({ id }) => id === event.field);
  const others = state.errors.filter(({ id }) => id !== event.field);
  const value = field ? read(field, event.value) : event.value;
  return {
    values: { ...state.values, [event.field]: value },
    errors: field && checkField(field, value) ? state.errors : others,
  };
}

/** Guard: examples are offered only in the sandbox, where they have no real effect. */
export const mayFill = describedGuard(
  'it is the sandbox',
  ({ context }: { context: FormState & { facts: Facts | null } }): boolean =>
    context.facts?.environment === 'sandbox' && context.form.fields.length > 0,
);

/** Fills missing or invalid fields with their rules' examples. A form that has errors is validated again. */
export function fillForm(state: FormState): Pick<FormState, 'values' | 'errors'> {
  const values = withExamples(state.form, state.values);
  return { values, errors: state.errors.length > 0 ? checkForm(state.form, values) : [] };
}

/** All errors of a form, for submitting (behaviour, section 5). */
export const formErrors = ({ form, values }: FormState): FieldError[] => checkForm(form, values);

/** Guard: the form has no errors. */
export const isValid = describedGuard(
  'nothing is in error',
  ({ context }: { context: FormState }): boolean => formErrors(context).length === 0,
);

/** The states of a form, which each chart names: open, and submitted with fields in error. */
export const editingState = { description: 'The form is open' } as const;
export const invalidState = { description: 'The form was submitted with fields in error' } as const;

export const refusedText = 'The request was refused, or the server could not be reached';

/** The state of a form that was refused while it was `submitting`. What may have taken effect stays to be sent again. */
export const refusedState = {
  tags: ['failed'],
  description: refusedText,
  on: {
    'form.change': { target: 'editing', actions: ['changeField', 'keepField'] },
    'form.fill': { guard: 'mayFill', target: 'editing', actions: ['fillForm', 'keepExamples'], description: fillText },
    retry: { guard: 'canHelp', target: 'submitting' },
  },
} as const;
