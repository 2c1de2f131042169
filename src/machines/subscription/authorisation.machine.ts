import { assign, log, sendTo, setup } from 'xstate';
import { languageOfCountry } from '#contract/constants.ts';
import type { JsonObject } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import { actionTexts, effect, readOneTexts, readTexts } from '../lib/effect.ts';
import { changeField, emptyForm, formErrors, isValid, type FormEvent } from '../lib/form.ts';
import { blockedState, cancelledState, finalOutput, isBlocked, storesFacts } from '../lib/gate.ts';
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
import { ended, follows, messageActions, messageGuards, mirrored, passedOn } from '../lib/messaging.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import type { SendAgainEvent } from '../lib/resend.ts';
import { approvalMachine } from './approval.machine.ts';
import { authorisation } from './journeys.ts';
import {
  approvalOf,
  authoriseBlocked,
  named,
  rowGuards,
  withCurrent,
  withRow,
  type Act,
  type SubscriptionRow,
} from './rows.ts';
import { select, selecting } from './switching.ts';
import { followed, opened, pendingRow, resumed, settled, type UpdateState } from './update.ts';

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

const leftToUser = { opens: false, resumes: false } as const;

/** Transitions for the list as a whole. */
const ofList = {
  retry: {
    target: '#authorisation.loading',
    actions: ['leaveUndone', 'emitFactsChanged'],
    description: pressLabel('Refresh', 'Try again'),
  },
  'form.cancel': { target: '#authorisation.cancelled', description: pressLabel('Close') },
} as const;

/**
 * The subscription list (behaviour, section 4): select, authorise in a frame or a new tab, update, suspend. On the
 * guided path, the approval page of the current subscription opens by itself, once. An update is a form of the provider's
 * properties, sent by a message, whose answer is awaited again if the page was left before it arrived. Actions that may
 * have changed the current subscription emit `facts.changed`. Effects: `loadRows`, `readRow`, `select`, `suspend`.
 */
export const authorisationMachine = setup({
  types: {
    context: {} as Context,
    input: {} as JourneyInput<Input>,
    output: {} as JourneyOutput<never>,
    emitted: {} as JourneyEmitted,
    events: {} as Event,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    loadRows: effect<void, SubscriptionRow[]>('reads', readTexts('The subscriptions')),
    readRow: effect<SubscriptionRow, SubscriptionRow>('reads', readOneTexts('The subscription')),
    approval: approvalMachine,
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
    resumesPending: describedGuard(
      'an update is pending as the page is opened',
      ({ context }: Args) => context.resumes && pendingRow(context) !== null,
    ),
    isValid,
    hasNoLanguage: describedGuard(
      'its country has no language',
      ({ context: { chosen } }: Args) => chosen !== null && !own(languageOfCountry, chosen.country),
    ),
  },
  actions: {
    passOn: sendTo('message', ({ event }) => event),
    passOnToApproval: sendTo('approval', ({ event }) => event),
    chooseRow: assign(({ context, event }, { act }: { act: Act }) => ({
      chosen: named({ context, event }),
      act,
      ...leftToUser,
    })),
    chooseCurrent: assign(({ context }) => ({
      chosen: approvalOf(context)?.row ?? null,
      act: 'authorise' as const,
      ...leftToUser,
    })),
    leaveUndone: assign({ act: null, failure: null }),
    openUpdate: assign(({ context }) => ({ failure: null, ...opened(context) })),
    resumeUpdate: assign(({ context, event }) => ({
      ...resumed(named({ context, event }) ?? pendingRow(context)),
      ...leftToUser,
    })),
    settleUpdate: assign(({ context }) => settled(context)),
    changeField: assign(({ context, event }) =>
      event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
    ),
    showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
    clearErrors: assign({ errors: [], failure: null }),
    confirmAgain: assign({ again: true }),
    forgetMessage: assign({ messageId: '' }),
    followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) =>
      followed(context, message),
    ),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    assignRow: assign(({ context }, row: SubscriptionRow) => withRow(context, row)),
    markCurrent: assign(({ context }) => withCurrent(context)),
  },
})
  .extend({
    guards: { ...messageGuards, ...rowGuards },
    actions: { ...journeyActions, ...messageActions },
  })
  .createMachine({
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
      checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
      blocked: blockedState(authorisation.requires),
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads the records and asks for each subscription' },
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
        meta: { description: 'The subscriptions could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      resuming: {
        always: [
          { guard: 'resumesPending', target: 'updating.messaging', actions: 'resumeUpdate' },
          { guard: 'opensCurrent', target: 'approving', actions: 'chooseCurrent' },
          { target: 'list' },
        ],
      },
      list: {
        tags: ['list'],
        meta: { description: 'The subscriptions are listed' },
        initial: 'listing',
        on: {
          ...ofList,
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
            actions: 'resumeUpdate',
            description: pressLabel('Wait for the update'),
          },
          'subscription.update': {
            guard: 'mayUpdate',
            target: 'updating',
            actions: [{ type: 'chooseRow', params: { act: 'update' } }, 'openUpdate'],
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
          listing: { meta: { description: 'The subscriptions are listed' } },
          refused: {
            tags: ['failed'],
            meta: { description: 'The last action failed; the list is as it was' },
            entry: 'emitFactsChanged', // part of it may have been executed
            on: { retry: { target: '#authorisation.loading', actions: 'emitFactsChanged' } },
          },
          turned: {
            meta: {
              description:
                'The row has just changed; for half a second no action is possible, in case of a double click',
            },
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
        meta: { description: 'An action on one row is under way' },
        entry: 'clearFailure',
        initial: 'refreshing',
        states: {
          selecting: {
            meta: { description: 'Makes the subscription the current one, with its country and language' },
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
            meta: { description: 'Suspends the subscription, or ends its suspension' },
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
            meta: { description: 'Asks for the subscription again' },
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
        meta: { description: 'Waiting for approval. Checking automatically.' },
        exit: 'forgetInvoked',
        on: {
          retry: { guard: 'isTaken', actions: 'passOnToApproval' },
          'authorise.close': { target: 'acting', description: pressLabel('Close the authorise page') },
          'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
        },
        invoke: {
          id: 'approval',
          src: 'approval',
          input: ofChosen,
          onSnapshot: {
            actions: [mirrored, { type: 'assignRow', params: ({ event }) => event.snapshot.context.row }],
          },
          onDone: {
            target: 'list',
            actions: [{ type: 'assignRow', params: ({ event }) => event.output }, 'emitFactsChanged'],
          },
        },
      },
      updating: {
        tags: ['list'],
        meta: { description: 'Changes the provider’s data of the subscription' },
        initial: 'editing',
        on: {
          'form.cancel': { target: 'list', actions: 'leaveUndone', description: pressLabel('Cancel', 'Stop waiting') },
        },
        states: {
          editing: {
            meta: { description: 'The form is open' },
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
            meta: { description: 'The update is sent, and the provider’s webhook awaited' },
            entry: 'clearErrors',
            exit: 'forgetInvoked',
            on: passedOn,
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
                {
                  guard: { type: 'isUnsent', params: ended },
                  target: 'refused',
                  actions: { type: 'assignUnsent', params: ended },
                },
                {
                  guard: { type: 'isHeld', params: ended },
                  target: 'another',
                  actions: { type: 'followMessage', params: ended },
                },
                {
                  guard: { type: 'isRefused', params: ended },
                  target: 'refused',
                  actions: [
                    { type: 'followMessage', params: ended },
                    'settleUpdate',
                    { type: 'assignRefusal', params: ended },
                  ],
                },
                {
                  target: '#authorisation.acting',
                  actions: [{ type: 'followMessage', params: ended }, 'settleUpdate'],
                },
              ],
            },
          },
          another: {
            meta: { description: 'Another update is pending; this one was not sent' },
            on: {
              'answer.await': { target: 'messaging', description: pressLabel('Wait for the webhook') },
              'update.again': {
                target: 'messaging',
                actions: ['confirmAgain', 'forgetMessage'],
                description: pressLabel('Send this update as well'),
              },
              'form.change': { target: 'editing', actions: 'changeField' },
            },
          },
          refused: {
            tags: ['failed'],
            meta: { description: 'The update was refused, or the server could not be reached' },
            entry: 'emitFactsChanged', // a record that it depends on may have been deleted
            exit: 'forgetMessage',
            on: {
              'form.change': { target: 'editing', actions: 'changeField' },
              'form.submit': { target: 'messaging' },
              retry: { target: 'messaging' },
            },
          },
        },
      },
      cancelled: cancelledState,
    },
  });
