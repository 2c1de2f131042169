import { assign, sendTo, setup } from 'xstate';
import type { Json } from '#contract/json.ts';
import { describedGuard } from '../lib/describe.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { isBlocked, journeyTypes } from '../lib/gate.ts';
import type { JourneyInput } from '../lib/gate.ts';
import { invokingActions, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { messageMachine, type MessageOutput } from '../lib/message.machine.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import { messageActions, messageGuards, messageIn } from '../lib/messaging.ts';
import { lostIn, mayRepeatListed, pendingWith } from '../lib/resend.ts';
import type { creditorQuery, debtorQuery } from './journeys.ts';
import { isDeletion, listLost, type QueryContext, type QueryEvent, type QueryMaterial } from './query.ts';

/**
 * The types, effects, guards and actions of the list of debtors or creditors. Effects: `loadQuery`, `clearAnswer`.
 * `listedIn` extracts the parties from the data of the webhook that answers a query.
 */
export function querySetup<Party>(
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
    .extend({ guards: messageGuards })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ actions: invokingActions })
    .extend({ actions: messageActions });
}
