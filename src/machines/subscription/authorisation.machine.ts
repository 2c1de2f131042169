import { assign, log, setup } from 'xstate';
import { languageOfCountry } from '#contract/constants.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { subscriptionForm } from '#rules/field.ts';
import { mayRepeat, sendAgain, type SendAgainEvent } from '../again.ts';
import { askOutcome, heard, isRefused, noAnswer, refusalOf } from '../answer.ts';
import type { AnswerState, Heard, Outcome, OutcomeEvent } from '../answer.ts';
import { changeField, emptyForm, formErrors, type FormEvent, type FormState } from '../form.ts';
import { noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { poll, type PollEvent } from '../poll.ts';
import { arrive, arrives, failureOf, port, taken } from '../port.ts';
import { select, type Selection } from './switching.ts';
import { updateForm, updating, type Update, type UpdateSent } from './update.ts';

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
  /** When the authorise link was made, an ISO time; '' if the service does not say. */
  issuedAt: string;
  /** The provider's rules for the subscription's properties. */
  rules: Rule[];
  /** The properties as the service has them, a JSON string. */
  additionalData: string;
  /** The latest update that awaits the provider's answer, null if there is none. */
  pending: Message | null;
}

/** What the status says of a subscription that the service does not know. */
export const unknownStatus = 'Unknown to the service';

/** Whether nothing will come of the subscription any more: another one can take its place. */
export const hasEnded = ({ status }: SubscriptionRow): boolean =>
  ['Rejected', 'Cancelled', 'Expired', unknownStatus].includes(status);

/** Why a row cannot be authorised now; '' if it can (behaviour, section 4). */
export const authoriseBlocked = ({ status, authorise, elsewhere, ...row }: SubscriptionRow): string =>
  status === 'Authorised' || hasEnded({ ...row, status, authorise, elsewhere })
    ? `The subscription is ${status}`
    : authorise !== ''
      ? ''
      : elsewhere !== ''
        ? `This link is not followed, as it does not lead to the provider’s pages: ${elsewhere}`
        : 'The provider has given no link yet; press Look again';

/** Why a row cannot be updated; '' if it can. */
export const updateBlocked = ({ status, rules }: SubscriptionRow): string => {
  if (status === unknownStatus) return 'The service does not know the subscription';
  return subscriptionForm(rules).fields.length > 0 ? '' : 'The provider’s rules name nothing to update';
};

/** Why a row cannot be suspended or unsuspended now; '' if it can (behaviour, section 4). */
export const suspendBlocked = ({ status }: SubscriptionRow): string =>
  status === 'Authorised' ? '' : `Only an Authorised subscription can be suspended; this one is ${status}`;

/** States from which the provider still has to decide (wire, section 10). */
const undecided: readonly string[] = ['Received', 'AwaitingAuthorisation', 'Pending'];

/** The port that reads a subscription, while its authorise page is open, until it is decided. */
const watchRow = poll<SubscriptionRow, SubscriptionRow>(arrives('The subscription'), {
  isEnough: ({ status }) => !undecided.includes(status),
});

type RowEvent = { id: string };
type Event =
  | JourneyEvent
  | ({
      type: `subscription.${Act | 'follow'}`;
    } & RowEvent)
  | FormEvent
  | SendAgainEvent
  | OutcomeEvent
  | PollEvent<'watchRow', SubscriptionRow>
  | { type: 'authorise.close' | 'answer.await' | 'update.again' };

/** What a user does with a row. */
type Act = 'select' | 'authorise' | 'update' | 'suspend';

interface Context extends JourneyContext, FormState, AnswerState {
  rows: SubscriptionRow[];
  /** The row that an event named. */
  chosen: SubscriptionRow | null;
  /** What was done with that row last; null if it was left undone. */
  act: Act | null;
  /** An update is sent while another one awaits its answer. */
  again: boolean;
  /** The update was sent before, and not again: it is that one's answer which is awaited. */
  already: boolean;
}

/** What the last action has come to, in a sentence; '' if there was none. */
export function newsOf({ act, chosen }: Pick<Context, 'act' | 'chosen'>): string {
  if (!act || !chosen) return '';
  const { subscriptionId, status, suspended } = chosen;
  const news: Record<Act, string> = {
    select: `Subscription ${subscriptionId} is the current one now`,
    authorise: `Subscription ${subscriptionId} is ${status}`,
    update: `The provider has accepted the update of subscription ${subscriptionId}`,
    suspend: suspended
      ? `Subscription ${subscriptionId} is suspended by you; until you end that, nothing can be done with it`
      : `Subscription ${subscriptionId} is no longer suspended by you; it is ${status}`,
  };
  return news[act];
}

const named = (rows: readonly SubscriptionRow[], event: Event): SubscriptionRow | null =>
  ('id' in event && rows.find(({ subscriptionId }) => subscriptionId === event.id)) || null;

const rowWith = (row: SubscriptionRow, messageId: string, outcome: Outcome): SubscriptionRow =>
  row.pending?.messageId === messageId ? { ...row, pending: { ...row.pending, ...outcome } } : row;

const withPending = (rows: readonly SubscriptionRow[]) => rows.find(({ pending }) => pending !== null) ?? null;

/** The row as it was read now. */
const withRow = ({ rows }: Context, row: SubscriptionRow): Pick<Context, 'chosen' | 'rows'> => ({
  chosen: row,
  rows: rows.map((old) => (old.subscriptionId === row.subscriptionId ? row : old)),
});

const selectionOf = ({ subscriptionId, providerId, country }: SubscriptionRow): Selection => {
  const language = languageOfCountry[country];
  return { subscriptionId, providerId, country, ...(language === undefined ? {} : { language }) };
};

/** What a row takes, also where the action before failed. */
const rowActions = {
  'subscription.select': { guard: 'exists', target: 'selecting', actions: 'choose' },
  'subscription.authorise': { guard: 'mayAuthorise', target: 'watching', actions: 'choose' },
  'subscription.follow': { guard: 'isAwaited', target: '#authorisation.updating.answering', actions: 'resume' },
  'subscription.update': { guard: 'mayUpdate', target: 'updating', actions: ['choose', 'openUpdate'] },
  'subscription.suspend': { guard: 'maySuspend', target: 'suspending', actions: 'choose' },
} as const;

/**
 * The subscription list (behaviour, section 4): select, authorise in a frame or a new tab, update, suspend. While the
 * authorise page is open the row is asked for until its status is decided; that asking fails does not close it. An
 * update is a form of the provider's properties; the provider's answer says what comes of it, and is awaited anew where
 * the page was left before it came.
 * Ports: `loadRows`, `readRow`, `select`, `sendUpdate`, `askOutcome`, `sendAgain`, `suspend`.
 */
export const authorisationMachine = setup({
  types: { context: {} as Context, events: {} as Event, tags: {} as Tag, meta: {} as Meta },
  actors: {
    loadRows: port<void, SubscriptionRow[]>('reads', arrive('The subscriptions')),
    readRow: port<SubscriptionRow, SubscriptionRow>('reads', arrives('The subscription')),
    watchRow,
    select,
    sendUpdate: port<Update, UpdateSent>('writes', taken('The update is forwarded')),
    askOutcome,
    sendAgain,
    suspend: port<{ subscriptionId: string; suspendedByConsumer: boolean }, void>(
      'writes',
      taken('The change is stored'),
    ),
  },
  guards: {
    exists: ({ context, event }) => named(context.rows, event) !== null,
    mayAuthorise: ({ context, event }) => {
      const row = named(context.rows, event);
      return row !== null && authoriseBlocked(row) === '';
    },
    mayUpdate: ({ context, event }) => {
      const row = named(context.rows, event);
      return row !== null && updateBlocked(row) === '';
    },
    valid: ({ context }) => formErrors(context).length === 0,
    isAwaited: ({ context, event }) => Boolean(named(context.rows, event)?.pending),
    isAnother: (_, { another }: UpdateSent) => another,
    isRefused,
    mayRepeat,
    maySuspend: ({ context, event }) => {
      const row = named(context.rows, event);
      return row !== null && suspendBlocked(row) === '';
    },
    hasPending: ({ context }) => withPending(context.rows) !== null,
    hasNoLanguage: ({ context }) => context.chosen !== null && !(context.chosen.country in languageOfCountry),
  },
  actions: {
    choose: assign(({ context, event }) => ({
      chosen: named(context.rows, event),
      overdue: false,
      act: event.type.replace(/.*\./, '') as Act, // only a row's own events choose it
    })),
    leaveUndone: assign({ act: null, failure: null }),
    openUpdate: assign(({ context }) => ({
      failure: null,
      again: false,
      ...updateForm(context.chosen?.rules ?? [], context.chosen?.additionalData ?? ''),
    })),
    resume: assign(({ context: { rows }, event }) => {
      const row = named(rows, event) ?? withPending(rows);
      const { messageId = '', data } = row?.pending ?? {};
      const form = updateForm(row?.rules ?? [], data?.['properties'] ?? row?.additionalData ?? '');
      const outcome = row?.pending ?? null;
      return { chosen: row, act: 'update' as const, ...noAnswer, messageId, outcome, already: false, ...form };
    }),
    settle: assign(({ context: { rows, chosen, messageId } }) => {
      const settled = (row: SubscriptionRow) =>
        row.pending?.messageId === messageId ? { ...row, pending: null } : row;
      return { rows: rows.map(settled), chosen: chosen && settled(chosen) };
    }),
    change: assign(({ context, event }) =>
      event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
    ),
    repeat: assign({ again: true }),
    showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
    clearErrors: assign({ errors: [], failure: null, outcome: null, overdue: false }),
    keepMessage: assign((_, { messageId, pending }: UpdateSent) => ({ messageId, already: pending })),
    hear: assign(({ context }, news: Heard) => {
      const { rows, messageId } = context;
      const kept = heard(context, news);
      const { outcome } = kept;
      return { ...kept, rows: outcome ? rows.map((row) => rowWith(row, messageId, outcome)) : rows };
    }),
    failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
    forgetFailure: assign({ failure: null }),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    keepRow: assign(({ context }, row: SubscriptionRow) => withRow(context, row)),
    see: assign(({ context }, { answer, overdue }: { answer: SubscriptionRow | null; overdue: boolean }) => ({
      ...(answer && withRow(context, answer)),
      overdue,
    })),
    markCurrent: assign({
      rows: ({ context: { rows, chosen } }) =>
        rows.map((row) => ({ ...row, current: row.subscriptionId === chosen?.subscriptionId })),
    }),
    fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: 'authorisation',
  context: { ...noFacts, ...emptyForm, ...noAnswer, rows: [], chosen: null, act: null, again: false, already: false },
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads the records and asks for each subscription' },
      entry: 'forgetFailure',
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        onDone: { target: 'resuming', actions: assign({ rows: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The subscriptions could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    resuming: {
      always: [
        { guard: 'hasPending', target: '#authorisation.updating.answering', actions: 'resume' },
        { target: 'listing' },
      ],
    },
    listing: {
      tags: ['list'],
      meta: { description: 'The subscriptions are listed' },
      on: {
        ...rowActions,
        retry: { target: 'loading', actions: 'leaveUndone' },
        'form.cancel': { target: 'cancelled' },
      },
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
        'form.cancel': { target: 'cancelled' },
      },
      states: {
        waiting: {
          meta: { description: 'Asks again and again for the subscription' },
          on: { 'poll.told.watchRow': { actions: { type: 'see', params: ({ event }) => event } } },
          invoke: {
            id: 'watchRow',
            src: 'watchRow',
            input: ({ context }) => context.chosen as SubscriptionRow, // entered only with a chosen row
            onDone: {
              target: '#authorisation.listing',
              actions: { type: 'keepRow', params: ({ event }) => event.output },
            },
            onError: {
              target: 'unanswered',
              actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        // The page stays, and what is typed in it.
        unanswered: {
          tags: ['failed'],
          meta: { description: 'Asking failed; the authorise page stays open' },
          on: { retry: { target: 'waiting', actions: 'forgetFailure' } },
        },
      },
    },
    updating: {
      tags: ['list'],
      meta: { description: 'What the provider keeps of the subscription is changed' },
      ...updating({
        id: 'authorisation',
        accepted: { target: '#authorisation.refreshing', actions: 'settle' },
        left: { target: 'listing', actions: 'leaveUndone' },
      }),
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
      on: { ...rowActions, retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    cancelled: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
