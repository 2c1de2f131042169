import { assign, setup } from 'xstate';
import { webhookPollInterval } from '#contract/constants.ts';
import type { Message } from '#contract/message.ts';
import type { Debtor, Creditor } from '#contract/party.ts';
import type { Facts } from '#contract/facts.ts';
import {
  lostIn,
  mayRepeat,
  mayRepeatListed,
  repeating,
  repeats,
  sendAgain,
  withOutcome,
  type PendingState,
  type SendAgainEvent,
} from '../again.ts';
import {
  answering,
  askOutcome,
  isAccepted,
  isRefused,
  noAnswer,
  refusalOf,
  type AnswerState,
  type Outcome,
  type Sent,
} from '../answer.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';
import type { RequirementId } from '../requirements.ts';
import { debtorQuery, creditorQuery } from './journeys.ts';

/** The provider's answer to a query, once its webhook has come; `webhookId` is what is cleared afterwards. */
interface QueryAnswer<Party> {
  webhookId: string;
  parties: Party[];
}

/** What the page begins with; `pending` are the puts and deletes that await their answer, the latest first. */
export interface QueryMaterial {
  facts: Facts;
  pending: Message[];
}

/** A query to be sent; `lostQuery` is the one to send again, under its own idempotency key, '' for a new one. */
export interface QuerySent {
  subscriptionId: string;
  lostQuery: string;
}

/** A look at the webhook data; `overdue` says that the answer has been awaited for long. */
export interface Look<Party> {
  answer: QueryAnswer<Party> | null;
  overdue: boolean;
}

/** What can be done instead of trying again what has failed. */
const instead = {
  'query.send': { target: 'sending' },
  'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose' },
  'form.cancel': { target: 'cancelled' },
} as const;

const isDeletion = ({ kind }: Message): boolean => kind.endsWith('deletes');

/**
 * Asking a provider for its debtors or creditors, and deleting one (behaviour, section 4): the webhook data is polled every
 * 1000 ms until the answer arrives, then polling stops and what arrived is cleared. An answer that does not come may be
 * asked for again. Trying again repeats what has failed, and nothing that was done before it. A deletion that awaits its
 * answer is taken up where the page is opened anew. Ports: `loadQuery`, `sendQuery`, `readAnswer`, `clearAnswer`,
 * `deleteParty`, `askOutcome`, `sendAgain`.
 */
function partyQueryChart<Party>(options: {
  id: string;
  requires: readonly RequirementId[];
  idOf: (party: Party) => string;
}) {
  return setup({
    types: {
      context: {} as JourneyContext &
        AnswerState &
        PendingState & {
          parties: Party[];
          answer: QueryAnswer<Party> | null;
          /** Times the webhook data was looked at since the query was sent. */
          looks: number;
          overdue: boolean;
          /** The query under way. */
          queryId: string;
          /** The provider's list was read. */
          listed: boolean;
          /** The debtor or creditor that is being deleted. */
          resourceId: string;
          /** The query whose answer was lost, '' if there is none: it is sent again instead of another one. */
          lostQuery: string;
        },
      events: {} as
        | JourneyEvent
        | SendAgainEvent
        | { type: 'query.send' }
        | { type: 'party.delete'; id: string }
        | { type: 'delete.confirm' }
        | { type: 'delete.dismiss' }
        | { type: 'answer.leave' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadQuery: port<void, QueryMaterial>('reads', arrive('Facts and what awaits its answer')),
      sendQuery: port<QuerySent, { messageId: string }>('writes', taken('The query is forwarded')),
      readAnswer: port<{ messageId: string }, Look<Party>>('reads', {
        answers: 'The webhook data is read',
        fails: 'The webhook data cannot be read',
      }),
      clearAnswer: port<{ webhookId: string }, void>('clears', taken('The webhook data is cleared')),
      deleteParty: port<{ subscriptionId: string; id: string }, Sent>('writes', taken('The deletion is forwarded')),
      askOutcome,
      sendAgain,
    },
    delays: { pollInterval: webhookPollInterval },
    guards: {
      lacks,
      exists: ({ context, event }) =>
        event.type === 'party.delete' && context.parties.some((party) => options.idOf(party) === event.id),
      isInList: ({ context }) => context.parties.some((party) => options.idOf(party) === context.resourceId),
      isListed: ({ context }) => context.listed,
      isOverdue: ({ context }) => context.overdue,
      hasPending: ({ context }) => context.pending.some(isDeletion),
      hasArrived: ({ context }) => context.answer !== null,
      isAccepted,
      isRefused,
      mayRepeat,
      mayRepeatListed,
    },
    actions: {
      forgetFailure: assign({ failure: null }),
      forget: assign({ failure: null, answer: null, outcome: null, looks: 0, overdue: false }),
      resume: assign(({ context }) => {
        const deletion = context.pending.find(isDeletion);
        return {
          messageId: deletion?.messageId ?? '',
          resourceId: deletion?.resourceId ?? '',
          outcome: deletion ?? null,
        };
      }),
      choose: assign(({ event }) => (event.type === 'party.delete' ? { resourceId: event.id } : {})),
      show: assign(({ context }) => ({ parties: context.answer?.parties ?? [], listed: true })),
      removeRow: assign(({ context }) => ({
        parties: context.parties.filter((party) => options.idOf(party) !== context.resourceId),
        pending: context.pending.filter(({ messageId }) => messageId !== context.messageId),
      })),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      keepMessage: assign(({ context }, message: Message) => ({
        pending: withOutcome(context.pending, message.messageId, message),
      })),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      keepLost: assign(({ context }) => ({ lostQuery: lostIn(context.failure) })),
      keepOutcome: assign(({ context: { pending, messageId } }, { outcome }: { outcome: Outcome }) => ({
        outcome,
        pending: withOutcome(pending, messageId, outcome),
      })),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
    },
  }).createMachine({
    id: options.id,
    context: {
      ...noFacts,
      ...noAnswer,
      parties: [],
      listed: false,
      answer: null,
      queryId: '',
      resourceId: '',
      looks: 0,
      overdue: false,
      pending: [],
      repeated: '',
      lostQuery: '',
    },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads where the user stands and what awaits its answer' },
        entry: 'forget',
        invoke: {
          id: 'loadQuery',
          src: 'loadQuery',
          onDone: { target: 'checking', actions: assign(({ event }) => event.output) },
          onError: {
            target: 'unavailable',
            actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The facts could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      checking: { always: checks(options.requires, 'resuming') },
      ...gates(options.requires),
      resuming: { always: [{ guard: 'hasPending', target: 'answering', actions: 'resume' }, { target: 'ready' }] },
      ready: {
        tags: ['list'],
        meta: { description: 'The provider can be asked' },
        on: { ...repeats, 'query.send': { target: 'sending' }, 'form.cancel': { target: 'cancelled' } },
      },
      ...repeating('list', 'concluding', instead),
      sending: {
        tags: ['list', 'busy'],
        meta: { description: 'The query is being sent' },
        entry: 'forget',
        invoke: {
          id: 'sendQuery',
          src: 'sendQuery',
          input: ({ context }) => ({
            subscriptionId: context.facts?.settings.subscriptionId ?? '',
            lostQuery: context.lostQuery,
          }),
          onDone: {
            target: 'polling',
            actions: assign(({ event }) => ({ queryId: event.output.messageId, lostQuery: '' })),
          },
          onError: {
            target: 'unsent',
            actions: [{ type: 'fail', params: ({ event }) => ({ error: event.error }) }, 'keepLost'],
          },
        },
      },
      polling: {
        tags: ['list'],
        meta: { description: "The provider's webhook is awaited" },
        initial: 'waiting',
        on: { 'query.send': { guard: 'isOverdue', target: 'sending' }, 'form.cancel': { target: 'cancelled' } },
        states: {
          waiting: {
            meta: { description: 'Waits before looking again' },
            after: { pollInterval: { target: 'asking' } },
          },
          asking: {
            meta: { description: 'Looks whether webhook data has arrived' },
            invoke: {
              id: 'readAnswer',
              src: 'readAnswer',
              input: ({ context }) => ({ messageId: context.queryId }),
              onDone: {
                target: 'deciding',
                actions: assign(({ context, event }) => ({ ...event.output, looks: context.looks + 1 })),
              },
              onError: {
                target: `#${options.id}.unread`,
                actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
              },
            },
          },
          deciding: {
            always: [
              { guard: 'hasArrived', target: `#${options.id}.clearing`, actions: 'show' },
              { target: 'waiting' },
            ],
          },
        },
      },
      clearing: {
        tags: ['list', 'busy'],
        meta: { description: 'Clears the webhook data that was read' },
        invoke: {
          id: 'clearAnswer',
          src: 'clearAnswer',
          input: ({ context }) => ({ webhookId: context.answer?.webhookId ?? '' }),
          onDone: { target: 'listing' },
          onError: { target: 'uncleared', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      unsent: {
        tags: ['list', 'failed'],
        meta: { description: 'The query could not be sent' },
        on: { retry: { target: 'sending' }, ...instead },
      },
      unread: {
        tags: ['list', 'failed'],
        meta: { description: 'The query was sent; the webhook data could not be read' },
        on: { retry: { target: 'polling', actions: 'forgetFailure' }, ...instead },
      },
      uncleared: {
        tags: ['list', 'failed'],
        meta: { description: 'The answer is listed; the webhook data could not be cleared' },
        on: { retry: { target: 'clearing', actions: 'forgetFailure' }, ...instead },
      },
      listing: {
        tags: ['list'],
        meta: { description: "The provider's answer is listed" },
        on: {
          ...repeats,
          'query.send': { target: 'sending' },
          'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      confirming: {
        tags: ['list'],
        meta: { description: 'Deleting a row is to be confirmed' },
        on: {
          'delete.confirm': { target: 'deleting' },
          'delete.dismiss': { target: 'listing' },
        },
      },
      deleting: {
        tags: ['list', 'busy'],
        meta: { description: 'The deletion is being sent' },
        entry: 'forget',
        invoke: {
          id: 'deleteParty',
          src: 'deleteParty',
          input: ({ context }) => ({
            subscriptionId: context.facts?.settings.subscriptionId ?? '',
            id: context.resourceId,
          }),
          onDone: { target: 'answering', actions: assign({ messageId: ({ event }) => event.output.messageId }) },
          onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      answering: {
        tags: ['list'],
        meta: { description: "The provider's answer to the deletion is awaited" },
        ...answering(
          {
            accepted: { target: `#${options.id}.concluding`, actions: 'removeRow' },
            refused: { target: `#${options.id}.refused`, actions: 'failByOutcome' },
            unanswered: `#${options.id}.unanswered`,
          },
          { 'answer.leave': { target: 'concluding' } },
        ),
      },
      concluding: { always: [{ guard: 'isListed', target: 'listing' }, { target: 'ready' }] },
      refused: {
        tags: ['list', 'failed'],
        meta: { description: 'The deletion was refused; the list is as it was' },
        on: { retry: [{ guard: 'isInList', target: 'confirming' }, { target: 'loading' }], ...instead },
      },
      unanswered: {
        tags: ['list', 'failed'],
        meta: { description: 'Whether the row was deleted could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' }, ...instead },
      },
      cancelled: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}

export const debtorQueryMachine = partyQueryChart<Debtor>({
  id: debtorQuery.id,
  requires: debtorQuery.requires,
  idOf: ({ debtorId }) => debtorId,
});

export const creditorQueryMachine = partyQueryChart<Creditor>({
  id: creditorQuery.id,
  requires: creditorQuery.requires,
  idOf: ({ creditorId }) => creditorId,
});
