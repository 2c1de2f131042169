import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { AnswerState, Heard, Outcome } from './answer.ts';
import { failing, port } from './port.ts';
import { press, when } from './say.ts';

/** The port that sends a message again under its own idempotency key; the service takes it once. */
export const sendAgain = port<{ messageId: string }, Message>('writes', {
  answers: 'The service has the message',
  fails: 'Whether the service has it stays unknown',
});

/** The user sends a message again that the service may never have had. */
export interface SendAgainEvent {
  type: 'message.sendAgain';
  id: string;
}

/** Nobody knows whether the service has the message: its answer was lost. */
export const isUnsure = (message: Pick<Outcome, 'state' | 'forwarded'> | null | undefined): boolean =>
  message?.state === 'waiting' && message.forwarded === false;

/** The message that a failed write may have sent and that can be sent again, '' if there is none. */
export const lostIn = (failure: Problem | null): string =>
  failure?.outcome === 'unknown' && failure.code !== 'outcome-unknown' ? (failure.messageId ?? '') : '';

const unsureWords = 'nobody knows whether the service has it';

/** Of the message that is followed. */
export const mayRepeat = when(
  unsureWords,
  ({ context, event }: { context: AnswerState; event: { type: string; id?: string } }): boolean =>
    isUnsure(context.outcome) && event.id === context.messageId,
);

/** The part of a context that a list of messages needs; `repeated` is the one that is sent again. */
export interface PendingState {
  pending: readonly Message[];
  repeated: string;
}

/** Of a message in the list. */
export const mayRepeatListed = when(
  unsureWords,
  ({ context, event }: { context: PendingState; event: { type: string; id?: string } }): boolean =>
    isUnsure(context.pending.find(({ messageId }) => messageId === event.id)),
);

/** The list with what has become of one of its messages. */
const withOutcome = (pending: readonly Message[], id: string, outcome: Outcome): Message[] =>
  pending.map((each) => (each.messageId === id ? { ...each, ...outcome } : each));

/** The message that `message.sendAgain` names. */
export const chosenMessage = ({ event }: { event: { type: string; id?: string } }): { repeated?: string } =>
  event.type === 'message.sendAgain' && event.id !== undefined ? { repeated: event.id } : {};

/** The list with a message as the service has it now. */
export const keptMessage = (
  { context }: { context: PendingState },
  message: Message,
): Pick<PendingState, 'pending'> => ({
  pending: withOutcome(context.pending, message.messageId, message),
});

/** What there is to be kept of news of the message that is followed, in the list as well. */
export const heardListed = (
  { context: { messageId, outcome, pending } }: { context: AnswerState & PendingState },
  { answer, overdue }: Heard,
): Pick<AnswerState & PendingState, 'outcome' | 'overdue' | 'pending'> => ({
  outcome: answer ?? outcome,
  overdue,
  pending: answer ? withOutcome(pending, messageId, answer) : pending,
});

/** What a state hears in which messages are listed. */
export const repeats = {
  'message.sendAgain': {
    guard: 'mayRepeatListed',
    target: 'repeating',
    actions: 'chooseMessage',
    description: press('Send again'),
  },
} as const;

/**
 * Sending a listed message again, and what follows where that fails. The chart supplies the port `sendAgain` and the
 * actions `chooseMessage`, `keepMessage` and `tell`; `tag` is that of its states, `back` where it goes on, `more` what
 * can be done instead of trying again.
 */
export const repeating = <const T extends 'form' | 'list', const Back extends string, const More extends object>(
  tag: T,
  back: Back,
  more: More,
) =>
  ({
    repeating: {
      tags: [tag, 'busy'],
      meta: { description: 'A message whose answer was lost is sent again, under its own key' },
      entry: 'forgetFailure',
      invoke: {
        id: 'sendAgain',
        src: 'sendAgain',
        input: ({ context }: { context: PendingState }) => ({ messageId: context.repeated }),
        onDone: {
          target: back,
          actions: [
            { type: 'keepMessage', params: ({ event }: { event: { output: Message } }) => event.output },
            'tell', // the provider may have decided meanwhile
          ],
        },
        onError: failing('unrepeated'),
      },
    },
    unrepeated: {
      tags: [tag, 'failed'],
      meta: { description: 'The message could not be sent again' },
      on: { ...more, ...repeats, retry: { target: 'repeating' } },
    },
  }) as const;

/** What the states of a message that is followed hear while nobody knows whether the service has it. */
export const repeatsFollowed = {
  'message.sendAgain': { guard: 'mayRepeat', target: 'repeating', description: press('Send again') },
} as const;
