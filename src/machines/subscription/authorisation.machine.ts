import { assign, emit, log, setup } from 'xstate';
import { languageOfCountry } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import { mayRepeat, sendAgain, type SendAgainEvent } from '../lib/resend.ts';
import {
  askOutcome,
  isRefused,
  noAnswer,
  refusedProblem,
  type Heard,
  type OutcomeEvent,
} from '../lib/messageOutcome.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import { changeField, emptyForm, formErrors, isValid, type FormEvent } from '../lib/form.ts';
import {
  blockedState,
  isBlocked,
  factsIn,
  cancelledState,
  finalOutput,
  type JourneyContext,
  type JourneyEmitted,
  type JourneyEvent,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../lib/gate.ts';
import { readTexts, readOneTexts, toFailed, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { authorisation } from './journeys.ts';
import {
  approvalOf,
  authoriseBlocked,
  named,
  rowActions,
  rowGuards,
  withCurrent,
  withRow,
  type Act,
  type SubscriptionRow,
} from './rows.ts';
import { select, selecting } from './switching.ts';
import {
  hearing,
  opened,
  pendingRow,
  resumed,
  settled,
  updateGuards,
  updating,
  type Update,
  type UpdateSent,
  type UpdateState,
} from './update.ts';
import { watching, watchRow, type WatchEvent } from './watching.ts';

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
  | OutcomeEvent
  | WatchEvent
  | { type: 'answer.await' | 'update.again' };

/** Input of an effect: the row that an event has chosen. */
const ofChosen = ({ context }: { context: Context }) => context.chosen as SubscriptionRow; // its states are entered only with one

const closed = { target: 'cancelled', description: pressLabel('Close') } as const;

const leftToUser = { opens: false, resumes: false } as const;

/** Transitions for the list as a whole. */
const ofList = {
  retry: {
    target: 'loading',
    actions: ['leaveUndone', 'emitFactsChanged'],
    description: pressLabel('Refresh', 'Try again'),
  },
  'form.cancel': closed,
} as const;

/**
 * The subscription list (behaviour, section 4): select, authorise in a frame or a new tab, update, suspend. On the
 * guided path, the approval page of the current subscription opens by itself, once. While the authorise page is open, the subscription is polled until its status is decided; a failed poll does not close the
 * page. An update is a form of the provider's properties. Its outcome is the provider's answer, which is awaited again
 * if the page was left before it arrived. Actions that may have changed the current subscription emit `facts.changed`.
 * Effects: `loadRows`, `readRow`, `watchRow`, `select`, `sendUpdate`, `askOutcome`, `sendAgain`, `suspend`.
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
    watchRow,
    select,
    sendUpdate: effect<Update, UpdateSent>('writes', actionTexts('The update is forwarded')),
    askOutcome,
    sendAgain,
    suspend: effect<{ subscriptionId: string; suspendedByConsumer: boolean }, void>(
      'writes',
      actionTexts('The change is stored'),
    ),
  },
  delays: { doubleClick },
  guards: {
    isBlocked: isBlocked(authorisation.requires),
    ...rowGuards,
    opensCurrent: describedGuard(
      'on the guided path the current one is to be approved in a frame',
      ({ context }: { context: Context }) => {
        const approval = context.opens ? approvalOf(context) : null;
        return approval?.need === 'approve' && approval.row.framed && authoriseBlocked(approval.row) === '';
      },
    ),
    ...updateGuards,
    resumesPending: describedGuard(
      'an update is pending as the page is opened',
      ({ context }: { context: Context }) => context.resumes && pendingRow(context) !== null,
    ),
    isValid,
    isRefused,
    mayRepeat,
    hasNoLanguage: describedGuard(
      'its country has no language',
      ({ context: { chosen } }: { context: Context }) => chosen !== null && !own(languageOfCountry, chosen.country),
    ),
  },
  actions: {
    assignFacts: assign(({ event }) => factsIn(event)),
    emitFactsChanged: emit({ type: 'facts.changed' }),
    choose: assign(({ context, event }) => ({
      chosen: named({ context, event }),
      overdue: false,
      act: event.type.replace(/.*\./, '') as Act, // only a row's own events choose it
      ...leftToUser,
    })),
    chooseCurrent: assign(({ context }) => ({
      chosen: approvalOf(context)?.row ?? null,
      overdue: false,
      act: 'authorise' as const,
      ...leftToUser,
    })),
    leaveUndone: assign({ act: null, failure: null }),
    openUpdate: assign(({ context }) => ({ failure: null, ...opened(context) })),
    resume: assign(({ context, event }) => ({
      ...resumed(named({ context, event }) ?? pendingRow(context)),
      ...leftToUser,
    })),
    settle: assign(({ context }) => settled(context)),
    changeField: assign(({ context, event }) =>
      event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
    ),
    repeat: assign({ again: true }),
    showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
    clearErrors: assign({ errors: [], failure: null, outcome: null, overdue: false }),
    assignMessage: assign((_, { messageId, pending }: UpdateSent) => ({ messageId, already: pending })),
    hear: assign(({ context }, news: Heard) => hearing(context, news)),
    failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusedProblem(context.outcome) })),
    clearFailure: assign({ failure: null }),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    assignRow: assign(({ context }, row: SubscriptionRow) => withRow(context, row)),
    see: assign(({ context }, { answer, overdue }: { answer: SubscriptionRow | null; overdue: boolean }) => ({
      ...(answer && withRow(context, answer)),
      overdue,
    })),
    markCurrent: assign(({ context }) => withCurrent(context)),
    assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: authorisation.id,
  context: ({ input: { facts, guided = false } }) => ({
    facts,
    opens: guided,
    resumes: true,
    failure: null,
    ...emptyForm,
    ...noAnswer,
    rows: [],
    chosen: null,
    act: null,
    again: false,
    already: false,
  }),
  initial: 'checking',
  on: { 'facts.arrived': { actions: 'assignFacts' } },
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
        onError: toFailed('unavailable'),
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The subscriptions could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    resuming: {
      always: [
        { guard: 'resumesPending', target: '#authorisation.updating.answering', actions: 'resume' },
        { guard: 'opensCurrent', target: 'watching', actions: 'chooseCurrent' },
        { target: 'listing' },
      ],
    },
    listing: {
      tags: ['list'],
      meta: { description: 'The subscriptions are listed' },
      on: { ...rowActions, ...ofList },
    },
    selecting: {
      tags: ['list', 'busy'],
      meta: { description: 'Makes the subscription the current one, with its country and language' },
      entry: 'clearFailure',
      invoke: {
        id: 'select',
        src: 'select',
        input: (args) => selecting(ofChosen(args)),
        onDone: [
          {
            guard: 'hasNoLanguage',
            target: 'turned',
            actions: ['markCurrent', 'logUnknownCountry', 'emitFactsChanged'],
          },
          { target: 'turned', actions: ['markCurrent', 'emitFactsChanged'] },
        ],
        onError: toFailed('refused'),
      },
    },
    watching: {
      tags: ['list'],
      meta: { description: 'Waiting for approval. Checking automatically.' },
      ...watching({ id: 'authorisation', decided: 'listing', closed: 'refreshing', left: closed }),
    },
    updating: {
      tags: ['list'],
      meta: { description: 'Changes the provider’s data of the subscription' },
      ...updating({
        id: 'authorisation',
        accepted: { target: '#authorisation.refreshing', actions: 'settle' },
        left: { target: 'listing', actions: 'leaveUndone', description: pressLabel('Cancel', 'Stop waiting') },
      }),
    },
    suspending: {
      tags: ['list', 'busy'],
      meta: { description: 'Suspends the subscription, or ends its suspension' },
      entry: 'clearFailure',
      invoke: {
        id: 'suspend',
        src: 'suspend',
        input: ({ context: { chosen } }) => ({
          subscriptionId: chosen?.subscriptionId ?? '',
          suspendedByConsumer: !chosen?.suspended,
        }),
        onDone: { target: 'refreshing' },
        onError: toFailed('refused'),
      },
    },
    refreshing: {
      tags: ['list', 'busy'],
      meta: { description: 'Asks for the subscription again' },
      entry: 'clearFailure',
      invoke: {
        id: 'readRow',
        src: 'readRow',
        input: ofChosen,
        onDone: {
          target: 'turned',
          actions: [{ type: 'assignRow', params: ({ event }) => event.output }, 'emitFactsChanged'],
        },
        onError: toFailed('refused'),
      },
    },
    turned: {
      tags: ['list'],
      meta: {
        description: 'The row has just changed; for half a second no action is possible, in case of a double click',
      },
      after: { doubleClick: { target: 'listing', description: doubleClickPasses } },
      on: ofList,
    },
    refused: {
      tags: ['list', 'failed'],
      meta: { description: 'The last action failed; the list is as it was' },
      entry: 'emitFactsChanged', // part of it may have been executed
      on: { ...rowActions, retry: { target: 'loading', actions: 'emitFactsChanged' }, 'form.cancel': closed },
    },
    cancelled: cancelledState,
  },
});
