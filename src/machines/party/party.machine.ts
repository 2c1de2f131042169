import { assign, emit, setup } from 'xstate';
import type { JsonObject } from '#contract/json.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import { partyForm } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import { nested } from '#rules/payload.ts';
import { chosenMessage, heardListed, keptMessage, mayRepeat, mayRepeatListed } from '../lib/resend.ts';
import { resendStates, resendEvents, sendAgain, type PendingState, type SendAgainEvent } from '../lib/resend.ts';
import {
  awaitingAnswer,
  askOutcome,
  isAuthorising,
  isRefused,
  mayAuthorise,
  noAnswer,
  refusedProblem,
} from '../lib/messageOutcome.ts';
import type { AnswerState, AuthoriseEvent, Heard, OutcomeEvent, Sent } from '../lib/messageOutcome.ts';
import {
  changeField,
  emptyForm,
  fillForm,
  formEvents,
  formStates,
  ignored,
  formErrors,
  mayFill,
  openForm,
  isValid,
  type FillEvent,
  type FormEvent,
  type FormState,
} from '../lib/form.ts';
import { blockedState, isBlocked, factsIn, cancelledState, succeededState, finalOutput } from '../lib/gate.ts';
import type {
  JourneyContext,
  JourneyEmitted,
  JourneyEvent,
  JourneyInput,
  JourneyOutput,
  Meta,
  Tag,
} from '../lib/gate.ts';
import { readTexts, toFailed, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { creditor, debtor } from './journeys.ts';

/** A put: the form's values as a body, for the subscription whose rules the form was built from. */
interface PartyPut {
  subscriptionId: string;
  body: JsonObject;
  /** Whether the user confirms sending it although the same values await their answer. */
  again: boolean;
}

/** The data that the page reads; `pending` are the puts that await their answer, latest first. */
export interface PartyMaterial {
  rules: Rule[];
  pending: Message[];
}

interface Context extends JourneyContext, FormState, AnswerState, PendingState {
  /** The subscription for which the material was read, even if another one is current by now. */
  subscriptionId: string;
  rules: Rule[];
  again: boolean;
  authorising: boolean;
}

type PartyEvent =
  | JourneyEvent
  | FormEvent
  | FillEvent
  | AuthoriseEvent
  | SendAgainEvent
  | OutcomeEvent
  | { type: 'party.another' | 'party.again' | 'answer.await' };

/** Transitions of a message that was sent, also while its status cannot be read. */
const whileWaiting = {
  'party.another': { target: 'form', actions: ['open', 'clearFailure'], description: pressLabel('Create another') },
  'authorise.open': { guard: 'mayAuthorise', actions: 'openAuthorise', description: pressLabel('Authorise') },
  'authorise.close': {
    guard: 'isAuthorising',
    actions: 'closeAuthorise',
    description: pressLabel('Close the authorise page'),
  },
  'form.cancel': { target: 'cancelled', description: pressLabel('Stop waiting') },
} as const;

const sent = ({ event }: { event: { output: Sent } }) => event.output;

/**
 * Creates a debtor or a creditor: a form from the provider's rules, a message to the provider, and its answer
 * (behaviour, sections 4 to 6). When the page is opened again, a put that awaits its answer is resumed; it is sent a
 * second time only if the user asks for it. Effects: `loadRules` (the rules of the subscription's provider, and the
 * pending puts), `putParty`, `askOutcome`, `sendAgain`.
 */
function partyChart({ id, requires }: typeof debtor | typeof creditor, apiPath: 'DebtorAccounts' | 'Creditors') {
  return setup({
    types: {
      context: {} as Context,
      input: {} as JourneyInput,
      output: {} as JourneyOutput<{ messageId: string }>,
      emitted: {} as JourneyEmitted,
      events: {} as PartyEvent,
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadRules: effect<JourneyInput, PartyMaterial>('reads', readTexts('Rules and pending messages')),
      putParty: effect<PartyPut, Sent>('writes', actionTexts('The message is forwarded')),
      askOutcome,
      sendAgain,
    },
    guards: {
      isBlocked: isBlocked(requires),
      isValid,
      mayFill,
      hasPending: describedGuard(
        'a message is pending',
        ({ context }: { context: Context }) => context.pending.length > 0,
      ),
      wasPending: describedGuard('the same message is pending', (_: object, { pending }: Sent) => pending),
      isRefused,
      mayRepeat,
      mayRepeatListed,
      mayAuthorise,
      isAuthorising,
    },
    actions: {
      assignFacts: assign(({ event }) => factsIn(event)),
      emitFactsChanged: emit({ type: 'facts.changed' }),
      begin: assign(({ context }) => ({ failure: null, subscriptionId: context.facts.settings.subscriptionId })),
      open: assign(({ context }) => ({ ...openForm(partyForm(context.rules, apiPath)), ...noAnswer, again: false })),
      resume: assign(({ context: { rules, pending } }) => {
        const opened = partyForm(rules, apiPath);
        const [latest = null] = pending;
        const messageId = latest?.messageId ?? '';
        return { ...openForm(opened, valuesIn(opened, latest?.data ?? {})), ...noAnswer, messageId, outcome: latest };
      }),
      changeField: assign(({ context, event }) =>
        event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
      ),
      fillForm: assign(({ context }) => ({ ...fillForm(context), again: false })),
      repeat: assign({ again: true }),
      follow: assign((_, { messageId }: Sent) => ({ messageId })),
      chooseMessage: assign(chosenMessage),
      assignMessage: assign((args, message: Message) => keptMessage(args, message)),
      hear: assign((args, news: Heard) => heardListed(args, news)),
      openAuthorise: assign({ authorising: true }),
      closeAuthorise: assign({ authorising: false }),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null, outcome: null, overdue: false, authorising: false }),
      clearFailure: assign({ failure: null }),
      assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusedProblem(context.outcome) })),
    },
  }).createMachine({
    id,
    context: ({ input }) => ({
      facts: input.facts,
      failure: null,
      ...emptyForm,
      ...noAnswer,
      subscriptionId: '',
      rules: [],
      pending: [],
      repeated: '',
      again: false,
      authorising: false,
    }),
    initial: 'checking',
    on: { 'facts.arrived': { actions: 'assignFacts' } },
    output: finalOutput,
    states: {
      checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
      blocked: blockedState(requires),
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads the rules of the provider and the pending messages' },
        entry: 'begin',
        invoke: {
          id: 'loadRules',
          src: 'loadRules',
          input: ({ context: { facts } }) => ({ facts }),
          onDone: { target: 'resuming', actions: assign(({ event }) => event.output) },
          onError: toFailed('unavailable'),
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The rules could not be read' },
        on: { retry: { target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
      },
      resuming: {
        always: [
          { guard: 'hasPending', target: 'answering', actions: 'resume' },
          { target: 'form', actions: 'open' },
        ],
      },
      form: {
        tags: ['form'],
        meta: { description: 'The form is filled in and sent' },
        initial: 'editing',
        on: { ...formEvents(`Create ${id}`), ...resendEvents },
        states: {
          ...formStates,
          // A record that it depends on may have been deleted.
          refused: { ...formStates.refused, entry: 'emitFactsChanged' },
          submitting: {
            tags: ['busy'],
            meta: { description: 'The message is being sent' },
            entry: 'clearErrors',
            on: { ...ignored, 'message.sendAgain': {} },
            invoke: {
              id: 'putParty',
              src: 'putParty',
              input: ({ context: { subscriptionId, again, ...filled } }) => ({
                subscriptionId,
                body: nested(filled.form, filled.values),
                again,
              }),
              onDone: [
                {
                  guard: { type: 'wasPending', params: sent },
                  target: `#${id}.pending`,
                  actions: { type: 'follow', params: sent },
                },
                { target: `#${id}.answering`, actions: { type: 'follow', params: sent } },
              ],
              onError: toFailed('refused'),
            },
          },
        },
      },
      ...resendStates('form', 'form', {
        'form.change': { target: 'form', actions: 'changeField' },
        'form.submit': [
          { guard: 'isValid', target: 'form.submitting' },
          { target: 'form.invalid', actions: 'showErrors' },
        ],
        'form.cancel': { target: 'cancelled' },
      }),
      pending: {
        tags: ['form'],
        meta: { description: 'The same values are already pending; they were not sent again' },
        on: {
          'answer.await': { target: 'answering', description: pressLabel('Wait for the webhook') },
          'party.again': { target: 'form.submitting', actions: 'repeat', description: pressLabel('Create a second') },
          'form.change': { target: 'form', actions: 'changeField' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      answering: {
        tags: ['form', 'busy', 'told'],
        meta: { description: 'Waiting for the provider’s webhook' },
        ...awaitingAnswer(
          {
            ends: [
              { guard: 'isRefused', target: `#${id}.form.refused`, actions: 'failByOutcome' },
              { target: `#${id}.succeeded` },
            ],
            unanswered: `#${id}.unanswered`,
          },
          whileWaiting,
        ),
      },
      unanswered: {
        tags: ['form', 'failed', 'sent'],
        meta: { description: 'The status of the message could not be read; its authorise page stays open' },
        on: { ...whileWaiting, retry: { target: 'answering', actions: 'clearFailure' } },
      },
      succeeded: {
        ...succeededState('The provider has accepted'),
        output: ({ context }) => ({ type: 'succeeded', result: { messageId: context.messageId } }),
      },
      cancelled: cancelledState,
    },
  });
}

export const debtorMachine = partyChart(debtor, 'DebtorAccounts');

export const creditorMachine = partyChart(creditor, 'Creditors');
