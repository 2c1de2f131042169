import type { AnyMachineSnapshot } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { describedGuard, pressLabel } from './describe.ts';
import {
  messageMachine,
  type MessageContext,
  type MessageEnd,
  type MessageInput,
  type MessageOutput,
} from './message.machine.ts';
import { assigns, invokingActions } from './journeyActions.ts';
import { noAnswer, refusedProblem, type AnswerState } from './messageOutcome.ts';
import { isUnsure, type PendingState } from './resend.ts';
import { hasTag, invokedIn, isTaken, type Invoking } from './state.ts';

/** What is shown of the message about which a journey converses; nothing while it has none. */
export const messageIn = ({ invoked }: Invoking): AnswerState & Pick<MessageContext, 'already'> =>
  invoked?.machine.id === messageMachine.id
    ? (invoked.context as MessageContext) // of that machine
    : { ...noAnswer, already: false };

/** The outcome of a conversation, as the params of guards and actions. */
export const ended = ({ event }: { event: { output: MessageOutput } }): MessageOutput => event.output;

/** The journey's own action `followMessage` takes what has become of the message at its end. */
const followsEnd = { type: 'followMessage', params: ended } as const;

/** The transition of a conversation whose message could not be sent: the failure is shown in the state `target`. */
export const unsentTo = <const Target extends string>(target: Target) =>
  ({
    guard: { type: 'isUnsent', params: ended },
    target,
    actions: { type: 'assignUnsent', params: ended },
  }) as const;

/** The transition of a message that was not sent, because the user has to decide about a pending one. */
export const heldTo = <const Target extends string>(target: Target) =>
  ({ guard: { type: 'isHeld', params: ended }, target, actions: followsEnd }) as const;

/** The transition of a message that the provider has refused. */
export const refusedTo = <const Target extends string>(target: Target) =>
  ({
    guard: { type: 'isRefused', params: ended },
    target,
    actions: [followsEnd, { type: 'assignRefusal', params: ended }],
  }) as const;

/** What a journey gives the machine of messages to resend one of its list. */
export const resends = ({ context: { repeated } }: { context: PendingState }): MessageInput => ({
  request: null,
  messageId: repeated,
  resends: true,
});

const endsAs =
  (end: MessageEnd) =>
  (_: unknown, output: MessageOutput): boolean =>
    output.end === end;

/** The guards of a journey that invokes the machine of messages. */
export const messageGuards = {
  isTaken,
  /** While it is being sent, a message is neither left nor changed. */
  isForwarded: describedGuard(
    'it is no longer being sent',
    ({ context: { invoked } }: { context: Invoking }) => invoked !== null && !hasTag(invoked, 'busy'),
  ),
  isAwaited: describedGuard(
    'it is waiting for the webhook',
    ({ context: { invoked } }: { context: Invoking }) =>
      invoked !== null && !hasTag(invoked, 'busy') && !hasTag(invoked, 'failed'),
  ),
  isUnanswered: describedGuard(
    'its status could not be read',
    ({ context: { invoked } }: { context: Invoking }) => invoked !== null && hasTag(invoked, 'failed'),
  ),
  isRefused: describedGuard('the provider refused', endsAs('refused')),
  isHeld: describedGuard('the user has to decide about a pending one', endsAs('held')),
  isUnsent: describedGuard('it could not be sent', endsAs('unsent')),
};

/** The actions of a journey that invokes the machine of messages, beside its own `followMessage` and `passOn`. */
export const messageActions = {
  mirrorInvoked: invokingActions.mirrorInvoked,
  forgetInvoked: invokingActions.forgetInvoked,
  assignRefusal: assigns(({ outcome }: MessageOutput) => ({ failure: outcome && refusedProblem(outcome) })),
  assignUnsent: assigns(({ failure }: MessageOutput) => ({ failure })),
};

/** The transition of an event that a journey passes on to the message. */
export const passesOn = { guard: 'isTaken', actions: 'passOn' } as const;
export const passesOnResending = {
  guard: 'isTaken',
  actions: 'passOn',
  description: pressLabel('Send again'),
} as const;

/** The journey's own action `followMessage` takes what has become of the message. */
export const follows = {
  type: 'followMessage',
  params: ({ event }: { event: { snapshot: { context: AnswerState } } }) => event.snapshot.context,
} as const;

/** Whether the journey's message is no longer being sent, so that the page shows what becomes of it. */
export const isForwarded = (snapshot: AnyMachineSnapshot): boolean =>
  invokedIn(snapshot) !== undefined && !hasTag(snapshot, 'busy');

/** Whether the journey waits for the answer to its message. */
export const isAwaited = (snapshot: AnyMachineSnapshot): boolean =>
  isForwarded(snapshot) && !hasTag(snapshot, 'failed');

/** Whether the service is known to have the message whose answer could not be read; `failure` is what is shown. */
export const isSent = (snapshot: AnyMachineSnapshot, failure: Problem): boolean =>
  hasTag(snapshot, 'sent') &&
  failure.outcome === undefined &&
  !isUnsure(messageIn(snapshot.context as Invoking).outcome); // of every journey that converses
