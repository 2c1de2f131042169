import { assign, log, sendTo, setup } from 'xstate';
import { languageOfCountry } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { own } from '#contract/member.ts';
import { describedGuard } from '../lib/describe.ts';
import { doubleClick } from '../lib/doubleClick.ts';
import { actionTexts, effect, readOneTexts, readTexts } from '../lib/effect.ts';
import { isValid, type FormEvent } from '../lib/form.ts';
import { isBlocked, journeyTypes } from '../lib/gate.ts';
import type { JourneyContext, JourneyEvent } from '../lib/gate.ts';
import { formActions } from '../lib/formActions.ts';
import { invokingActions, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { messageMachine } from '../lib/message.machine.ts';
import { messageActions, messageGuards } from '../lib/messaging.ts';
import type { AnswerState } from '../lib/messageOutcome.ts';
import type { SendAgainEvent } from '../lib/resend.ts';
import { authorisation } from './journeys.ts';
import {
  approvalOf,
  authoriseBlocked,
  differs,
  named,
  rowGuards,
  subscriptionApproval,
  withCurrent,
  withRow,
  type Act,
  type SubscriptionRow,
} from './rows.ts';
import { select } from './switching.ts';
import { chosenForm, followed, pendingForm, pendingRow, settled, type UpdateState } from './update.ts';

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
  | { type: 'authorise.close' | 'answer.await' | 'update.again' };

interface Args {
  context: Context;
}

/** Input of an effect: the row that an event has chosen. */
export const ofChosen = ({ context }: Args) => context.chosen as SubscriptionRow; // its states are entered only with one

/** The types, effects, guards and actions of the subscription list. */
export const listSetup = setup({
  types: journeyTypes<{ context: Context; events: Event; input: Input }>(),
  actors: {
    loadRows: effect<void, SubscriptionRow[]>('reads', readTexts('The subscriptions')),
    readRow: effect<SubscriptionRow, SubscriptionRow>('reads', readOneTexts('The subscription')),
    approval: subscriptionApproval,
    message: messageMachine,
    select,
    suspend: effect<{ subscriptionId: string; suspendedByConsumer: boolean }, void>(
      'writes',
      actionTexts('The change is stored'),
    ),
  },
  delays: { doubleClick },
  guards: {
    isBlocked: isBlocked(authorisation.requires),
    opensCurrent: describedGuard(
      'on the guided path the current one is to be approved in a frame',
      ({ context }: Args) => {
        const approval = context.opens ? approvalOf(context) : null;
        return approval?.need === 'approve' && approval.row.framed && authoriseBlocked(approval.row) === '';
      },
    ),
    /** By another tab or a program: what has been done here stands in the rows already. */
    isOutdated: describedGuard(
      'the list was changed elsewhere',
      ({ context: { rows, facts: before } }: Pick<Args, 'context'>, { facts }: { facts: Facts }) =>
        differs(rows, before.settings, facts.settings),
    ),
    resumesPending: describedGuard(
      'an update is pending as the page is opened',
      ({ context }: Args) => context.resumes && pendingRow(context) !== null,
    ),
    isValid,
    hasNoLanguage: describedGuard(
      'its country has no language',
      (args: Args) => !own(languageOfCountry, ofChosen(args).country),
    ),
  },
  actions: {
    passOn: sendTo('message', ({ event }) => event),
    passOnToApproval: sendTo('approval', ({ event }) => event),
    chooseRow: assign(({ context, event }, { act }: { act: Act }) => ({
      chosen: named({ context, event }),
      act,
      opens: false,
      resumes: false,
    })),
    chooseCurrent: assign(({ context }) => ({
      chosen: approvalOf(context)?.row ?? null,
      act: 'authorise' as const,
      opens: false,
      resumes: false,
    })),
    leaveUndone: assign({ act: null, failure: null }),
    choosePending: assign(({ context, event }) => ({
      chosen: named({ context, event }) ?? pendingRow(context),
      act: 'update' as const,
      opens: false,
      resumes: false,
    })),
    openForm: assign(({ context }) => chosenForm(context)),
    openPending: assign(({ context }) => pendingForm(context)),
    followPending: assign(({ context: { chosen } }) => ({ messageId: chosen?.pending?.messageId ?? '' })),
    settleUpdate: assign(({ context }) => settled(context)),
    confirmAgain: assign({ again: true }),
    clearAgain: assign({ again: false }),
    forgetMessage: assign({ messageId: '' }),
    followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) =>
      followed(context, message),
    ),
    logUnknownCountry: log(({ context }) => `No language is known for country "${context.chosen?.country ?? ''}"`),
    assignRow: assign(({ context }, row: SubscriptionRow) => withRow(context, row)),
    markCurrent: assign(({ context }) => withCurrent(context)),
  },
})
  .extend({ guards: messageGuards })
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({ guards: rowGuards, actions: invokingActions })
  .extend({ actions: messageActions })
  .extend({
    actions: {
      changeField: formActions.changeField,
      showErrors: formActions.showErrors,
    },
  });
