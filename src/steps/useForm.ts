import { useSelector } from '@xstate/react';
import { useCallback, useMemo, useState } from 'react';
import type { AnyMachineSnapshot, Snapshot, Subscribable } from 'xstate';
import type { DraftState } from '#machines/lib/draft.ts';
import type { FillEvent, FormEvent, FormState } from '#machines/lib/form.ts';
import type { Tag } from '#machines/lib/state.ts';
import { hasTag } from '#machines/lib/state.ts';
import { examplesIn, filledWith, holdsExamples } from '#rules/example.ts';
import { initialValues, type Values } from '#rules/field.ts';
import type { Filled } from '#ui/BesideHeading.tsx';
import type { FormFieldsProps } from '#ui/FormFields.tsx';

/** The part of a form journey's actor that `useForm` needs. */
export interface FormActor {
  getSnapshot: () => Snapshot<unknown> & {
    context: FormState;
    can: (event: { type: 'form.cancel' }) => boolean;
  };
  subscribe: Subscribable<ReturnType<FormActor['getSnapshot']>>['subscribe'];
  send: (event: FormEvent | { type: 'form.cancel' }) => void;
}

/** The `onChange` of a form: a stable function, so that a change renders only the changed field. */
export const useChange = (send: (event: Extract<FormEvent, { type: 'form.change' }>) => void) =>
  useCallback((field: string, value: string) => send({ type: 'form.change', field, value }), [send]);

interface FillableActor {
  getSnapshot: () => Snapshot<unknown> & { can: (event: { type: 'form.cancel' }) => boolean };
  subscribe: Subscribable<ReturnType<FillableActor['getSnapshot']>>['subscribe'];
}

/**
 * Returns a function that fills a journey's form with its examples; undefined until the journey accepts `form.fill`.
 * Once defined, it stays so, so that its button does not disappear and move the page while the form is sent.
 */
export function useFill(actor: FillableActor): (() => void) | undefined {
  const fill: FillEvent = { type: 'form.fill' };
  const may = useSelector(actor, (snapshot) => snapshot.can(fill as never)); // false for a machine without this event
  const [offered, setOffered] = useState(may);
  if (may && !offered) setOffered(true);
  const { send } = actor as unknown as { send: (event: FillEvent) => void }; // used only once the event was accepted
  return offered ? () => send(fill) : undefined;
}

/**
 * How to empty the fields that hold their examples; undefined unless the form was filled with them. `given`: what was entered
 * in this form. `isOpen`: the form was neither refused nor has errors, which filling it again could mend.
 */
export function useFilled(
  { form, values }: Pick<FormState, 'form' | 'values'>,
  given: Values,
  isOpen: boolean,
  onChange: (field: string, value: string) => void,
): Filled | undefined {
  const examples = useMemo(() => examplesIn(form), [form]);
  const filled = filledWith(examples, given);
  if (!isOpen || filled.length === 0) return undefined;
  const clear = () => {
    const initial = initialValues(form);
    for (const id of filled) onChange(id, initial[id] ?? '');
  };
  return { clear, isAll: holdsExamples(form, examples, values) };
}

const isTagged = (tag: Tag) => (snapshot: unknown) => hasTag(snapshot as AnyMachineSnapshot, tag); // forms are machines'

/** The props of FormFields for a journey: the machine's form, values and errors, and handlers that send its events. */
export function useForm(actor: FormActor): Omit<FormFieldsProps, 'submitLabel'> {
  const form = useSelector(actor, ({ context }) => context.form);
  const values = useSelector(actor, ({ context }) => context.values);
  // What stands in the form again, such as the payment to retry, was not filled in now.
  const entered = useSelector(actor, ({ context }) => (context as Partial<DraftState>).draft?.fields); // of most forms
  const errors = useSelector(actor, ({ context }) => context.errors);
  const busy = useSelector(actor, isTagged('busy'));
  const isRefused = useSelector(actor, isTagged('failed'));
  const stays = useSelector(actor, (snapshot) => !snapshot.can({ type: 'form.cancel' }));
  const onChange = useChange(actor.send);
  return {
    form,
    values,
    errors,
    busy,
    stays,
    onChange,
    filled: useFilled({ form, values }, entered ?? values, errors.length === 0 && !isRefused, onChange),
    onFill: useFill(actor),
    onSubmit: () => actor.send({ type: 'form.submit' }),
    onCancel: () => actor.send({ type: 'form.cancel' }),
  };
}
