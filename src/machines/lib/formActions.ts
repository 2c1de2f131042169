import { assign } from 'xstate';
import { changeField, fillForm, formErrors, type FormEvent, type FormState, mayFill } from './form.ts';
import type { JourneyContext } from './gate.ts';
import { member } from '#contract/member.ts';
import type { Values } from '#rules/field.ts';
import type { DraftState } from './draft.ts';

type Drafted = FormState & DraftState & JourneyContext;

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
function restored(context: Drafted): Partial<Drafted> {
  const open = { ...context, values: restoredValues(context) };
  const { unknown } = context.draft;
  if (unknown) return { values: open.values, failure: unknown };
  if (!context.draft.fills || !mayFill({ context: open })) return { values: open.values };
  const { values, errors } = fillForm(open);
  return { values, errors, draft: { ...context.draft, fields: values, fills: false } };
}

const kept = ({ draft }: Drafted, fields: Values): Partial<Drafted> => ({
  draft: { ...draft, fields: { ...draft.fields, ...fields }, unknown: null },
});

/** An action of several machines that changes the form or its draft in their context. */
const changes = (change: (context: Drafted, event: FormEvent) => Partial<Drafted>) =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an action is invariant in context and events, and these fit every journey with a form
  assign<any, any, undefined, any, never>(({ context, event }) => change(context as Drafted, event as FormEvent)); // of a journey with a form

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
