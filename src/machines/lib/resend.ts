import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { AnswerState, Outcome } from './messageOutcome.ts';
import { effect } from './effect.ts';
import { describedGuard } from './describe.ts';

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

/** What is known of a message: its outcome as just heard, else as in the list. */
export const knownOf = (
  { pending }: Pick<PendingState, 'pending'>,
  { messageId, outcome }: Pick<AnswerState, 'messageId' | 'outcome'>,
): Outcome | null => outcome ?? pending.find((each) => each.messageId === messageId) ?? null;

/** The list with the outcome of a message that is in it updated. */
export const pendingWith = (
  { pending }: Pick<PendingState, 'pending'>,
  { messageId, outcome }: Pick<AnswerState, 'messageId' | 'outcome'>,
): readonly Message[] => (outcome ? withOutcome(pending, messageId, outcome) : pending);
