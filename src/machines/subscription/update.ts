import type { Rule } from '#contract/lookup.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { subscriptionForm } from '#rules/field.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { valuesIn } from '#rules/prefill.ts';
import { answering, type Sent } from '../answer.ts';
import { openForm, type FormState } from '../form.ts';

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

/** The part of a context that an update is made from. */
type UpdateState = FormState & { chosen: { subscriptionId: string } | null; again: boolean };

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

const params = ({ event }: { event: { output: UpdateSent } }) => event.output;

/**
 * The states of an update: the form, the message, the provider's answer. The same update is not sent while it awaits its
 * answer, another one only if the user says so. The chart supplies the ports `sendUpdate`, `askOutcome` and `sendAgain`
 * and the action `settle` for what is decided, and says where an update leads that was `accepted` or left (`left`, with the actions of the chart).
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
          'form.submit': [{ guard: 'valid', target: 'sending' }, { actions: 'showErrors' }],
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
          onError: {
            target: 'refused',
            actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }) },
          },
        },
      },
      another: {
        meta: { description: 'Another update awaits its answer; this one was not sent' },
        on: {
          'answer.await': { target: 'answering' },
          'update.again': { target: 'sending', actions: 'repeat' },
          'form.change': { target: 'editing', actions: 'change' },
          'form.submit': { target: 'sending' },
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
