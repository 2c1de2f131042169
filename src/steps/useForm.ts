import { useSelector } from '@xstate/react';
import { useCallback, useState } from 'react';
import type { Snapshot, Subscribable } from 'xstate';
import type { FillEvent, FormEvent, FormState } from '#machines/form.ts';
import type { FormFieldsProps } from './kit/FormFields.tsx';

/** The part of a form journey's actor that its form is drawn from. */
export interface FormActor {
  getSnapshot: () => Snapshot<unknown> & {
    context: FormState;
    hasTag: (tag: 'busy') => boolean;
    can: (event: { type: 'form.cancel' }) => boolean;
  };
  subscribe: Subscribable<ReturnType<FormActor['getSnapshot']>>['subscribe'];
  send: (event: FormEvent | { type: 'form.cancel' }) => void;
}

/** What a form calls when a field has changed; the same function on every render, so that the other fields are not drawn anew. */
export const useChange = (send: (event: Extract<FormEvent, { type: 'form.change' }>) => void) =>
  useCallback((field: string, value: string) => send({ type: 'form.change', field, value }), [send]);

interface Filled {
  getSnapshot: () => Snapshot<unknown> & { can: (event: { type: 'form.cancel' }) => boolean };
  subscribe: Subscribable<ReturnType<Filled['getSnapshot']>>['subscribe'];
}

/**
 * Fills the form of a journey with its examples; undefined where the journey has never heard that. What was offered once
 * stays, so that nothing moves while the form is sent.
 */
export function useFill(actor: Filled): (() => void) | undefined {
  const fill: FillEvent = { type: 'form.fill' };
  const may = useSelector(actor, (snapshot) => snapshot.can(fill as never)); // whoever does not know the event refuses it
  const [offered, setOffered] = useState(may);
  if (may && !offered) setOffered(true);
  const { send } = actor as unknown as { send: (event: FillEvent) => void }; // it was heard
  return offered ? () => send(fill) : undefined;
}

/** What FormFields needs of a journey: the machine's values and errors, and the user's gestures as its events. */
export function useForm(actor: FormActor): Omit<FormFieldsProps, 'submitLabel'> {
  const form = useSelector(actor, ({ context }) => context.form);
  const values = useSelector(actor, ({ context }) => context.values);
  const errors = useSelector(actor, ({ context }) => context.errors);
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const stays = useSelector(actor, (snapshot) => !snapshot.can({ type: 'form.cancel' }));
  return {
    form,
    values,
    errors,
    busy,
    stays,
    onChange: useChange(actor.send),
    onFill: useFill(actor),
    onSubmit: () => actor.send({ type: 'form.submit' }),
    onCancel: () => actor.send({ type: 'form.cancel' }),
  };
}
