import { isProblem } from '#contract/isProblem.ts';
import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { Outcome, Sent } from '#machines/lib/messageOutcome.ts';
import { withWakeups } from '#machines/lib/effect.ts';
import { call } from '../api/client.ts';
import { subscribeToRecord } from '../api/recordEvents.ts';
import { failureOfRepeat } from '../api/withIdempotencyKey.ts';

/** Messages of these kinds about a subscription that await their answer, latest first. */
export async function pendingOf(kinds: string, subscriptionId: string, signal: AbortSignal): Promise<Message[]> {
  if (subscriptionId === '') return [];
  const query = { state: 'waiting', kind: kinds, subscriptionId } as const;
  return (await call('listMessages', { query, signal })).data;
}

/** The effect `askOutcome` of every journey that puts, deletes or updates: the message's outcome at the provider. */
export const askOutcome = withWakeups(
  async ({ messageId }: { messageId: string }, signal): Promise<Outcome> =>
    (await call('getMessage', { params: { resourceId: messageId }, signal })).data,
  ({ messageId }, wake) => subscribeToRecord(messageId, wake),
);

/** The effect `sendAgain` of every journey that awaits the answer to a message. A failure names the message. */
export async function sendAgain({ messageId }: { messageId: string }, signal: AbortSignal): Promise<Message> {
  const answer = await call('sendMessageAgain', { params: { messageId }, signal }).catch((reason: unknown) => {
    const error = failureOfRepeat(reason);
    throw isProblem(error) ? { ...error, messageId } : error;
  });
  return answer.data;
}

/**
 * Resolves to the sent message. If the server refuses it because a message is pending, resolves to the pending one;
 * `another` is true if that one differs.
 */
export const sent = (sending: Promise<{ messageId: string }>): Promise<Sent & { another: boolean }> =>
  sending.then(
    ({ messageId }) => ({ messageId, pending: false, another: false }),
    (error: unknown) => {
      const { code, messageId, errors = [] } = error as Partial<Problem>; // calls reject with problems
      if (code !== 'message-pending' || messageId === undefined) throw error;
      return { messageId, pending: true, another: errors.length > 0 };
    },
  );
