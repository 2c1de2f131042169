import { assign, setup } from 'xstate';
import type { Message } from '#contract/message.ts';
import type { Debtor, Creditor } from '#contract/party.ts';
import type { Facts } from '#contract/facts.ts';
import type { Json } from '#contract/json.ts';
import type { Problem } from '#contract/problem.ts';
import { creditorsIn, debtorsIn } from '#rules/party.ts';
import { lostIn, mayRepeat, mayRepeatListed, repeating, repeats, sendAgain, withOutcome } from '../again.ts';
import type { PendingState, SendAgainEvent } from '../again.ts';
import { answering, askOutcome, heard, isRefused, noAnswer, refusalOf } from '../answer.ts';
import type { AnswerState, Heard, OutcomeEvent, Sent } from '../answer.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';
import type { RequirementId } from '../requirements.ts';
import { when } from '../say.ts';
import { debtorQuery, creditorQuery } from './journeys.ts';

/**
 * What the page begins with; `pending` are the puts and deletes that await their answer, the latest first, `asked` is the
 * latest query of this page, if its answer is still to come or to be read.
 */
export interface QueryMaterial {
  facts: Facts;
  pending: Message[];
  asked: Message | null;
}

/** A query to be sent; `lostQuery` is the one to send again, under its own idempotency key, '' for a new one. */
export interface QuerySent {
  subscriptionId: string;
  lostQuery: string;
}

/** What can be done instead of trying again what has failed. */
const instead = {
  'query.send': { target: 'sending' },
  'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose' },
  'form.cancel': { target: 'cancelled' },
} as const;

const isDeletion = ({ kind }: Message): boolean => kind.endsWith('deletes');

const listLost: Problem = {
  type: 'about:blank',
  title: 'The list is not kept any more',
  status: 0,
  detail: 'The provider has answered, and another page of the console read its list more than a minute ago. Ask again.',
  code: 'not-found',
};

/**
 * Asking a provider for its debtors or creditors, and deleting one (behaviour, section 4). The answer to the query is
 * polled for until it arrives, listed, and its webhook cleared. An answer that does not come may be asked for again.
 * Trying again repeats what has failed, and nothing that was done before it. A query or a deletion that awaits its answer
 * is taken up where the page is opened anew. Ports: `loadQuery`, `sendQuery`, `clearAnswer`, `deleteParty`, `askOutcome`,
 * `sendAgain`.
 */
function partyQueryChart<Party>(options: {
  id: string;
  requires: readonly RequirementId[];
  idOf: (party: Party) => string;
  /** The parties in the data of the webhook that answers a query. */
  listedIn: (data: Json | undefined) => Party[];
}) {
  return setup({
    types: {
      context: {} as JourneyContext &
        AnswerState &
        PendingState &
        Pick<QueryMaterial, 'asked'> & {
          parties: Party[];
          /** Answers that said that the list is still to come. */
          looks: number;
          /** The provider's list was read; an ISO time: the query that it answers was sent then. */
          listed: boolean;
          askedAt: string;
          /** The debtor or creditor that is being deleted. */
          resourceId: string;
          /** The query whose answer was lost, '' if there is none: it is sent again instead of another one. */
          lostQuery: string;
        },
      events: {} as
        | JourneyEvent
        | SendAgainEvent
        | OutcomeEvent
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
      clearAnswer: port<{ webhookId: string }, void>('clears', taken('The webhook data is cleared')),
      deleteParty: port<{ subscriptionId: string; id: string }, Sent>('writes', taken('The deletion is forwarded')),
      askOutcome,
      sendAgain,
    },
    guards: {
      lacks,
      exists: ({ context, event }) =>
        event.type === 'party.delete' && context.parties.some((party) => options.idOf(party) === event.id),
      isInList: ({ context }) => context.parties.some((party) => options.idOf(party) === context.resourceId),
      isListed: ({ context }) => context.listed,
      isOverdue: ({ context }) => context.overdue,
      hasPending: ({ context }) => context.pending.some(isDeletion),
      isAsked: when(
        'a query awaits its answer',
        ({ context: { asked } }: { context: Pick<QueryMaterial, 'asked'> }) => asked !== null,
      ),
      hasArrived: ({ context }) => context.outcome?.webhook !== undefined,
      isRefused,
      mayRepeat,
      mayRepeatListed,
    },
    actions: {
      forgetFailure: assign({ failure: null }),
      forget: assign({ failure: null, outcome: null, looks: 0, overdue: false, asked: null }),
      resume: assign(({ context }) => {
        const deletion = context.pending.find(isDeletion);
        return {
          messageId: deletion?.messageId ?? '',
          resourceId: deletion?.resourceId ?? '',
          outcome: deletion ?? null,
        };
      }),
      // It was sent before the page was opened: it may be sent again at once.
      resumeQuery: assign(({ context: { asked } }) => ({
        messageId: asked?.messageId ?? '',
        outcome: asked,
        asked: null,
        overdue: true,
      })),
      choose: assign(({ event }) => (event.type === 'party.delete' ? { resourceId: event.id } : {})),
      show: assign(({ context: { outcome } }) => ({
        parties: options.listedIn(outcome?.webhook?.data),
        listed: true,
        askedAt: outcome?.sentAt ?? '',
      })),
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
      failByLoss: assign({ failure: listLost }),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
      hear: assign(({ context }, news: Heard) => {
        const { pending, messageId, looks } = context;
        const kept = heard(context, news);
        return {
          ...kept,
          pending: kept.outcome ? withOutcome(pending, messageId, kept.outcome) : pending,
          looks: looks + (news.answer ? 1 : 0),
        };
      }),
    },
  }).createMachine({
    id: options.id,
    context: {
      ...noFacts,
      ...noAnswer,
      parties: [],
      listed: false,
      askedAt: '',
      resourceId: '',
      looks: 0,
      pending: [],
      repeated: '',
      lostQuery: '',
      asked: null,
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
      resuming: {
        always: [{ guard: 'hasPending', target: 'answering', actions: 'resume' }, { target: 'concluding' }],
      },
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
            actions: assign(({ event }) => ({ messageId: event.output.messageId, lostQuery: '' })),
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
        ...answering(
          {
            ends: [
              { guard: 'isRefused', target: `#${options.id}.unlisted`, actions: 'failByOutcome' },
              { guard: 'hasArrived', target: `#${options.id}.clearing`, actions: 'show' },
              { target: `#${options.id}.unlisted`, actions: 'failByLoss' },
            ],
            unanswered: `#${options.id}.unread`,
          },
          { 'query.send': { guard: 'isOverdue', target: 'sending' } },
        ),
      },
      clearing: {
        tags: ['list', 'busy'],
        meta: { description: 'Clears the webhook data that was read' },
        invoke: {
          id: 'clearAnswer',
          src: 'clearAnswer',
          input: ({ context }) => ({ webhookId: context.outcome?.webhook?.id ?? '' }),
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
      unlisted: {
        tags: ['list', 'failed'],
        meta: { description: 'The query was refused, or its list is not kept any more' },
        on: { retry: { target: 'sending' }, ...instead },
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
            ends: [
              { guard: 'isRefused', target: `#${options.id}.refused`, actions: 'failByOutcome' },
              { target: `#${options.id}.concluding`, actions: 'removeRow' },
            ],
            unanswered: `#${options.id}.unanswered`,
          },
          { 'answer.leave': { target: 'concluding' } },
        ),
      },
      concluding: {
        always: [
          { guard: 'isListed', target: 'listing' },
          { guard: 'isAsked', target: 'polling', actions: 'resumeQuery' },
          { target: 'ready' },
        ],
      },
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
  listedIn: debtorsIn,
});

export const creditorQueryMachine = partyQueryChart<Creditor>({
  id: creditorQuery.id,
  requires: creditorQuery.requires,
  idOf: ({ creditorId }) => creditorId,
  listedIn: creditorsIn,
});
