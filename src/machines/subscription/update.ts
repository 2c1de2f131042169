import type { Rule } from '#contract/lookup.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { subscriptionForm } from '#rules/field.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { valuesIn } from '#rules/prefill.ts';
import { answering, heard, noAnswer, type AnswerState, type Heard, type Sent } from '../answer.ts';
import { openForm, type FormState } from '../form.ts';
import { failing } from '../port.ts';
import { press, when } from '../say.ts';
import type { RowsState, SubscriptionRow } from './rows.ts';

/** An update of a subscription's properties (behaviour, section 7). */
export interface Update {
  subscriptionId: string;
  properties: JsonObject;
  /** Deliberately, while another update of the subscription awaits its answer. */
  again: boolean;
}

/** What came of sending an update: one that awaits its answer already may be the same, or another one. */
export interface UpdateSent extends Sent {
  another: boolean;
}

/** The part of the list's context that an update needs. */
export interface UpdateState extends RowsState, FormState, AnswerState {
  /** It is sent while another one awaits its answer. */
  again: boolean;
  /** It was sent before, and not again: it is that one's answer which is awaited. */
  already: boolean;
}

/**
 * The provider's properties of a subscription, with the values of `data`: a JSON string, as the
 * service's additionalData is, or what it says.
 */
export function updateForm(rules: readonly Rule[], data: Json | undefined): FormState {
  const form = subscriptionForm(rules);
  return openForm(form, valuesIn(form, typeof data === 'string' ? objectIn(data) : (data ?? {})));
}

function objectIn(data: string): Json {
  try {
    return parseJson(data) as Json; // what a parser of JSON gives
  } catch {
    return {};
  }
}

/** The row whose update awaits its answer, null if none does. */
export const pendingRow = ({ rows }: RowsState): SubscriptionRow | null =>
  rows.find(({ pending }) => pending !== null) ?? null;

/** The form of the chosen row as it opens. */
export const opened = ({ chosen }: RowsState): FormState & { again: boolean } => ({
  again: false,
  ...updateForm(chosen?.rules ?? [], chosen?.additionalData ?? ''),
});

/** The row's update whose answer is awaited anew, with the form that it was sent by. */
export function resumed(row: SubscriptionRow | null): Partial<UpdateState> {
  const { messageId = '', data } = row?.pending ?? {};
  const form = updateForm(row?.rules ?? [], data?.['properties'] ?? row?.additionalData ?? '');
  return { chosen: row, act: 'update', ...noAnswer, messageId, outcome: row?.pending ?? null, already: false, ...form };
}

/** The rows with what is heard of the message that is followed. */
export function hearing(context: UpdateState, news: Heard): Partial<UpdateState> {
  const kept = heard(context, news);
  const { outcome } = kept;
  const told = (row: SubscriptionRow): SubscriptionRow =>
    outcome && row.pending?.messageId === context.messageId ? { ...row, pending: { ...row.pending, ...outcome } } : row;
  return { ...kept, rows: context.rows.map(told) };
}

/** The rows once the provider has decided: that update is not awaited any more. */
export function settled({ rows, chosen, messageId }: UpdateState): Pick<UpdateState, 'rows' | 'chosen'> {
  const without = (row: SubscriptionRow) => (row.pending?.messageId === messageId ? { ...row, pending: null } : row);
  return { rows: rows.map(without), chosen: chosen && without(chosen) };
}

/** Guards of an update. */
export const updateGuards = {
  hasPending: when(
    'one awaits its answer',
    ({ context }: { context: RowsState }): boolean => pendingRow(context) !== null,
  ),
  isAnother: when('it is another update', (_: unknown, { another }: UpdateSent): boolean => another),
};

const params = ({ event }: { event: { output: UpdateSent } }) => event.output;

/**
 * The states of an update: the form, the message, the provider's answer. The same update is not sent while it awaits its
 * answer, another one only if the user says so. The chart supplies the ports `sendUpdate`, `askOutcome` and `sendAgain`
 * and the actions, `settle` for what is decided and `tell` among them, and says where an update leads that was `accepted` or left (`left`, with
 * the actions of the chart).
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
          'form.change': { actions: 'change' },
          'form.submit': [
            { guard: 'valid', target: 'sending', description: press('Send update') },
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
            properties: parseJson(additionalData(context.form, context.values)) as JsonObject, // made as one
            again: context.again,
          }),
          onDone: [
            { guard: { type: 'isAnother', params }, target: 'another', actions: { type: 'keepMessage', params } },
            { target: 'answering', actions: { type: 'keepMessage', params } },
          ],
          onError: failing('refused'),
        },
      },
      another: {
        meta: { description: 'Another update awaits its answer; this one was not sent' },
        on: {
          'answer.await': { target: 'answering', description: press('Wait for that answer') },
          'update.again': { target: 'sending', actions: 'repeat', description: press('Send this update as well') },
          'form.change': { target: 'editing', actions: 'change' },
        },
      },
      answering: {
        meta: { description: "The update was forwarded; the provider's answer is awaited" },
        ...answering({
          ends: [
            { guard: 'isRefused', target: `#${id}.updating.refused`, actions: ['settle', 'failByOutcome'] },
            accepted,
          ],
          unanswered: `#${id}.updating.unanswered`,
        }),
        on: {}, // left as all of the update is
      },
      refused: {
        tags: ['failed'],
        meta: { description: 'The update was refused, or nobody could be reached' },
        entry: 'tell', // what it rests on may be gone
        on: {
          'form.change': { target: 'editing', actions: 'change' },
          'form.submit': { target: 'sending' },
          retry: { target: 'sending' },
        },
      },
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Whether the provider has answered could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' } },
      },
    },
  }) as const;
