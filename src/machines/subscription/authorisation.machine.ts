import { assign } from 'xstate';
import type { JsonObject } from '#contract/json.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { pressLabel } from '../lib/describe.ts';
import { doubleClickPasses } from '../lib/doubleClick.ts';
import { emptyForm } from '../lib/form.ts';
import { blockedState, cancelledState, finalOutput, storesFacts } from '../lib/gate.ts';
import { failsTo } from '../lib/journeyActions.ts';
import { ended, follows, mirrored, passedOn } from '../lib/messaging.ts';
import { listSetup, ofChosen } from './authorisation.setup.ts';
import { authorisation } from './journeys.ts';
import { selecting } from './switching.ts';

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
            description: 'The row has just changed; for half a second no action is possible, in case of a double click',
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
          meta: { description: 'Sends the update and waits for the provider’s webhook' },
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
