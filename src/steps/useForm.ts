import { useSelector } from '@xstate/react';
import { useCallback } from 'react';
import type { Snapshot, Subscribable } from 'xstate';
import type { FormEvent, FormState } from '#machines/form.ts';
import type { FormFieldsProps } from './kit/FormFields.tsx';

/** The part of a form journey's actor that its form is drawn from. */
export interface FormActor {
  getSnapshot: () => Snapshot<unknown> & { context: FormState; hasTag: (tag: 'busy') => boolean };
  subscribe: Subscribable<ReturnType<FormActor['getSnapshot']>>['subscribe'];
  send: (event: FormEvent | { type: 'form.cancel' }) => void;
}

/** What FormFields needs of a journey: the machine's values and errors, and the user's gestures as its events. */
export function useForm(actor: FormActor): Omit<FormFieldsProps, 'submitLabel'> {
  const form = useSelector(actor, ({ context }) => context.form);
  const values = useSelector(actor, ({ context }) => context.values);
  const errors = useSelector(actor, ({ context }) => context.errors);
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const onChange = useCallback(
    (field: string, value: string) => actor.send({ type: 'form.change', field, value }),
    [actor],
  );
  return {
    form,
    values,
    errors,
    busy,
    onChange,
    onSubmit: () => actor.send({ type: 'form.submit' }),
    onCancel: () => actor.send({ type: 'form.cancel' }),
  };
}
