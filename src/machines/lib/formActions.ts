import { assign } from 'xstate';
import { changeField, fillForm, formErrors, type FormEvent, type FormState } from './form.ts';
import type { JourneyContext } from './gate.ts';

type Change = Partial<FormState & Pick<JourneyContext, 'failure'>>;

/** An action of several machines that changes the form in their context. */
const changes = (change: (form: FormState, event: FormEvent) => Change) =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an action is invariant in context and events, and these fit every journey with a form
  assign<any, any, undefined, any, never>(({ context, event }) => change(context as FormState, event as FormEvent)); // of a journey with a form

/** The actions of a form. Apart from `journeyActions`, because the pages without a form do not load its rules. */
export const formActions = {
  changeField: changes((form, event) => (event.type === 'form.change' ? changeField(form, event) : {})),
  fillForm: changes(fillForm),
  showErrors: changes((form) => ({ errors: formErrors(form) })),
  clearErrors: changes(() => ({ errors: [], failure: null })),
};
