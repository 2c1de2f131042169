import { assign, type EventObject } from 'xstate';
import { member } from '#contract/member.ts';
import { checkField, checkForm } from '#rules/check.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { corrected } from '#rules/correct.ts';
import { withExamples } from '#rules/example.ts';
import { initialValues, type Form, type Values } from '#rules/field.ts';
import { pressLabel, describedGuard } from './describe.ts';
import { drafted, type DraftInput, type DraftState } from './draft.ts';
import { journeyTypes, type JourneyContext, type JourneyInput } from './gate.ts';

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

/** The transition of a form that keeps its state while it is filled. */
export const fillsForm = { guard: 'mayFill', actions: ['fillForm', 'keepExamples'], description: fillText } as const;

export const emptyForm: FormState = { form: { fields: [] }, values: {}, errors: [] };

/** The context of a journey with a form and its draft. */
export interface FormContext extends JourneyContext, FormState, DraftState {}

/** The input of such a journey. */
export type FormInput = JourneyInput<DraftInput>;

/** The beginning of its context. */
export const formContext = (input: FormInput): FormContext => ({
  facts: input.facts,
  failure: null,
  ...emptyForm,
  ...drafted(input),
});

/** What `setup` takes as the types of a form's chart: what its context, events and result are beyond those of every form. */
export const formTypes = <Own extends { context: object; events?: EventObject; result?: unknown }>() =>
  journeyTypes<
    Omit<Own, 'context' | 'events'> & {
      context: FormContext & Own['context'];
      events: FormEvent | FillEvent | (Own extends { events: infer More extends EventObject } ? More : never);
      input: DraftInput;
    }
  >();

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
  ({ context }: { context: FormState & { facts: JourneyContext['facts'] | null } }): boolean =>
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

/** The guards of a form. */
export const formGuards = { isValid, mayFill };

export const refusedText = 'The request was refused, or the server could not be reached';

/** The states of a form, each of which a chart names: open, submitted with fields in error, refused. */
export const formStates = {
  editing: { description: 'The form is open' },
  invalid: { description: 'The form was submitted with fields in error' },
  /** It was refused while it was `submitting`. What may have taken effect stays to be sent again. */
  refused: {
    tags: ['failed'],
    description: refusedText,
    on: {
      'form.change': { target: 'editing', actions: ['changeField', 'keepField'] },
      'form.fill': {
        guard: 'mayFill',
        target: 'editing',
        actions: ['fillForm', 'keepExamples'],
        description: fillText,
      },
      retry: { guard: 'canHelp', target: 'submitting' },
    },
  },
} as const;

/** The values of the open form, in which those that were entered stand again. */
export const restoredValues = ({ form, values, draft }: FormState & Pick<DraftState, 'draft'>): Values => ({
  ...values,
  ...Object.fromEntries(
    form.fields.flatMap(({ id }) => {
      const entered = member(draft.fields, id);
      return entered === undefined ? [] : [[id, entered]];
    }),
  ),
});

/** The form as it opens: with what was entered and what is said of it, or filled with its examples. */
function restored(context: FormContext): Partial<FormContext> {
  const open = { ...context, values: restoredValues(context) };
  const { unknown } = context.draft;
  if (unknown) return { values: open.values, failure: unknown };
  if (!context.draft.fills || !mayFill({ context: open })) return { values: open.values };
  const { values, errors } = fillForm(open);
  return { values, errors, draft: { ...context.draft, fields: values, fills: false } };
}

const kept = ({ draft }: FormContext, fields: Values): Partial<FormContext> => ({
  draft: { ...draft, fields: { ...draft.fields, ...fields }, unknown: null },
});

/** An action of several machines that changes the form or its draft in their context. */
const changes = (change: (context: FormContext, event: FormEvent) => Partial<FormContext>) =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an action is invariant in context and events, and these fit every journey with a form
  assign<any, any, undefined, any, never>(({ context, event }) => change(context as FormContext, event as FormEvent)); // of a journey with a form

/**
 * The actions of a form, and those of its draft, each of which follows the form's own. Apart from `journeyActions`, because
 * the pages without a form do not load its rules.
 */
export const formActions = {
  changeField: changes((form, event) => (event.type === 'form.change' ? changeField(form, event) : {})),
  fillForm: changes(fillForm),
  showErrors: changes((form) => ({ errors: formErrors(form) })),
  clearErrors: changes(() => ({ errors: [], failure: null })),
  restoreDraft: changes(restored),
  keepField: changes((context, event) =>
    event.type === 'form.change' ? kept(context, { [event.field]: context.values[event.field] ?? event.value }) : {},
  ),
  keepExamples: changes((context) => ({ ...kept(context, context.values), likesExamples: true })),
};
