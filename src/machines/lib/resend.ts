import type { AnyMachineSnapshot } from 'xstate';
import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { AnswerState, Heard, Outcome } from './messageOutcome.ts';
import { toFailed, effect } from './effect.ts';
import { pressLabel, describedGuard } from './describe.ts';

/** The effect that resends a message under its original idempotency key, so that the service accepts it only once. */
export const sendAgain = effect<{ messageId: string }, Message>('writes', {
  answers: 'The service has the message',
  fails: 'The outcome stays unknown',
});

/** The user resends a message that may not have reached the service. */
export interface SendAgainEvent {
  type: 'message.sendAgain';
  id: string;
}

/** Whether it is unknown if the service has the message, because its answer was lost. */
export const isUnsure = (message: Pick<Outcome, 'state' | 'forwarded'> | null | undefined): boolean =>
  message?.state === 'waiting' && message.forwarded === false;

/** Whether the service is known to have the message whose answer could not be read; `failure` is what is shown. */
export function isSent(snapshot: AnyMachineSnapshot, failure: Problem): boolean {
  const { outcome } = snapshot.context as Partial<AnswerState>; // of every chart that awaits an answer
  return snapshot.hasTag('sent') && failure.outcome === undefined && !isUnsure(outcome);
}

/** The id of the message that a failed write may have sent and that can be resent; '' if there is none. */
export const lostIn = (failure: Problem | null): string =>
  failure?.outcome === 'unknown' && failure.code !== 'outcome-unknown' ? (failure.messageId ?? '') : '';

const unsureWords = 'the outcome is unknown';

/** Guard for the message whose answer is awaited. */
export const mayRepeat = describedGuard(
  unsureWords,
  ({ context, event }: { context: AnswerState; event: { type: string; id?: string } }): boolean =>
    isUnsure(context.outcome) && event.id === context.messageId,
);

/** The part of a context that a list of pending messages needs; `repeated` is the id of the message being resent. */
export interface PendingState {
  pending: readonly Message[];
  repeated: string;
}

/** Guard for a message in the list. */
export const mayRepeatListed = describedGuard(
  unsureWords,
  ({ context, event }: { context: PendingState; event: { type: string; id?: string } }): boolean =>
    isUnsure(context.pending.find(({ messageId }) => messageId === event.id)),
);

/** The list with the outcome of one of its messages updated. */
const withOutcome = (pending: readonly Message[], id: string, outcome: Outcome): Message[] =>
  pending.map((each) => (each.messageId === id ? { ...each, ...outcome } : each));

/** The id of the message that `message.sendAgain` names. */
export const chosenMessage = ({ event }: { event: { type: string; id?: string } }): { repeated?: string } =>
  event.type === 'message.sendAgain' && event.id !== undefined ? { repeated: event.id } : {};

/** The list with one message replaced by its current version. */
export const keptMessage = (
  { context }: { context: PendingState },
  message: Message,
): Pick<PendingState, 'pending'> => ({
  pending: withOutcome(context.pending, message.messageId, message),
});

/** Context changes for news of the awaited message; its outcome is updated in the list too. */
export const heardListed = (
  { context: { messageId, outcome, pending } }: { context: AnswerState & PendingState },
  { answer, overdue }: Heard,
): Pick<AnswerState & PendingState, 'outcome' | 'overdue' | 'pending'> => ({
  outcome: answer ?? outcome,
  overdue,
  pending: answer ? withOutcome(pending, messageId, answer) : pending,
});

/** Transitions of a state that lists pending messages. */
export const resendEvents = {
  'message.sendAgain': {
    guard: 'mayRepeatListed',
    target: 'repeating',
    actions: 'chooseMessage',
    description: pressLabel('Send again'),
  },
} as const;

/**
 * States for resending a listed message, and for a failure to do so. The chart supplies the effect `sendAgain` and the
 * actions `chooseMessage`, `assignMessage` and `emitFactsChanged`. `tag` is the tag of these states, `back` the target after success,
 * `more` the transitions available after a failure besides retrying.
 */
export const resendStates = <const T extends 'form' | 'list', const Back extends string, const More extends object>(
  tag: T,
  back: Back,
  more: More,
) =>
  ({
    repeating: {
      tags: [tag, 'busy'],
      meta: { description: 'Resends a message whose response was lost, with the same key' },
      entry: 'clearFailure',
      invoke: {
        id: 'sendAgain',
        src: 'sendAgain',
        input: ({ context }: { context: PendingState }) => ({ messageId: context.repeated }),
        onDone: {
          target: back,
          actions: [
            { type: 'assignMessage', params: ({ event }: { event: { output: Message } }) => event.output },
            'emitFactsChanged', // the provider may have decided meanwhile
          ],
        },
        onError: toFailed('unrepeated'),
      },
    },
    unrepeated: {
      tags: [tag, 'failed'],
      meta: { description: 'The message could not be sent again' },
      on: { ...more, ...resendEvents, retry: { target: 'repeating' } },
    },
  }) as const;

/**
 * Transitions of states that await a message's outcome; a message that may not have reached the service can be resent.
 */
export const resendWhileWaiting = {
  'message.sendAgain': { guard: 'mayRepeat', target: 'repeating', description: pressLabel('Send again') },
} as const;
