import { assign } from 'xstate';
import { pressLabel } from '../lib/describe.ts';
import { doubleClickPasses } from '../lib/doubleClick.ts';
import { emptyForm } from '../lib/form.ts';
import { blockedState, cancelledState, checkingState, finalOutput, storesFacts } from '../lib/gate.ts';
import { failsTo, mirrored } from '../lib/journeyActions.ts';
import { listSetup, ofChosen } from './authorisation.setup.ts';
import { authorisation } from './journeys.ts';
import { selecting } from './switching.ts';
import { updatingState } from './updating.ts';

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
