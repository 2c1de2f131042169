import { assign, sendTo, setup } from 'xstate';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import { partyForm } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import { nested } from '#rules/payload.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { effect, readTexts } from '../lib/effect.ts';
import {
  changeField,
  emptyForm,
  fillForm,
  formErrors,
  formEvents,
  formStates,
  isValid,
  mayFill,
  openForm,
  type FillEvent,
  type FormEvent,
  type FormState,
} from '../lib/form.ts';
import { blockedState, cancelledState, finalOutput, isBlocked, storesFacts, succeededState } from '../lib/gate.ts';
import type {
  JourneyContext,
  JourneyEmitted,
  JourneyEvent,
  JourneyInput,
  JourneyOutput,
  Meta,
  Tag,
} from '../lib/gate.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import { messageMachine } from '../lib/message.machine.ts';
import { authoriseLinkOf, type AnswerState, type AuthoriseEvent } from '../lib/messageOutcome.ts';
import { ended, follows, messageActions, messageGuards, messageIn, mirrored, passedOn } from '../lib/messaging.ts';
import { mayRepeatListed, pendingWith, type PendingState, type SendAgainEvent } from '../lib/resend.ts';
import type { Invoking } from '../lib/state.ts';
import { creditor, debtor } from './journeys.ts';

/** The data that the page reads; `pending` are the puts that await their answer, latest first. */
export interface PartyMaterial {
  rules: Rule[];
  pending: Message[];
}

interface Context extends JourneyContext, FormState, Invoking, PendingState {
  /** The subscription for which the material was read, even if another one is current by now. */
  subscriptionId: string;
  rules: Rule[];
  again: boolean;
  /** The message that is followed; '' if one is to be sent. */
  messageId: string;
  authorising: boolean;
  result: { messageId: string } | null;
}

type PartyEvent =
  | JourneyEvent
  | FormEvent
  | FillEvent
  | AuthoriseEvent
  | SendAgainEvent
  | { type: 'party.another' | 'party.again' | 'answer.await' };

interface Args {
  context: Context;
}

/** Guards: there is a link for authorising the message, and its page is not open (`mayAuthorise`) or open (`isAuthorising`). */
export const mayAuthorise = describedGuard(
  'the message requires authorisation',
  ({ context }: { context: Invoking & { authorising: boolean } }) =>
    authoriseLinkOf(messageIn(context).outcome) !== '' && !context.authorising,
);
export const isAuthorising = describedGuard(
  'its page is open',
  ({ context }: { context: Invoking & { authorising: boolean } }) =>
    authoriseLinkOf(messageIn(context).outcome) !== '' && context.authorising,
);

/**
 * Creates a debtor or a creditor: a form from the provider's rules, and a message to the provider (behaviour, sections 4
 * to 6). When the page is opened again, a put that awaits its answer is resumed; it is sent a second time only if the
 * user asks for it. Effect: `loadRules` (the rules of the subscription's provider, and the pending puts).
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
      message: messageMachine,
    },
    guards: {
      isBlocked: isBlocked(requires),
      isValid,
      mayFill,
      hasPending: describedGuard('a message is pending', ({ context }: Args) => context.pending.length > 0),
      mayRepeatListed,
      mayAuthorise,
      isAuthorising,
    },
    actions: {
      passOn: sendTo('message', ({ event }) => event),
      beginSubscription: assign(({ context }) => ({
        failure: null,
        subscriptionId: context.facts.settings.subscriptionId,
      })),
      openForm: assign(({ context }) => ({
        ...openForm(partyForm(context.rules, apiPath)),
        messageId: '',
        again: false,
      })),
      resumePending: assign(({ context: { rules, pending } }) => {
        const form = partyForm(rules, apiPath);
        const [latest] = pending;
        return { ...openForm(form, valuesIn(form, latest?.data ?? {})), messageId: latest?.messageId ?? '' };
      }),
      changeField: assign(({ context, event }) =>
        event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
      ),
      fillForm: assign(({ context }) => ({ ...fillForm(context), again: false })),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      confirmAgain: assign({ again: true }),
      beginMessage: assign({ errors: [], failure: null, authorising: false }),
      forgetMessage: assign({ messageId: '' }),
      followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        messageId: message.messageId,
        ...pendingWith(context, message),
      })),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      updatePending: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) =>
        pendingWith(context, message),
      ),
      openAuthorise: assign({ authorising: true }),
      closeAuthorise: assign({ authorising: false }),
      assignResult: assign((_, { messageId }: AnswerState) => ({ result: { messageId } })),
    },
  })
    .extend({ guards: messageGuards, actions: { ...journeyActions, ...messageActions } })
    .createMachine({
      id,
      context: ({ input }) => ({
        facts: input.facts,
        failure: null,
        ...emptyForm,
        invoked: null,
        messageId: '',
        subscriptionId: '',
        rules: [],
        pending: [],
        repeated: '',
        again: false,
        authorising: false,
        result: null,
      }),
      initial: 'checking',
      on: { 'facts.arrived': storesFacts },
      output: finalOutput,
      states: {
        checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
        blocked: blockedState(requires),
        loading: {
          tags: ['busy'],
          meta: { description: 'Reads the rules of the provider and the pending messages' },
          entry: 'beginSubscription',
          invoke: {
            id: 'loadRules',
            src: 'loadRules',
            input: ({ context: { facts } }) => ({ facts }),
            onDone: { target: 'resuming', actions: assign(({ event }) => event.output) },
            onError: failsTo('unavailable'),
          },
        },
        unavailable: {
          tags: ['failed'],
          meta: { description: 'The rules could not be read' },
          on: { retry: { target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
        },
        resuming: {
          always: [
            { guard: 'hasPending', target: 'messaging', actions: 'resumePending' },
            { target: 'form', actions: 'openForm' },
          ],
        },
        form: {
          tags: ['form'],
          meta: { description: 'The form is filled in and sent' },
          initial: 'editing',
          exit: 'forgetMessage',
          on: {
            ...formEvents(`Create ${id}`, 'messaging'),
            'message.sendAgain': {
              guard: 'mayRepeatListed',
              target: 'resending',
              actions: 'chooseMessage',
              description: pressLabel('Send again'),
            },
          },
          states: {
            ...formStates,
            refused: {
              ...formStates.refused,
              entry: 'emitFactsChanged', // a record that it depends on may have been deleted
              on: { ...formStates.refused.on, retry: { target: `#${id}.messaging` } },
            },
          },
        },
        messaging: {
          tags: ['form'],
          meta: { description: 'Sends the message and waits for the provider’s webhook' },
          entry: 'beginMessage',
          exit: 'forgetInvoked',
          on: {
            ...passedOn,
            'party.another': {
              guard: 'isForwarded',
              target: 'form',
              actions: ['openForm', 'clearFailure'],
              description: pressLabel('Create another'),
            },
            'authorise.open': { guard: 'mayAuthorise', actions: 'openAuthorise', description: pressLabel('Authorise') },
            'authorise.close': {
              guard: 'isAuthorising',
              actions: 'closeAuthorise',
              description: pressLabel('Close the authorise page'),
            },
            'form.cancel': { guard: 'isForwarded', target: 'cancelled', description: pressLabel('Stop waiting') },
          },
          invoke: {
            id: 'message',
            src: 'message',
            input: ({ context: { messageId, pending, subscriptionId, form, values, again } }) => ({
              request:
                messageId === ''
                  ? { request: 'put', party: id, subscriptionId, body: nested(form, values), again }
                  : null,
              messageId,
              outcome: pending.find((each) => each.messageId === messageId) ?? null,
            }),
            onSnapshot: { actions: [mirrored, follows] },
            onDone: [
              {
                guard: { type: 'isUnsent', params: ended },
                target: 'form.refused',
                actions: { type: 'assignUnsent', params: ended },
              },
              {
                guard: { type: 'isHeld', params: ended },
                target: 'pending',
                actions: { type: 'followMessage', params: ended },
              },
              {
                guard: { type: 'isRefused', params: ended },
                target: 'form.refused',
                actions: [
                  { type: 'followMessage', params: ended },
                  { type: 'assignRefusal', params: ended },
                ],
              },
              { target: 'succeeded', actions: { type: 'assignResult', params: ended } },
            ],
          },
        },
        pending: {
          tags: ['form'],
          meta: { description: 'The same values are already pending; they were not sent again' },
          on: {
            'answer.await': { target: 'messaging', description: pressLabel('Wait for the webhook') },
            'party.again': {
              target: 'messaging',
              actions: ['confirmAgain', 'forgetMessage'],
              description: pressLabel('Create a second'),
            },
            'form.change': { target: 'form', actions: 'changeField' },
            'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
          },
        },
        resending: {
          tags: ['form', 'busy'],
          meta: { description: 'Resends a message whose response was lost, with the same key' },
          entry: 'clearFailure',
          exit: 'forgetInvoked',
          invoke: {
            id: 'message',
            src: 'message',
            input: ({ context }) => ({ request: null, messageId: context.repeated, resends: true }),
            onSnapshot: { actions: mirrored },
            onDone: [
              {
                guard: { type: 'isUnsent', params: ended },
                target: 'unresent',
                actions: { type: 'assignUnsent', params: ended },
              },
              // The provider may have decided meanwhile.
              { target: 'form', actions: [{ type: 'updatePending', params: ended }, 'emitFactsChanged'] },
            ],
          },
        },
        unresent: {
          tags: ['form', 'failed'],
          meta: { description: 'The message could not be sent again' },
          on: {
            'form.change': { target: 'form', actions: 'changeField' },
            'form.submit': [
              { guard: 'isValid', target: 'messaging' },
              { target: 'form.invalid', actions: 'showErrors' },
            ],
            'form.cancel': { target: 'cancelled' },
            'message.sendAgain': { guard: 'mayRepeatListed', target: 'resending', actions: 'chooseMessage' },
            retry: { target: 'resending' },
          },
        },
        succeeded: succeededState('The provider has accepted'),
        cancelled: cancelledState,
      },
    });
}

export const debtorMachine = partyChart(debtor, 'DebtorAccounts');

export const creditorMachine = partyChart(creditor, 'Creditors');
