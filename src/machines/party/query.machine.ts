import { assign, sendTo, setup } from 'xstate';
import type { Json } from '#contract/json.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import { creditorsIn, debtorsIn } from '#rules/party.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import {
  blockedState,
  cancelledState,
  checkingState,
  finalOutput,
  storesFacts,
  isBlocked,
  journeyTypes,
  type JourneyInput,
} from '../lib/gate.ts';
import { failsTo, mirrored, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import {
  ended,
  follows,
  passesOn,
  passesOnResending,
  refusedTo,
  resends,
  unsentTo,
  messageActions,
  messageGuards,
  messageIn,
} from '../lib/messaging.ts';
import { creditorQuery, debtorQuery } from './journeys.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { messageMachine, type MessageOutput } from '../lib/message.machine.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import { lostIn, mayRepeatListed, pendingWith } from '../lib/resend.ts';
import { isDeletion, listLost, type QueryContext, type QueryEvent, type QueryMaterial } from './query.ts';

/**
 * The types, effects, guards and actions of the list of debtors or creditors. Effects: `loadQuery`, `clearAnswer`.
 * `listedIn` extracts the parties from the data of the webhook that answers a query.
 */
function querySetup<Party>(
  { requires }: typeof debtorQuery | typeof creditorQuery,
  idOf: (party: Party) => string,
  listedIn: (data: Json | undefined) => Party[],
) {
  type Args = { context: QueryContext<Party>; event: QueryEvent };
  const isInList = ({ parties }: QueryContext<Party>, partyId: string): boolean =>
    parties.some((party) => idOf(party) === partyId);
  return setup({
    types: journeyTypes<{ context: QueryContext<Party>; events: QueryEvent }>(),
    actors: {
      loadQuery: effect<JourneyInput, QueryMaterial<Party>>('reads', readTexts('The known records')),
      message: messageMachine,
      clearAnswer: effect<{ webhookId: string }, void>('clears', actionTexts('The webhook data is cleared')),
    },
    guards: {
      isBlocked: isBlocked(requires),
      exists: describedGuard(
        'the row is there',
        ({ context, event }: Args) => event.type === 'party.delete' && isInList(context, event.id),
      ),
      isInList: describedGuard('it is in the list', ({ context }: Args) => isInList(context, context.resourceId)),
      isListed: describedGuard('the provider’s list was read', ({ context }: Args) => context.listed),
      isOverdue: describedGuard(
        'no response for a long time, or none could be read',
        ({ context }: Args) => messageIn(context).overdue || messageGuards.isUnanswered({ context }),
      ),
      hasPending: describedGuard('a deletion is pending', ({ context }: Args) => context.pending.some(isDeletion)),
      isAsked: describedGuard('a query is pending', ({ context }: Args) => context.asked !== null),
      hasArrived: describedGuard(
        'the list is there',
        (_: object, { outcome }: MessageOutput) => outcome?.webhook !== undefined,
      ),
      existsUnanswered: describedGuard(
        'the row is there, and the answer could not be read',
        ({ context, event }: Args) =>
          event.type === 'party.delete' && isInList(context, event.id) && messageGuards.isUnanswered({ context }),
      ),
      mayRepeatListed,
    },
    actions: {
      passOn: sendTo('message', ({ event }) => event),
      beginSubscription: assign(({ context }) => ({
        failure: null,
        asked: null,
        subscriptionId: context.facts.settings.subscriptionId,
      })),
      resumeDeletion: assign(({ context }) => {
        const deletion = context.pending.find(isDeletion);
        return { messageId: deletion?.messageId ?? '', resourceId: deletion?.resourceId ?? '' };
      }),
      beginQuery: assign({ failure: null, asked: null }),
      beginDeletion: assign({ failure: null, asked: null, messageId: '' }),
      chooseParty: assign(({ event }) => (event.type === 'party.delete' ? { resourceId: event.id } : {})),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        messageId: message.messageId,
        pending: pendingWith(context, message),
      })),
      showList: assign((_, { outcome }: AnswerState) => ({
        parties: listedIn(outcome?.webhook?.data),
        listed: true,
        askedAt: outcome?.sentAt ?? '',
        webhookId: outcome?.webhook?.id ?? '',
      })),
      removeRow: assign(({ context }) => ({
        parties: context.parties.filter((party) => idOf(party) !== context.resourceId),
        pending: context.pending.filter(({ messageId }) => messageId !== context.messageId),
      })),
      // A query that was not sent leaves the outcome of an earlier one unknown.
      assignLost: assign(({ context: { lostQuery } }, { failure }: MessageOutput) => ({
        lostQuery: failure?.outcome === 'not-sent' ? lostQuery : lostIn(failure),
      })),
      // Once it has been forwarded, it is no longer lost.
      forgetLost: assign(({ context: { lostQuery } }, { messageId }: Pick<AnswerState, 'messageId'>) => ({
        lostQuery: messageId === '' ? lostQuery : '',
      })),
      forgetAsked: assign({ asked: null }),
      assignListLost: assign({ failure: listLost }),
    },
  })
    .extend({ guards: messageGuards, actions: messageActions })
    .extend({ guards: journeyGuards, actions: journeyActions });
}

/**
 * Shows the known debtors or creditors, queries a provider for its own, and deletes one (behaviour, section 4). Both are
 * messages; the list that answers a query is shown, and its webhook cleared. A query whose answer does not arrive can be
 * resent. A retry repeats only the failed operation. When the page is opened again, a query or deletion that awaits its
 * answer is resumed.
 */
function partyQueryChart<Party>(
  journey: typeof debtorQuery | typeof creditorQuery,
  { one, many }: { one: 'debtor' | 'creditor'; many: string },
  idOf: (party: Party) => string,
  listedIn: (data: Json | undefined) => Party[],
) {
  const { id, requires } = journey;
  return querySetup(journey, idOf, listedIn).createMachine({
    id,
    context: ({ input }) => ({
      facts: input.facts,
      failure: null,
      invoked: null,
      subscriptionId: '',
      parties: [],
      listed: false,
      askedAt: '',
      webhookId: '',
      resourceId: '',
      messageId: '',
      pending: [],
      repeated: '',
      lostQuery: '',
      asked: null,
    }),
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('loading'),
      blocked: blockedState(requires),
      loading: {
        tags: ['busy'],
        description: `Reads the known ${many} and the pending messages`,
        entry: 'beginSubscription',
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
          onError: failsTo('unavailable'),
        },
      },
      unavailable: {
        tags: ['failed'],
        description: `The known ${many} could not be read`,
        on: { retry: { guard: 'canHelp', target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
      },
      resuming: {
        always: [{ guard: 'hasPending', target: 'deleting', actions: 'resumeDeletion' }, { target: 'concluding' }],
      },
      concluding: {
        always: [
          { guard: 'isListed', target: 'list.listing' },
          { guard: 'isAsked', target: 'querying' },
          { target: 'list.ready' },
        ],
      },
      list: {
        tags: ['list'],
        description: 'The parties are listed',
        initial: 'ready',
        on: {
          'query.send': { target: 'querying', actions: 'beginQuery', description: pressLabel(`Query ${many}`) },
          'party.delete': {
            guard: 'exists',
            target: 'confirming',
            actions: 'chooseParty',
            description: pressLabel('Delete'),
          },
          'message.sendAgain': {
            guard: 'mayRepeatListed',
            target: 'resending',
            actions: 'chooseMessage',
            description: pressLabel('Send again'),
          },
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
        },
        states: {
          ready: { description: `The known ${many} are shown; the provider can be asked` },
          listing: { description: 'The provider’s list is shown' },
          unlisted: {
            tags: ['failed'],
            description: 'The query was not sent or was refused, or its list is no longer stored',
            on: { retry: { target: `#${id}.querying`, actions: 'beginQuery' } },
          },
          uncleared: {
            tags: ['failed'],
            description: 'The provider’s list is shown; the webhook data could not be cleared',
            on: { retry: { guard: 'canHelp', target: `#${id}.clearing`, actions: 'clearFailure' } },
          },
          refused: {
            tags: ['failed'],
            description: 'The deletion was refused; the list is as it was',
            entry: 'emitFactsChanged', // a record that it depends on may have been deleted
            on: { retry: [{ guard: 'isInList', target: `#${id}.confirming` }, { target: `#${id}.checking` }] },
          },
          unresent: {
            tags: ['failed'],
            description: 'The message could not be sent again',
            on: { retry: { guard: 'canHelp', target: `#${id}.resending` } },
          },
        },
      },
      querying: {
        tags: ['list'],
        description: 'Sends the query and waits for the provider’s webhook',
        exit: ['forgetInvoked', 'forgetAsked'],
        on: {
          'message.sendAgain': passesOnResending,
          retry: passesOn,
          'query.send': { guard: 'isOverdue', target: 'querying', reenter: true, actions: 'beginQuery' },
          'party.delete': {
            guard: 'existsUnanswered',
            target: 'confirming',
            actions: ['chooseParty', 'clearFailure'],
          },
          'form.cancel': { guard: 'isForwarded', target: 'cancelled' },
        },
        invoke: {
          id: 'message',
          src: 'message',
          // A query that was sent before the page was opened can be resent at once. The list that it found is not among
          // the messages: one that is decided is read again.
          input: ({ context: { subscriptionId, lostQuery, asked } }) =>
            asked
              ? {
                  request: null,
                  messageId: asked.messageId,
                  outcome: asked.state === 'waiting' ? asked : null,
                  overdue: true,
                }
              : { request: { request: 'query', party: one, subscriptionId, lostQuery } },
          onSnapshot: {
            actions: [mirrored, { type: 'forgetLost', params: ({ event }) => event.snapshot.context }],
          },
          onDone: [
            {
              guard: { type: 'isUnsent', params: ended },
              target: 'list.unlisted',
              actions: [
                { type: 'assignUnsent', params: ended },
                { type: 'assignLost', params: ended },
                'emitFactsChanged', // a record that it depends on may have been deleted
              ],
            },
            {
              guard: { type: 'isRefused', params: ended },
              target: 'list.unlisted',
              actions: { type: 'assignRefusal', params: ended },
            },
            {
              guard: { type: 'hasArrived', params: ended },
              target: 'clearing',
              actions: [{ type: 'showList', params: ended }, 'emitFactsChanged'],
            },
            { target: 'list.unlisted', actions: 'assignListLost' },
          ],
        },
      },
      clearing: {
        tags: ['list', 'busy'],
        description: 'Stores the provider’s list',
        invoke: {
          id: 'clearAnswer',
          src: 'clearAnswer',
          input: ({ context: { webhookId } }) => ({ webhookId }),
          onDone: { target: 'list.listing' },
          onError: failsTo('list.uncleared'),
        },
      },
      confirming: {
        tags: ['list'],
        description: 'Confirm the deletion, or cancel it',
        on: {
          'delete.confirm': { target: 'deleting', actions: 'beginDeletion', description: pressLabel('Delete') },
          'delete.dismiss': { target: 'concluding', description: pressLabel('Cancel') },
        },
      },
      deleting: {
        tags: ['list'],
        description: 'Sends the deletion and waits for the provider’s webhook',
        exit: 'forgetInvoked',
        on: {
          'message.sendAgain': passesOnResending,
          retry: passesOn,
          'query.send': { guard: 'isUnanswered', target: 'querying', actions: 'beginQuery' },
          'party.delete': {
            guard: 'existsUnanswered',
            target: 'confirming',
            actions: ['chooseParty', 'clearFailure'],
          },
          'answer.leave': { guard: 'isAwaited', target: 'concluding', description: pressLabel('Stop waiting') },
          'form.cancel': { guard: 'isForwarded', target: 'cancelled' },
        },
        invoke: {
          id: 'message',
          src: 'message',
          input: ({ context: { subscriptionId, resourceId, messageId, pending } }) => ({
            request: messageId === '' ? { request: 'delete', party: one, subscriptionId, id: resourceId } : null,
            messageId,
            outcome: pending.find((each) => each.messageId === messageId) ?? null,
          }),
          onSnapshot: { actions: [mirrored, follows] },
          onDone: [
            unsentTo('list.refused'),
            refusedTo('list.refused'),
            { target: 'concluding', actions: ['removeRow', 'emitFactsChanged'] },
          ],
        },
      },
      resending: {
        tags: ['list', 'busy'],
        description: 'Resends a message whose response was lost, with the same key',
        entry: 'clearFailure',
        exit: 'forgetInvoked',
        invoke: {
          id: 'message',
          src: 'message',
          input: resends,
          onSnapshot: { actions: mirrored },
          onDone: [
            unsentTo('list.unresent'),
            // The provider may have decided meanwhile.
            { target: 'concluding', actions: [{ type: 'followMessage', params: ended }, 'emitFactsChanged'] },
          ],
        },
      },
      cancelled: cancelledState,
    },
  });
}

export const debtorQueryMachine = partyQueryChart<Debtor>(
  debtorQuery,
  { one: 'debtor', many: 'debtors' },
  ({ debtorId }) => debtorId,
  debtorsIn,
);

export const creditorQueryMachine = partyQueryChart<Creditor>(
  creditorQuery,
  { one: 'creditor', many: 'creditors' },
  ({ creditorId }) => creditorId,
  creditorsIn,
);
