import { assign, emit, setup } from 'xstate';
import type { Json } from '#contract/json.ts';
import type { Message } from '#contract/message.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import { creditorsIn, debtorsIn } from '#rules/party.ts';
import { chosenMessage, heardListed, keptMessage, lostIn, mayRepeat, mayRepeatListed } from '../lib/resend.ts';
import { resendStates, resendEvents, sendAgain } from '../lib/resend.ts';
import {
  awaitingAnswer,
  askOutcome,
  isRefused,
  noAnswer,
  refusedProblem,
  type Heard,
  type Sent,
} from '../lib/messageOutcome.ts';
import { blockedState, isBlocked, factsIn, cancelledState, finalOutput } from '../lib/gate.ts';
import type { JourneyEmitted, JourneyInput, JourneyOutput, Meta, Tag } from '../lib/gate.ts';
import { readTexts, toFailed, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { deletion } from './deletion.ts';
import { creditorQuery, debtorQuery } from './journeys.ts';
import { failed, failedAsSent, instead, isDeletion, listLost } from './query.ts';
import type { QueryContext, QueryEvent, QueryMaterial, QuerySent } from './query.ts';

/**
 * Shows the known debtors or creditors, queries a provider for its own, and deletes one (behaviour, section 4). Polls until the answer
 * arrives, lists it, and clears its webhook. A query whose answer does not arrive can be resent. A retry repeats only
 * the failed operation. When the page is opened again, a query or deletion that awaits its answer is resumed. Effects:
 * `loadQuery`, `sendQuery`, `clearAnswer`, `deleteParty`, `askOutcome`, `sendAgain`. `listedIn` extracts the parties
 * from the data of the webhook that answers a query.
 */
function partyQueryChart<Party>(
  { id, requires }: typeof debtorQuery | typeof creditorQuery,
  many: string,
  idOf: (party: Party) => string,
  listedIn: (data: Json | undefined) => Party[],
) {
  type Args = { context: QueryContext<Party>; event: QueryEvent };
  return setup({
    types: {
      context: {} as QueryContext<Party>,
      input: {} as JourneyInput,
      output: {} as JourneyOutput<never>,
      emitted: {} as JourneyEmitted,
      events: {} as QueryEvent,
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadQuery: effect<JourneyInput, QueryMaterial<Party>>('reads', readTexts('The known records')),
      sendQuery: effect<QuerySent, Pick<Sent, 'messageId'>>('writes', actionTexts('The query is forwarded')),
      clearAnswer: effect<{ webhookId: string }, void>('clears', actionTexts('The webhook data is cleared')),
      deleteParty: effect<{ subscriptionId: string; id: string }, Sent>(
        'writes',
        actionTexts('The deletion is forwarded'),
      ),
      askOutcome,
      sendAgain,
    },
    guards: {
      isBlocked: isBlocked(requires),
      exists: describedGuard(
        'the row is there',
        ({ context, event }: Args) =>
          event.type === 'party.delete' && context.parties.some((party) => idOf(party) === event.id),
      ),
      isInList: describedGuard('it is in the list', ({ context }: Args) =>
        context.parties.some((party) => idOf(party) === context.resourceId),
      ),
      isListed: describedGuard('the provider’s list was read', ({ context }: Args) => context.listed),
      isOverdue: describedGuard('no response for a long time', ({ context }: Args) => context.overdue),
      hasPending: describedGuard('a message is pending', ({ context }: Args) => context.pending.some(isDeletion)),
      isAsked: describedGuard('a query is pending', ({ context }: Args) => context.asked !== null),
      hasArrived: describedGuard('the list is there', ({ context }: Args) => context.outcome?.webhook !== undefined),
      isRefused,
      mayRepeat,
      mayRepeatListed,
    },
    actions: {
      assignFacts: assign(({ event }) => factsIn(event)),
      emitFactsChanged: emit({ type: 'facts.changed' }),
      begin: assign(({ context }) => ({ subscriptionId: context.facts.settings.subscriptionId })),
      clearFailure: assign({ failure: null }),
      clear: assign({ failure: null, outcome: null, looks: 0, overdue: false, asked: null }),
      resume: assign(({ context }) => {
        const deletion = context.pending.find(isDeletion) ?? null;
        return {
          messageId: deletion?.messageId ?? '',
          resourceId: deletion?.resourceId ?? '',
          outcome: deletion,
        };
      }),
      // The query was sent before the page was opened, so resending is offered immediately.
      resumeQuery: assign(({ context: { asked } }) => ({
        messageId: asked?.messageId ?? '',
        outcome: asked,
        asked: null,
        overdue: true,
      })),
      choose: assign(({ event }) => (event.type === 'party.delete' ? { resourceId: event.id } : {})),
      show: assign(({ context: { outcome } }) => ({
        parties: listedIn(outcome?.webhook?.data),
        listed: true,
        askedAt: outcome?.sentAt ?? '',
      })),
      removeRow: assign(({ context }) => ({
        parties: context.parties.filter((party) => idOf(party) !== context.resourceId),
        pending: context.pending.filter(({ messageId }) => messageId !== context.messageId),
      })),
      follow: assign((_, { messageId }: Pick<Sent, 'messageId'>) => ({ messageId })),
      chooseMessage: assign(chosenMessage),
      assignMessage: assign((args, message: Message) => keptMessage(args, message)),
      hear: assign((args, news: Heard) => ({
        ...heardListed(args, news),
        looks: args.context.looks + (news.answer ? 1 : 0),
      })),
      assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      // A query that was not sent leaves the outcome of an earlier one unknown.
      assignLost: assign(({ context: { failure, lostQuery } }) => ({
        lostQuery: failure?.outcome === 'not-sent' ? lostQuery : lostIn(failure),
      })),
      failByLoss: assign({ failure: listLost }),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusedProblem(context.outcome) })),
    },
  }).createMachine({
    id,
    context: ({ input }) => ({
      facts: input.facts,
      failure: null,
      ...noAnswer,
      subscriptionId: '',
      parties: [],
      listed: false,
      askedAt: '',
      resourceId: '',
      looks: 0,
      pending: [],
      repeated: '',
      lostQuery: '',
      asked: null,
    }),
    initial: 'checking',
    on: { 'facts.arrived': { actions: 'assignFacts' } },
    output: finalOutput,
    states: {
      checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
      blocked: blockedState(requires),
      loading: {
        tags: ['busy'],
        meta: { description: `Reads the known ${many} and the pending messages` },
        entry: ['clear', 'begin'],
        invoke: {
          id: 'loadQuery',
          src: 'loadQuery',
          input: ({ context: { facts } }) => ({ facts }),
          onDone: {
            target: 'resuming',
            actions: assign(({ context, event: { output } }) => ({
              pending: output.pending,
              asked: output.asked,
              parties: context.listed ? context.parties : output.known,
            })),
          },
          onError: toFailed('unavailable'),
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: `The known ${many} could not be read` },
        on: { retry: { target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
      },
      resuming: {
        always: [{ guard: 'hasPending', target: 'answering', actions: 'resume' }, { target: 'concluding' }],
      },
      ready: {
        tags: ['list'],
        meta: { description: `The known ${many} are shown; the provider can be asked` },
        on: {
          ...resendEvents,
          ...instead,
          'query.send': { target: 'sending', description: pressLabel(`Query ${many}`) },
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
        },
      },
      ...resendStates('list', 'concluding', instead),
      sending: {
        tags: ['list', 'busy'],
        meta: { description: 'The query is being sent' },
        entry: 'clear',
        invoke: {
          id: 'sendQuery',
          src: 'sendQuery',
          input: ({ context: { subscriptionId, lostQuery } }) => ({ subscriptionId, lostQuery }),
          onDone: {
            target: 'polling',
            actions: assign(({ event }) => ({ messageId: event.output.messageId, lostQuery: '' })),
          },
          onError: {
            target: 'unsent',
            actions: [toFailed('unsent').actions, 'assignLost'],
          },
        },
      },
      polling: {
        tags: ['list'],
        meta: { description: 'Waiting for the provider’s webhook' },
        ...awaitingAnswer(
          {
            ends: [
              { guard: 'isRefused', target: `#${id}.unlisted`, actions: 'failByOutcome' },
              { guard: 'hasArrived', target: `#${id}.clearing`, actions: ['show', 'emitFactsChanged'] },
              { target: `#${id}.unlisted`, actions: 'failByLoss' },
            ],
            unanswered: `#${id}.unread`,
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
          onError: toFailed('uncleared'),
        },
      },
      // A record that it depends on may have been deleted.
      unsent: { ...failed('The query could not be sent', { target: 'sending' }), entry: 'emitFactsChanged' },
      unread: failedAsSent('The query was sent; the webhook data could not be read', {
        target: 'polling',
        actions: 'clearFailure',
      }),
      unlisted: failed('The query was refused, or its list is no longer stored', { target: 'sending' }),
      uncleared: failed('The provider’s list is shown; the webhook data could not be cleared', {
        target: 'clearing',
        actions: 'clearFailure',
      }),
      listing: {
        tags: ['list'],
        meta: { description: 'The provider’s list is shown' },
        on: { ...resendEvents, ...instead },
      },
      ...deletion(id),
      concluding: {
        always: [
          { guard: 'isListed', target: 'listing' },
          { guard: 'isAsked', target: 'polling', actions: 'resumeQuery' },
          { target: 'ready' },
        ],
      },
      cancelled: cancelledState,
    },
  });
}

export const debtorQueryMachine = partyQueryChart<Debtor>(
  debtorQuery,
  'debtors',
  ({ debtorId }) => debtorId,
  debtorsIn,
);

export const creditorQueryMachine = partyQueryChart<Creditor>(
  creditorQuery,
  'creditors',
  ({ creditorId }) => creditorId,
  creditorsIn,
);
