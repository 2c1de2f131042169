import type { Rule } from '#contract/lookup.ts';
import type { Json } from '#contract/json.ts';
import { subscriptionForm } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import { openForm, type FormState } from '../lib/form.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import type { Invoking } from '../lib/state.ts';
import type { RowsState, SubscriptionRow } from './rows.ts';

/** The part of the list's context that an update needs. */
export interface UpdateState extends RowsState, FormState, Invoking {
  /** Whether it is sent although another update awaits its answer. */
  again: boolean;
  /** The update that is followed; '' if one is to be sent. */
  messageId: string;
}

/**
 * The form of a subscription's provider properties, with the values of `data`: a JSON string, as the service's
 * additionalData is, or the parsed value.
 */
export function updateForm(rules: readonly Rule[], data: Json | undefined): FormState {
  const form = subscriptionForm(rules);
  return openForm(form, valuesIn(form, data));
}

/** The row whose update awaits its answer; null if there is none. */
export const pendingRow = ({ rows }: RowsState): SubscriptionRow | null =>
  rows.find(({ pending }) => pending !== null) ?? null;

/** The form of the chosen row, with the values that the service has. */
export const chosenForm = ({ chosen }: RowsState): FormState =>
  updateForm(chosen?.rules ?? [], chosen?.additionalData ?? '');

/** The form from which the pending update of the chosen row was sent. */
export const pendingForm = ({ chosen }: RowsState): FormState =>
  updateForm(chosen?.rules ?? [], chosen?.pending?.data?.['properties'] ?? chosen?.additionalData ?? '');

/** Context changes for what has become of the message; the row's pending update receives the outcome. */
export const followed = (
  { rows }: RowsState,
  { messageId, outcome }: Pick<AnswerState, 'messageId' | 'outcome'>,
): Pick<UpdateState, 'messageId' | 'rows'> => ({
  messageId,
  rows: rows.map((row) =>
    outcome && row.pending?.messageId === messageId ? { ...row, pending: { ...row.pending, ...outcome } } : row,
  ),
});

/** The rows once the provider has decided: the update is no longer pending. */
export function settled({ rows, chosen, messageId }: UpdateState): Pick<UpdateState, 'rows' | 'chosen'> {
  const without = (row: SubscriptionRow) => (row.pending?.messageId === messageId ? { ...row, pending: null } : row);
  return { rows: rows.map(without), chosen: chosen && without(chosen) };
}
