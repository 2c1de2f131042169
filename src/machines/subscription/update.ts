import type { Rule } from '#contract/lookup.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { subscriptionForm } from '#rules/field.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { valuesIn } from '#rules/prefill.ts';
import { awaitingAnswer, heard, noAnswer, type AnswerState, type Heard, type Sent } from '../lib/messageOutcome.ts';
import { openForm, type FormState } from '../lib/form.ts';
import { toFailed } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import type { RowsState, SubscriptionRow } from './rows.ts';

/** An update of a subscription's properties (behaviour, section 7). */
export interface Update {
  subscriptionId: string;
  properties: JsonObject;
  /** Whether the user confirms sending it although another update of the subscription awaits its answer. */
  again: boolean;
}

/** The result of sending an update; `another` is true if a different update already awaits its answer. */
export interface UpdateSent extends Sent {
  another: boolean;
}

/** The part of the list's context that an update needs. */
export interface UpdateState extends RowsState, FormState, AnswerState {
  /** Whether it is sent although another update awaits its answer. */
  again: boolean;
  /** Whether an identical update was sent before; then nothing is sent, and the earlier answer is awaited. */
  already: boolean;
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

/** The newly opened form of the chosen row. */
export const opened = ({ chosen }: RowsState): FormState & { again: boolean } => ({
  again: false,
  ...updateForm(chosen?.rules ?? [], chosen?.additionalData ?? ''),
});

/** Context changes for awaiting the answer to a row's pending update again, with the form from which it was sent. */
export function resumed(row: SubscriptionRow | null): Partial<UpdateState> {
  const { messageId = '', data } = row?.pending ?? {};
  const form = updateForm(row?.rules ?? [], data?.['properties'] ?? row?.additionalData ?? '');
  return { chosen: row, act: 'update', ...noAnswer, messageId, outcome: row?.pending ?? null, already: false, ...form };
}

/** Context changes for news of the awaited message; the row's pending update receives the new outcome. */
export function hearing(context: UpdateState, news: Heard): Partial<UpdateState> {
  const kept = heard(context, news);
  const { outcome } = kept;
  const told = (row: SubscriptionRow): SubscriptionRow =>
    outcome && row.pending?.messageId === context.messageId ? { ...row, pending: { ...row.pending, ...outcome } } : row;
  return { ...kept, rows: context.rows.map(told) };
}

/** The rows once the provider has decided: the update is no longer pending. */
export function settled({ rows, chosen, messageId }: UpdateState): Pick<UpdateState, 'rows' | 'chosen'> {
  const without = (row: SubscriptionRow) => (row.pending?.messageId === messageId ? { ...row, pending: null } : row);
  return { rows: rows.map(without), chosen: chosen && without(chosen) };
}

/** Guards of an update. */
export const updateGuards = {
  hasPending: describedGuard(
    'a message is pending',
    ({ context }: { context: RowsState }): boolean => pendingRow(context) !== null,
  ),
  isAnother: describedGuard('it is another update', (_: unknown, { another }: UpdateSent): boolean => another),
};

const params = ({ event }: { event: { output: UpdateSent } }) => event.output;

/**
 * The states of an update: the form, the message, the provider's answer. An identical update is not sent while the
 * earlier one awaits its answer; a different one is sent only if the user confirms it. The chart supplies the effects
 * `sendUpdate`, `askOutcome` and `sendAgain` and the actions, including `settle` for a decided update and `emitFactsChanged`.
 * `accepted` and `left` are the transitions of an accepted and of an abandoned update.
 */
export const updating = <const Ends extends { id: string; accepted: object; left: object }>({
  id,
  accepted,
  left,
}: Ends) =>
  ({
    initial: 'editing',
    on: { 'form.cancel': left },
    states: {
      editing: {
        meta: { description: 'The form is open' },
        on: {
          'form.change': { actions: 'changeField' },
          'form.submit': [
            { guard: 'isValid', target: 'sending', description: pressLabel('Send update') },
            { actions: 'showErrors' },
          ],
        },
      },
      sending: {
        tags: ['busy'],
        meta: { description: 'The update is being sent' },
        entry: 'clearErrors',
        invoke: {
          id: 'sendUpdate',
          src: 'sendUpdate',
          input: ({ context }: { context: UpdateState }): Update => ({
            subscriptionId: context.chosen?.subscriptionId ?? '',
            properties: parseJson(additionalData(context.form, context.values)) as JsonObject, // always an object
            again: context.again,
          }),
          onDone: [
            { guard: { type: 'isAnother', params }, target: 'another', actions: { type: 'assignMessage', params } },
            { target: 'answering', actions: { type: 'assignMessage', params } },
          ],
          onError: toFailed('refused'),
        },
      },
      another: {
        meta: { description: 'Another update is pending; this one was not sent' },
        on: {
          'answer.await': { target: 'answering', description: pressLabel('Wait for the webhook') },
          'update.again': { target: 'sending', actions: 'repeat', description: pressLabel('Send this update as well') },
          'form.change': { target: 'editing', actions: 'changeField' },
        },
      },
      answering: {
        meta: { description: 'Waiting for the provider’s webhook' },
        ...awaitingAnswer({
          ends: [
            { guard: 'isRefused', target: `#${id}.updating.refused`, actions: ['settle', 'failByOutcome'] },
            accepted,
          ],
          unanswered: `#${id}.updating.unanswered`,
        }),
        on: {}, // the transitions of the whole update apply
      },
      refused: {
        tags: ['failed'],
        meta: { description: 'The update was refused, or the server could not be reached' },
        entry: 'emitFactsChanged', // a record that it depends on may have been deleted
        on: {
          'form.change': { target: 'editing', actions: 'changeField' },
          'form.submit': { target: 'sending' },
          retry: { target: 'sending' },
        },
      },
      unanswered: {
        tags: ['failed', 'sent'],
        meta: { description: 'The status of the message could not be read' },
        on: { retry: { target: 'answering', actions: 'clearFailure' } },
      },
    },
  }) as const;
