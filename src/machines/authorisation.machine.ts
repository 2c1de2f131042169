import { assign, log, setup } from 'xstate';
import { languageOfCountry, webhookPollInterval } from '#contract/constants.ts';
import type { SubscriptionRecord } from '#contract/entities.ts';
import { noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { failureOf, port } from './port.ts';
import type { Selection } from './switching.ts';

/** A row of the subscription list: the record kept here, with what the service says now. */
export interface SubscriptionRow extends SubscriptionRecord {
  providerName: string;
  /** The provider's first country, '' if the provider is not among those found. */
  country: string;
  /** The authorise link, if there is one that leads to a provider's pages. */
  authorise: string;
  /** A link that leads anywhere else: shown, not followed. */
  elsewhere: string;
  /** The provider lets its page be shown in a frame (capability IFramePermitted). */
  framed: boolean;
  /** It is the subscription that debtors, creditors and payments use. */
  current: boolean;
  /** When the service was last asked for it, an ISO time. */
  readAt: string;
  /** Why the service could not be asked when the list was opened, '' if it was: the row is as last seen. */
  unread: string;
}

/** Why a row cannot be authorised now; '' if it can (spec, section 4). */
export const authoriseBlocked = ({ status, authorise, elsewhere }: SubscriptionRow): string =>
  status === 'Authorised' || status === 'Rejected'
    ? `The subscription is ${status}`
    : authorise !== ''
      ? ''
      : elsewhere !== ''
        ? `This link is not followed, as it does not lead to the provider’s pages: ${elsewhere}`
        : 'The provider has given no link yet; press Update';

/** Why a row cannot be suspended or unsuspended now; '' if it can (spec, section 4). */
export const suspendBlocked = ({ status }: SubscriptionRow): string =>
  status === 'Authorised' ? '' : `Only an Authorised subscription can be suspended; this one is ${status}`;

/** States from which the provider still has to decide (upstream-api, section 10). */
const undecided: readonly string[] = ['Received', 'AwaitingAuthorisation', 'Pending'];

type RowEvent = { id: string };
type Event =
  | JourneyEvent
  | ({
      type: 'subscription.select' | 'subscription.authorise' | 'subscription.update' | 'subscription.suspend';
    } & RowEvent)
  | { type: 'authorise.close' };

interface Context extends JourneyContext {
  rows: SubscriptionRow[];
  /** The row that an event named. */
  chosen: SubscriptionRow | null;
}

const named = (rows: readonly SubscriptionRow[], event: Event): SubscriptionRow | null =>
  ('id' in event && rows.find(({ subscriptionId }) => subscriptionId === event.id)) || null;

const selectionOf = ({ subscriptionId, providerId, country }: SubscriptionRow): Selection => {
  const language = languageOfCountry[country];
  return { subscriptionId, providerId, country, ...(language === undefined ? {} : { language }) };
};

/** What a row takes, also where the action before failed. */
const rowActions = {
  'subscription.select': { guard: 'exists', target: 'selecting', actions: 'choose' },
  'subscription.authorise': { guard: 'mayAuthorise', target: 'watching', actions: 'choose' },
  'subscription.update': { guard: 'exists', target: 'updating', actions: 'choose' },
  'subscription.suspend': { guard: 'maySuspend', target: 'suspending', actions: 'choose' },
} as const;

/**
 * The subscription list (spec, section 4): select, authorise in a frame or a new tab, update, suspend. While the
 * authorise page is open the row is asked for until its status is decided; that asking fails does not close it.
 * Ports: `loadRows`, `readRow`, `select`, `sendUpdate`, `suspend`.
 */
export const authorisationMachine = setup({
  types: { context: {} as Context, events: {} as Event, tags: {} as Tag, meta: {} as Meta },
  actors: {
    loadRows: port<void, SubscriptionRow[]>('loadRows'),
    readRow: port<SubscriptionRow, SubscriptionRow>('readRow'),
    select: port<Selection, void>('select'),
    sendUpdate: port<SubscriptionRow, void>('sendUpdate'),
    suspend: port<{ subscriptionId: string; suspendedByConsumer: boolean }, void>('suspend'),
  },
  delays: { pollInterval: webhookPollInterval },
  guards: {
    exists: ({ context, event }) => named(context.rows, event) !== null,
    mayAuthorise: ({ context, event }) => {
      const row = named(context.rows, event);
      return row !== null && authoriseBlocked(row) === '';
    },
    maySuspend: ({ context, event }) => {
      const row = named(context.rows, event);
      return row !== null && suspendBlocked(row) === '';
    },
    isDecided: ({ context }) => !undecided.includes(context.chosen?.status ?? ''),
    hasNoLanguage: ({ context }) => context.chosen !== null && !(context.chosen.country in languageOfCountry),
  },
  actions: {
    choose: assign(({ context, event }) => ({ chosen: named(context.rows, event) })),
    forgetFailure: assign({ failure: null }),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    keepRow: assign(({ context }, row: SubscriptionRow) => ({
      chosen: row,
      rows: context.rows.map((old) => (old.subscriptionId === row.subscriptionId ? row : old)),
    })),
    markCurrent: assign({
      rows: ({ context: { rows, chosen } }) =>
        rows.map((row) => ({ ...row, current: row.subscriptionId === chosen?.subscriptionId })),
    }),
    fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: 'authorisation',
  context: { ...noFacts, rows: [], chosen: null },
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads the records and asks for each subscription' },
      entry: 'forgetFailure',
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        onDone: { target: 'listing', actions: assign({ rows: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The subscriptions could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'closed' } },
    },
    listing: {
      tags: ['list'],
      meta: { description: 'The subscriptions are listed' },
      on: { ...rowActions, 'form.cancel': { target: 'closed' } },
    },
    selecting: {
      tags: ['list', 'busy'],
      meta: { description: 'Makes the subscription the current one, with its country and language' },
      entry: 'forgetFailure',
      invoke: {
        id: 'select',
        src: 'select',
        input: ({ context }) => selectionOf(context.chosen as SubscriptionRow), // entered only with a chosen row
        onDone: [
          { guard: 'hasNoLanguage', target: 'listing', actions: ['markCurrent', 'logUnknownCountry'] },
          { target: 'listing', actions: 'markCurrent' },
        ],
        onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    watching: {
      tags: ['list'],
      meta: { description: 'The authorise page is open; the subscription is asked for until it is decided' },
      initial: 'waiting',
      on: {
        'authorise.close': { target: 'refreshing' },
        'form.cancel': { target: 'closed' },
      },
      states: {
        waiting: {
          meta: { description: 'Waits before asking again' },
          after: { pollInterval: { target: 'asking' } },
        },
        asking: {
          meta: { description: 'Asks for the subscription' },
          invoke: {
            id: 'readRow',
            src: 'readRow',
            input: ({ context }) => context.chosen as SubscriptionRow, // entered only with a chosen row
            onDone: { target: 'deciding', actions: { type: 'keepRow', params: ({ event }) => event.output } },
            onError: {
              target: 'unanswered',
              actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        deciding: {
          always: [{ guard: 'isDecided', target: '#authorisation.listing' }, { target: 'waiting' }],
        },
        // The page stays, and what is typed in it.
        unanswered: {
          tags: ['failed'],
          meta: { description: 'Asking failed; the authorise page stays open' },
          on: { retry: { target: 'asking', actions: 'forgetFailure' } },
        },
      },
    },
    updating: {
      tags: ['list', 'busy'],
      meta: { description: 'Sends an update of the subscription' },
      entry: 'forgetFailure',
      invoke: {
        id: 'sendUpdate',
        src: 'sendUpdate',
        input: ({ context }) => context.chosen as SubscriptionRow, // entered only with a chosen row
        onDone: { target: 'refreshing' },
        onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    suspending: {
      tags: ['list', 'busy'],
      meta: { description: 'Suspends the subscription, or ends its suspension' },
      entry: 'forgetFailure',
      invoke: {
        id: 'suspend',
        src: 'suspend',
        input: ({ context }) => ({
          subscriptionId: context.chosen?.subscriptionId ?? '',
          suspendedByConsumer: !context.chosen?.suspended,
        }),
        onDone: { target: 'refreshing' },
        onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    refreshing: {
      tags: ['list', 'busy'],
      meta: { description: 'Asks for the subscription once more' },
      entry: 'forgetFailure',
      invoke: {
        id: 'readRow',
        src: 'readRow',
        input: ({ context }) => context.chosen as SubscriptionRow, // entered only with a chosen row
        onDone: { target: 'listing', actions: { type: 'keepRow', params: ({ event }) => event.output } },
        onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    refused: {
      tags: ['list', 'failed'],
      meta: { description: 'The last action failed; the list is as it was' },
      on: { ...rowActions, retry: { target: 'loading' }, 'form.cancel': { target: 'closed' } },
    },
    closed: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
