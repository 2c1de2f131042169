import { assign, sendTo, setup } from 'xstate';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import { partyForm } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import { describedGuard } from '../lib/describe.ts';
import type { DraftInput, DraftState } from '../lib/draft.ts';
import { draftActions } from '../lib/draftActions.ts';
import { effect, readTexts } from '../lib/effect.ts';
import { isValid, mayFill, openForm, type FillEvent, type FormEvent, type FormState } from '../lib/form.ts';
import { isBlocked, journeyTypes } from '../lib/gate.ts';
import type { JourneyContext, JourneyEvent, JourneyInput } from '../lib/gate.ts';
import { formActions } from '../lib/formActions.ts';
import { invokingActions, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { messageApproval, messageMachine, type MessageOutput } from '../lib/message.machine.ts';
import { authoriseLinkOf, type AnswerState, type AuthoriseEvent, type Outcome } from '../lib/messageOutcome.ts';
import { messageActions, messageGuards } from '../lib/messaging.ts';
import { knownOf, mayRepeatListed, pendingWith, type PendingState, type SendAgainEvent } from '../lib/resend.ts';
import type { Invoking } from '../lib/state.ts';
import type { creditor, debtor } from './journeys.ts';

/** The data that the page reads; `pending` are the puts that await their answer, latest first. */
export interface PartyMaterial {
  rules: Rule[];
  pending: Message[];
}

export interface Context extends JourneyContext, FormState, DraftState, Invoking, PendingState {
  /** The subscription for which the material was read, even if another one is current by now. */
  subscriptionId: string;
  rules: Rule[];
  again: boolean;
  /** The message that is followed; '' if one is to be sent. */
  messageId: string;
  /** What is known of that message. */
  outcome: Outcome | null;
  result: { messageId: string } | null;
}

type PartyEvent =
  | JourneyEvent
  | FormEvent
  | FillEvent
  | AuthoriseEvent
  | SendAgainEvent
  | { type: 'party.another' | 'party.again' | 'answer.await' };

interface Args {
  context: Context;
}

/** Guard: there is a link for authorising the message. */
export const mayAuthorise = describedGuard(
  'the message requires authorisation',
  ({ context }: { context: Pick<Context, 'outcome'> }) => authoriseLinkOf(context.outcome) !== '',
);

/** Where the rules of a debtor or a creditor apply. */
export type PartyPath = 'DebtorAccounts' | 'Creditors';

/**
 * The types, effects, guards and actions of the form of a debtor or a creditor. Effect: `loadRules` (the rules of the
 * subscription's provider, and the pending puts).
 */
export const partySetup = ({ requires }: typeof debtor | typeof creditor, apiPath: PartyPath) =>
  setup({
    types: journeyTypes<{
      context: Context;
      events: PartyEvent;
      input: DraftInput;
      result: { messageId: string };
    }>(),
    actors: {
      loadRules: effect<JourneyInput, PartyMaterial>('reads', readTexts('Rules and pending messages')),
      message: messageMachine,
      approval: messageApproval,
    },
    guards: {
      isBlocked: isBlocked(requires),
      isValid,
      mayFill,
      hasPending: describedGuard('a message is pending', ({ context }: Args) => context.pending.length > 0),
      existsAlready: describedGuard(
        'one with the same name and account exists',
        (_: object, { failure }: MessageOutput) => failure?.code === 'exists-already',
      ),
      mayRepeatListed,
      mayAuthorise,
    },
    actions: {
      passOn: sendTo('message', ({ event }) => event),
      passOnToApproval: sendTo('approval', ({ event }) => event),
      beginSubscription: assign(({ context }) => ({
        failure: null,
        subscriptionId: context.facts.settings.subscriptionId,
      })),
      openForm: assign(({ context: { rules } }) => openForm(partyForm(rules, apiPath))),
      /** With the values of the put that awaits its answer. */
      openPending: assign(({ context: { rules, pending } }) => {
        const form = partyForm(rules, apiPath);
        return openForm(form, valuesIn(form, pending[0]?.data ?? {}));
      }),
      followPending: assign(({ context: { pending } }) => ({
        messageId: pending[0]?.messageId ?? '',
        outcome: pending[0] ?? null,
      })),
      confirmAgain: assign({ again: true }),
      clearAgain: assign({ again: false }),
      forgetMessage: assign({ messageId: '', outcome: null }),
      followMessage: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        messageId: message.messageId,
        outcome: knownOf(context, message),
        pending: pendingWith(context, message),
      })),
      followApproval: assign(({ context }, outcome: Outcome) => ({
        outcome,
        pending: pendingWith(context, { messageId: context.messageId, outcome }),
      })),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      updatePending: assign(({ context }, message: Pick<AnswerState, 'messageId' | 'outcome'>) => ({
        pending: pendingWith(context, message),
      })),
      assignResult: assign((_, { messageId }: AnswerState) => ({ result: { messageId } })),
    },
  })
    .extend({ guards: messageGuards })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ actions: invokingActions })
    .extend({ actions: messageActions })
    .extend({ actions: draftActions })
    .extend({
      actions: {
        changeField: formActions.changeField,
        fillForm: formActions.fillForm,
        showErrors: formActions.showErrors,
      },
    });
