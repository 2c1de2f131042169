import { assign, log, sendTo, setup } from 'xstate';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { doubleClickPasses, doubleClick } from '../lib/doubleClick.ts';
import { emptyForm, formActions, isValid, type FormEvent } from '../lib/form.ts';
import {
  blockedState,
  cancelledState,
  checkingState,
  finalOutput,
  storesFacts,
  isBlocked,
  journeyTypes,
  type JourneyContext,
  type JourneyEvent,
} from '../lib/gate.ts';
import { failsTo, mirrored, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { authorisation } from './journeys.ts';
import { selecting, select } from './switching.ts';
import type { JsonObject } from '#contract/json.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import {
  ended,
  follows,
  heldTo,
  passesOn,
  passesOnResending,
  unsentTo,
  messageActions,
  messageGuards,
} from '../lib/messaging.ts';
import { languageOfCountry } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { own } from '#contract/member.ts';
import { actionTexts, effect, readOneTexts, readTexts } from '../lib/effect.ts';
import { messageMachine } from '../lib/message.machine.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import type { SendAgainEvent } from '../lib/resend.ts';
import {
  approvalOf,
  authoriseBlocked,
  differs,
  named,
  rowGuards,
  subscriptionApproval,
  withCurrent,
  withRow,
  type Act,
  type SubscriptionRow,
} from './rows.ts';
import { chosenForm, followed, pendingForm, pendingRow, settled, type UpdateState } from './update.ts';

interface Input {
  /** On the guided path, the approval page of the current subscription opens by itself. */
  guided?: boolean;
}

/**
 * What the list does by itself when it is opened, until the user acts on a row: `opens`: the approval page is opened;
 * `resumes`: the answer of a pending update is awaited.
 */
type Context = JourneyContext & UpdateState & { opens: boolean; resumes: boolean };
type Event =
  | JourneyEvent
  | { type: `subscription.${Act | 'follow'}`; id: string }
  | FormEvent
  | SendAgainEvent
  | { type: 'authorise.close' | 'answer.await' | 'update.again' };

interface Args {
  context: Context;
}

/** Input of an effect: the row that an event has chosen. */
const ofChosen = ({ context }: Args) => context.chosen as SubscriptionRow; // its states are entered only with one

/** The types, effects, guards and actions of the subscription list. */
const listSetup = setup({
  types: journeyTypes<{ context: Context; events: Event; input: Input }>(),
  actors: {
    loadRows: effect<void, SubscriptionRow[]>('reads', readTexts('The subscriptions')),
    readRow: effect<SubscriptionRow, SubscriptionRow>('reads', readOneTexts('The subscription')),
    approval: subscriptionApproval,
    message: messageMachine,
    select,
    suspend: effect<{ subscriptionId: string; suspendedByConsumer: boolean }, void>(
      'writes',
      actionTexts('The change is stored'),
    ),
  },
  delays: { doubleClick },
  guards: {
    isBlocked: isBlocked(authorisation.requires),
    opensCurrent: describedGuard(
      'on the guided path the current one is to be approved in a frame',
      ({ context }: Args) => {
        const approval = context.opens ? approvalOf(context) : null;
        return approval?.need === 'approve' && approval.row.framed && authoriseBlocked(approval.row) === '';
      },
    ),
    /** By another tab or a program: what has been done here stands in the rows already. */
    isOutdated: describedGuard(
      'the list was changed elsewhere',
      ({ context: { rows, facts: before } }: Pick<Args, 'context'>, { facts }: { facts: Facts }) =>
        differs(rows, before.settings, facts.settings),
    ),
    resumesPending: describedGuard(
      'an update is pending as the page is opened',
      ({ context }: Args) => context.resumes && pendingRow(context) !== null,
    ),
    isValid,
    hasNoLanguage: describedGuard(
      'its country has no language',
      (args: Args) => !own(languageOfCountry, ofChosen(args).country),
    ),
  },
  actions: {
    passOn: sendTo('message', ({ event }) => event),
    passOnToApproval: sendTo('approval', ({ event }) => event),
    chooseRow: assign(({ context, event }, { act }: { act: Act }) => ({
      chosen: named({ context, event }),
      act,
      opens: false,
      resumes: false,
    })),
    chooseCurrent: assign(({ context }) => ({
      chosen: approvalOf(context)?.row ?? null,
      act: 'authorise' as const,
      opens: false,
      resumes: false,
    })),
    leaveUndone: assign({ act: null, failure: null }),
    choosePending: assign(({ context, event }) => ({
      chosen: named({ context, event }) ?? pendingRow(context),
      act: 'update' as const,
      opens: false,
      resumes: false,
    })),
    openForm: assign(({ context }) => chosenForm(context)),
    openPending: assign(({ context }) => pendingForm(context)),
    followPending: assign(({ context: { chosen } }) => ({ messageId: chosen?.pending?.messageId ?? '' })),
    settleUpdate: assign(({ context }) => settled(context)),
    confirmAgain: assign({ again: true }),
    clearAgain: assign({ again: false }),
    forgetMessage: assign({ messageId: '' }),
    followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) =>
      followed(context, message),
    ),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    assignRow: assign(({ context }, row: SubscriptionRow) => withRow(context, row)),
    markCurrent: assign(({ context }) => withCurrent(context)),
  },
})
  .extend({ guards: messageGuards, actions: messageActions })
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({ guards: rowGuards })
  .extend({ actions: formActions });

/** The update of a subscription: a form of the provider's properties, sent by a message, whose answer is awaited. */
const updatingState = listSetup.createStateConfig({
  tags: ['list'],
  description: 'Changes the provider’s data of the subscription',
  initial: 'editing',
  on: {
    'form.cancel': { target: 'list', actions: 'leaveUndone', description: pressLabel('Cancel', 'Stop waiting') },
  },
  states: {
    editing: {
      description: 'The form is open',
      exit: 'forgetMessage',
      on: {
        'form.change': { actions: 'changeField' },
        'form.submit': [
          { guard: 'isValid', target: 'messaging', description: pressLabel('Send update') },
          { actions: 'showErrors' },
        ],
      },
    },
    messaging: {
      description: 'Sends the update and waits for the provider’s webhook',
      entry: 'clearFailure',
      exit: 'forgetInvoked',
      on: { 'message.sendAgain': passesOnResending, retry: passesOn },
      invoke: {
        id: 'message',
        src: 'message',
        input: ({ context: { messageId, chosen, form, values, again } }) => ({
          request:
            messageId === ''
              ? {
                  request: 'update',
                  subscriptionId: chosen?.subscriptionId ?? '',
                  properties: parseJson(additionalData(form, values)) as JsonObject, // always an object
                  again,
                }
              : null,
          messageId,
          outcome: chosen?.pending?.messageId === messageId ? chosen.pending : null,
        }),
        onSnapshot: { actions: [mirrored, follows] },
        onDone: [
          unsentTo('refused'),
          heldTo('another'),
          {
            guard: { type: 'isRefused', params: ended },
            target: 'refused',
            actions: ['settleUpdate', { type: 'assignRefusal', params: ended }],
          },
          { target: '#authorisation.acting', actions: 'settleUpdate' },
        ],
      },
    },
    another: {
      description: 'Another update is pending; this one was not sent',
      on: {
        'answer.await': { target: 'messaging', description: pressLabel('Wait for the webhook') },
        'update.again': {
          target: 'messaging',
          actions: ['confirmAgain', 'forgetMessage'],
          description: pressLabel('Send this update as well'),
        },
        'form.change': { target: 'editing', actions: ['changeField', 'clearAgain'] },
      },
    },
    refused: {
      tags: ['failed'],
      description: 'The update was refused, or the server could not be reached',
      entry: 'emitFactsChanged', // a record that it depends on may have been deleted
      exit: 'forgetMessage',
      on: {
        'form.change': { target: 'editing', actions: ['changeField', 'clearAgain'] },
        'form.submit': { target: 'messaging' },
        retry: { guard: 'canHelp', target: 'messaging' },
      },
    },
  },
});

/**
 * The subscription list (behaviour, section 4): select, authorise in a frame or a new tab, update, suspend. On the
 * guided path, the approval page of the current subscription opens by itself, once. An update is a form of the provider's
 * properties, sent by a message, whose answer is awaited again if the page was left before it arrived. Actions that may
 * have changed the current subscription emit `facts.changed`. Effects: `loadRows`, `readRow`, `select`, `suspend`.
 */
export const authorisationMachine = listSetup.createMachine({
  id: authorisation.id,
  context: ({ input: { facts, guided = false } }) => ({
    facts,
    opens: guided,
    resumes: true,
    failure: null,
    ...emptyForm,
    invoked: null,
    messageId: '',
    rows: [],
    chosen: null,
    act: null,
    again: false,
  }),
  initial: 'checking',
  on: { 'facts.arrived': storesFacts },
  output: finalOutput,
  states: {
    checking: checkingState('loading'),
    blocked: blockedState(authorisation.requires),
    loading: {
      tags: ['busy'],
      description: 'Reads the records and asks for each subscription',
      entry: 'clearFailure',
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        onDone: { target: 'resuming', actions: assign({ rows: ({ event }) => event.output }) },
        onError: failsTo('unavailable'),
      },
    },
    unavailable: {
      tags: ['failed'],
      description: 'The subscriptions could not be read',
      on: { retry: { guard: 'canHelp', target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    resuming: {
      always: [
        {
          guard: 'resumesPending',
          target: 'updating.messaging',
          actions: ['choosePending', 'openPending', 'followPending'],
        },
        { guard: 'opensCurrent', target: 'approving', actions: 'chooseCurrent' },
        { target: 'list' },
      ],
    },
    list: {
      tags: ['list'],
      description: 'The subscriptions are listed',
      initial: 'listing',
      on: {
        retry: {
          target: 'loading',
          actions: ['leaveUndone', 'emitFactsChanged'],
          description: pressLabel('Refresh', 'Try again'),
        },
        'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
        'subscription.select': {
          guard: 'exists',
          target: 'acting.selecting',
          actions: { type: 'chooseRow', params: { act: 'select' } },
          description: pressLabel('Select'),
        },
        'subscription.authorise': {
          guard: 'mayAuthorise',
          target: 'approving',
          actions: { type: 'chooseRow', params: { act: 'authorise' } },
          description: pressLabel('Authorise'),
        },
        'subscription.follow': {
          guard: 'isUpdating',
          target: 'updating.messaging',
          actions: ['choosePending', 'openPending', 'followPending'],
          description: pressLabel('Wait for the update'),
        },
        'subscription.update': {
          guard: 'mayUpdate',
          target: 'updating',
          actions: [
            { type: 'chooseRow', params: { act: 'update' } },
            'openForm',
            'forgetMessage',
            'clearAgain',
            'clearFailure',
          ],
          description: pressLabel('Update'),
        },
        'subscription.suspend': {
          guard: 'maySuspend',
          target: 'acting.suspending',
          actions: { type: 'chooseRow', params: { act: 'suspend' } },
          description: pressLabel('Suspend', 'Unsuspend'),
        },
      },
      states: {
        listing: {
          description: 'The subscriptions are listed',
          on: {
            'facts.arrived': [
              {
                guard: { type: 'isOutdated', params: ({ event }) => event },
                target: '#authorisation.loading',
                actions: [storesFacts.actions, 'leaveUndone'],
              },
              storesFacts,
            ],
          },
        },
        refused: {
          tags: ['failed'],
          description: 'The last action failed; the list is as it was',
          entry: 'emitFactsChanged', // part of it may have been executed
        },
        turned: {
          description: 'The row has just changed; for half a second no action is possible, in case of a double click',
          after: { doubleClick: { target: 'listing', description: doubleClickPasses } },
          on: {
            'subscription.select': {},
            'subscription.authorise': {},
            'subscription.follow': {},
            'subscription.update': {},
            'subscription.suspend': {},
          },
        },
      },
    },
    acting: {
      tags: ['list', 'busy'],
      description: 'An action on one row is under way',
      entry: 'clearFailure',
      initial: 'refreshing',
      states: {
        selecting: {
          description: 'Makes the subscription the current one, with its country and language',
          invoke: {
            id: 'select',
            src: 'select',
            input: (args) => selecting(ofChosen(args)),
            onDone: [
              {
                guard: 'hasNoLanguage',
                target: '#authorisation.list.turned',
                actions: ['markCurrent', 'logUnknownCountry', 'emitFactsChanged'],
              },
              { target: '#authorisation.list.turned', actions: ['markCurrent', 'emitFactsChanged'] },
            ],
            onError: failsTo('#authorisation.list.refused'),
          },
        },
        suspending: {
          description: 'Suspends the subscription, or ends its suspension',
          invoke: {
            id: 'suspend',
            src: 'suspend',
            input: ({ context: { chosen } }) => ({
              subscriptionId: chosen?.subscriptionId ?? '',
              suspendedByConsumer: !chosen?.suspended,
            }),
            onDone: { target: 'refreshing' },
            onError: failsTo('#authorisation.list.refused'),
          },
        },
        refreshing: {
          description: 'Asks for the subscription again',
          invoke: {
            id: 'readRow',
            src: 'readRow',
            input: ofChosen,
            onDone: {
              target: '#authorisation.list.turned',
              actions: [{ type: 'assignRow', params: ({ event }) => event.output }, 'emitFactsChanged'],
            },
            onError: failsTo('#authorisation.list.refused'),
          },
        },
      },
    },
    approving: {
      tags: ['list'],
      description: 'Waiting for approval. Checking automatically.',
      exit: 'forgetInvoked',
      on: {
        retry: { guard: 'isTaken', actions: 'passOnToApproval' },
        'authorise.close': { target: 'acting', description: pressLabel('Close approval page') },
        'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
      },
      invoke: {
        id: 'approval',
        src: 'approval',
        input: (args) => ({ asked: ofChosen(args), known: ofChosen(args) }),
        onSnapshot: {
          actions: [mirrored, { type: 'assignRow', params: ({ event }) => event.snapshot.context.known }],
        },
        onDone: {
          target: 'list',
          actions: [{ type: 'assignRow', params: ({ event }) => event.output }, 'emitFactsChanged'],
        },
      },
    },
    updating: updatingState,
    cancelled: cancelledState,
  },
});
