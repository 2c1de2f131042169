import { assign, sendTo, setup } from 'xstate';
import { nested } from '#rules/payload.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import {
  fillText,
  formActions,
  formContext,
  formGuards,
  formStates,
  formTypes,
  openForm,
  refusedText,
  type FormContext,
} from '../lib/form.ts';
import {
  blockedState,
  cancelledState,
  checkingState,
  finalOutput,
  storesFacts,
  succeededState,
  isBlocked,
  type JourneyInput,
} from '../lib/gate.ts';
import { failsTo, mirrored, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { type Outcome, authoriseLinkOf, type AnswerState, type AuthoriseEvent } from '../lib/messageOutcome.ts';
import {
  ended,
  follows,
  heldTo,
  passesOn,
  passesOnResending,
  refusedTo,
  resends,
  unsentTo,
  messageActions,
  messageGuards,
} from '../lib/messaging.ts';
import { creditor, debtor } from './journeys.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import { partyForm } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import { effect, readTexts } from '../lib/effect.ts';
import { messageApproval, messageMachine, type MessageOutput } from '../lib/message.machine.ts';
import { knownOf, mayRepeatListed, pendingWith, type PendingState, type SendAgainEvent } from '../lib/resend.ts';
import type { Invoking } from '../lib/state.ts';

/** The data that the page reads; `pending` are the puts that await their answer, latest first. */
export interface PartyMaterial {
  rules: Rule[];
  pending: Message[];
}

export interface Context extends FormContext, Invoking, PendingState {
  /** The subscription for which the material was read, even if another one is current by now. */
  subscriptionId: string;
  rules: Rule[];
  again: boolean;
  /** The message that is followed; '' if one is to be sent. */
  messageId: string;
  /** What is known of that message. */
  outcome: Outcome | null;
  result: { messageId: string } | null;
}

type PartyEvent = AuthoriseEvent | SendAgainEvent | { type: 'party.another' | 'party.again' | 'answer.await' };

interface Args {
  context: Context;
}

/** Guard: there is a link for authorising the message. */
export const mayAuthorise = describedGuard(
  'the message requires authorisation',
  ({ context }: { context: Pick<Context, 'outcome'> }) => authoriseLinkOf(context.outcome) !== '',
);

/** Where the rules of a debtor or a creditor apply. */
type PartyPath = 'DebtorAccounts' | 'Creditors';

/**
 * The types, effects, guards and actions of the form of a debtor or a creditor. Effect: `loadRules` (the rules of the
 * subscription's provider, and the pending puts).
 */
const partySetup = ({ requires }: typeof debtor | typeof creditor, apiPath: PartyPath) =>
  setup({
    types: formTypes<{ context: Context; events: PartyEvent; result: { messageId: string } }>(),
    actors: {
      loadRules: effect<JourneyInput, PartyMaterial>('reads', readTexts('Rules and pending messages')),
      message: messageMachine,
      approval: messageApproval,
    },
    guards: {
      isBlocked: isBlocked(requires),
      hasPending: describedGuard('a message is pending', ({ context }: Args) => context.pending.length > 0),
      existsAlready: describedGuard(
        'one with the same name and account exists',
        (_: object, { failure }: MessageOutput) => failure?.code === 'exists-already',
      ),
      mayRepeatListed,
      mayAuthorise,
    },
    actions: {
      passOn: sendTo('message', ({ event }) => event),
      passOnToApproval: sendTo('approval', ({ event }) => event),
      beginSubscription: assign(({ context }) => ({
        failure: null,
        subscriptionId: context.facts.settings.subscriptionId,
      })),
      openForm: assign(({ context: { rules } }) => openForm(partyForm(rules, apiPath))),
      /** With the values of the put that awaits its answer. */
      openPending: assign(({ context: { rules, pending } }) => {
        const form = partyForm(rules, apiPath);
        return openForm(form, valuesIn(form, pending[0]?.data ?? {}));
      }),
      followPending: assign(({ context: { pending } }) => ({
        messageId: pending[0]?.messageId ?? '',
        outcome: pending[0] ?? null,
      })),
      confirmAgain: assign({ again: true }),
      clearAgain: assign({ again: false }),
      forgetMessage: assign({ messageId: '', outcome: null }),
      followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        messageId: message.messageId,
        outcome: knownOf(context, message),
        pending: pendingWith(context, message),
      })),
      followApproval: assign(({ context }, outcome: Outcome) => ({
        outcome,
        pending: pendingWith(context, { messageId: context.messageId, outcome }),
      })),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      updatePending: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        pending: pendingWith(context, message),
      })),
      assignResult: assign((_, { messageId }: AnswerState) => ({ result: { messageId } })),
    },
  })
    .extend({ guards: messageGuards, actions: messageActions })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ guards: formGuards, actions: formActions });

/**
 * Creates a debtor or a creditor: a form from the provider's rules, and a message to the provider (behaviour, sections 4
 * to 6). When the page is opened again, a put that awaits its answer is resumed; it is sent a second time only if the
 * user asks for it.
 */
function partyChart(journey: typeof debtor | typeof creditor, apiPath: PartyPath) {
  const { id, requires } = journey;
  return partySetup(journey, apiPath).createMachine({
    id,
    context: ({ input }) => ({
      ...formContext(input),
      invoked: null,
      messageId: '',
      subscriptionId: '',
      rules: [],
      pending: [],
      repeated: '',
      again: false,
      outcome: null,
      result: null,
    }),
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('loading'),
      blocked: blockedState(requires),
      loading: {
        tags: ['busy'],
        description: 'Reads the rules of the provider and the pending messages',
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
        description: 'The rules could not be read',
        on: { retry: { guard: 'canHelp', target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
      },
      resuming: {
        always: [
          { guard: 'hasPending', target: 'messaging', actions: ['openPending', 'followPending'] },
          { target: 'form', actions: ['openForm', 'restoreDraft'] },
        ],
      },
      form: {
        tags: ['form'],
        description: 'The form is filled in and sent',
        initial: 'editing',
        exit: 'forgetMessage',
        on: {
          'form.change': { actions: ['changeField', 'keepField', 'clearAgain'] },
          'form.fill': { guard: 'mayFill', actions: ['fillForm', 'keepExamples', 'clearAgain'], description: fillText },
          'form.submit': [
            { guard: 'isValid', target: 'messaging', description: pressLabel(`Create ${id}`) },
            { target: '.invalid', actions: 'showErrors' },
          ],
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
          'message.sendAgain': {
            guard: 'mayRepeatListed',
            target: 'resending',
            actions: 'chooseMessage',
            description: pressLabel('Send again'),
          },
        },
        states: {
          editing: formStates.editing,
          invalid: formStates.invalid,
          refused: {
            tags: ['failed'],
            description: refusedText,
            entry: 'emitFactsChanged', // a record that it depends on may have been deleted
            on: {
              'form.change': { target: 'editing', actions: ['changeField', 'keepField', 'clearAgain'] },
              'form.fill': {
                guard: 'mayFill',
                target: 'editing',
                actions: ['fillForm', 'keepExamples', 'clearAgain'],
                description: fillText,
              },
              retry: { guard: 'canHelp', target: `#${id}.messaging` },
            },
          },
        },
      },
      messaging: {
        tags: ['form'],
        description: 'Sends the message and waits for the provider’s webhook',
        entry: 'clearFailure',
        exit: 'forgetInvoked',
        on: {
          'message.sendAgain': passesOnResending,
          retry: passesOn,
          'party.another': {
            guard: 'isForwarded',
            target: 'form',
            actions: ['openForm', 'restoreDraft', 'forgetMessage', 'clearAgain', 'clearFailure'],
            description: pressLabel('Create another'),
          },
          'authorise.open': { guard: 'mayAuthorise', target: 'approving', description: pressLabel('Authorise') },
          'form.cancel': { guard: 'isForwarded', target: 'cancelled', description: pressLabel('Stop waiting') },
        },
        invoke: {
          id: 'message',
          src: 'message',
          input: ({ context: { messageId, outcome, subscriptionId, form, values, again } }) => ({
            request:
              messageId === ''
                ? { request: 'put', party: id, subscriptionId, body: nested(form, values), again }
                : null,
            messageId,
            outcome,
          }),
          onSnapshot: { actions: [mirrored, follows] },
          onDone: [
            {
              guard: { type: 'existsAlready', params: ended },
              target: 'existing',
              actions: { type: 'assignUnsent', params: ended },
            },
            unsentTo('form.refused'),
            heldTo('pending'),
            refusedTo('form.refused'),
            { target: 'succeeded', actions: { type: 'assignResult', params: ended } },
          ],
        },
      },
      approving: {
        tags: ['form', 'sent'],
        description: 'The provider’s page is open, on which the message is approved',
        exit: 'forgetInvoked',
        on: {
          retry: { guard: 'isTaken', actions: 'passOnToApproval' },
          'authorise.close': { target: 'messaging', description: pressLabel('Close approval page') },
          'party.another': {
            target: 'form',
            actions: ['openForm', 'restoreDraft', 'forgetMessage', 'clearAgain', 'clearFailure'],
          },
          'form.cancel': { target: 'cancelled' },
        },
        invoke: {
          id: 'approval',
          src: 'approval',
          // Entered only with a link, which its outcome has.
          input: ({ context: { messageId, outcome } }) => ({ asked: { messageId }, known: outcome as Outcome }),
          onSnapshot: {
            actions: [mirrored, { type: 'followApproval', params: ({ event }) => event.snapshot.context.known }],
          },
          onDone: { target: 'messaging', actions: { type: 'followApproval', params: ({ event }) => event.output } },
        },
      },
      pending: {
        tags: ['form'],
        description: 'The same values are already pending; they were not sent again',
        on: {
          'answer.await': { target: 'messaging', description: pressLabel('Wait for the webhook') },
          'party.again': {
            target: 'messaging',
            actions: ['confirmAgain', 'forgetMessage'],
            description: pressLabel('Create a second'),
          },
          'form.change': { target: 'form', actions: ['changeField', 'keepField', 'clearAgain'] },
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
        },
      },
      existing: {
        tags: ['form'],
        description: `A ${id} with the same name and account exists; nothing was sent`,
        entry: 'emitFactsChanged', // another tab may have created it
        on: {
          'party.again': {
            target: 'messaging',
            actions: ['confirmAgain', 'forgetMessage'],
            description: pressLabel('Create a second'),
          },
          'form.change': { target: 'form', actions: ['changeField', 'keepField', 'clearAgain', 'clearFailure'] },
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
        },
      },
      resending: {
        tags: ['form', 'busy'],
        description: 'Resends a message whose response was lost, with the same key',
        entry: 'clearFailure',
        exit: 'forgetInvoked',
        invoke: {
          id: 'message',
          src: 'message',
          input: resends,
          onSnapshot: { actions: mirrored },
          onDone: [
            unsentTo('unresent'),
            // The provider may have decided meanwhile.
            { target: 'form', actions: [{ type: 'updatePending', params: ended }, 'emitFactsChanged'] },
          ],
        },
      },
      unresent: {
        tags: ['form', 'failed'],
        description: 'The message could not be sent again',
        on: {
          'form.change': { target: 'form', actions: ['changeField', 'keepField', 'clearAgain'] },
          'form.submit': [
            { guard: 'isValid', target: 'messaging' },
            { target: 'form.invalid', actions: 'showErrors' },
          ],
          'form.cancel': { target: 'cancelled' },
          'message.sendAgain': { guard: 'mayRepeatListed', target: 'resending', actions: 'chooseMessage' },
          retry: { guard: 'canHelp', target: 'resending' },
        },
      },
      succeeded: succeededState('The provider has accepted'),
      cancelled: cancelledState,
    },
  });
}

export const debtorMachine = partyChart(debtor, 'DebtorAccounts');

export const creditorMachine = partyChart(creditor, 'Creditors');
