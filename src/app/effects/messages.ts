import { isProblem } from '#contract/isProblem.ts';
import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { Outcome, Sent } from '#machines/lib/messageOutcome.ts';
import { provideApproval } from '#machines/lib/approval.machine.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import type { MessageRequest } from '#machines/lib/messageRequest.ts';
import { provideEffects, withWakeups } from '#machines/lib/effect.ts';
import { putOf } from '#rules/party.ts';
import { updateOf } from '#rules/update.ts';
import { call } from '../client/client.ts';
import { subscribeToRecord } from '../client/recordEvents.ts';
import { failureOfRepeat, withIdempotencyKey } from '../client/withIdempotencyKey.ts';
import { frameMachine } from '#machines/lib/frame.machine.ts';

/** Messages of these kinds about a subscription that await their answer, latest first. */
export async function pendingOf(kinds: string, subscriptionId: string, signal: AbortSignal): Promise<Message[]> {
  if (subscriptionId === '') return [];
  const query = { state: 'waiting', kind: kinds, subscriptionId } as const;
  return (await call('listMessages', { query, signal })).data;
}

/** The message's outcome at the provider. */
const askOutcome = withWakeups(
  async ({ messageId }: { messageId: string }, signal): Promise<Outcome> =>
    (await call('getMessage', { params: { resourceId: messageId }, signal })).data,
  ({ messageId }, wake) => subscribeToRecord(messageId, wake),
);

/** A failure names the message. */
export async function sendAgain({ messageId }: { messageId: string }, signal: AbortSignal): Promise<Message> {
  const answer = await call('sendMessageAgain', { params: { messageId }, signal }).catch((reason: unknown) => {
    const error = failureOfRepeat(reason);
    throw isProblem(error) ? { ...error, messageId } : error;
  });
  return answer.data;
}

/**
 * Resolves to the sent message. If the server refuses it because a message is pending, resolves to the pending one,
 * about which the user decides if `holds`; `differs`: it is another one than this.
 */
const sent = (
  sending: Promise<{ messageId: string }>,
  holds: (differs: boolean) => boolean = () => false,
): Promise<Sent> =>
  sending.then(
    ({ messageId }) => ({ messageId, pending: false, held: false }),
    (error: unknown) => {
      const { code, messageId, errors = [] } = error as Partial<Problem>; // calls reject with problems
      if (code === 'exists-already') return { messageId: '', pending: false, held: true, exists: error as Problem }; // as above
      if (code !== 'message-pending' || messageId === undefined) throw error;
      return { messageId, pending: true, held: holds(errors.length > 0) };
    },
  );

type Requested<Kind extends MessageRequest['request']> = Extract<MessageRequest, { request: Kind }>;

/** The party has the random id of the write, so that a repeated attempt names the same one. */
function put({ party, subscriptionId, body, again }: Requested<'put'>, signal: AbortSignal): Promise<Sent> {
  const whilePending = again ? 'send' : 'refuse';
  const [name, idName] =
    party === 'debtor' ? (['putDebtor', 'debtorId'] as const) : (['putCreditor', 'creditorId'] as const);
  return sent(
    withIdempotencyKey(name, { subscriptionId, body, whilePending }, (key, id) =>
      call(name, { body: { data: putOf(idName, body, id, subscriptionId), whilePending }, key, signal }),
    ),
    () => true,
  );
}

function query({ party, subscriptionId, lostQuery }: Requested<'query'>, signal: AbortSignal): Promise<Sent> {
  if (lostQuery !== '') return sent(sendAgain({ messageId: lostQuery }, signal));
  return sent(
    call(party === 'debtor' ? 'queryDebtors' : 'queryCreditors', { body: { data: { subscriptionId } }, signal }),
  );
}

function remove({ party, subscriptionId, id }: Requested<'delete'>, signal: AbortSignal): Promise<Sent> {
  if (party === 'debtor') {
    const data = { subscriptionId, debtorId: id };
    return sent(
      withIdempotencyKey('deleteDebtor', data, (key) => call('deleteDebtor', { body: { data }, key, signal })),
    );
  }
  const data = { subscriptionId, creditorId: id };
  return sent(
    withIdempotencyKey('deleteCreditor', data, (key) => call('deleteCreditor', { body: { data }, key, signal })),
  );
}

/** An update that differs from the pending one waits for the user: the provider could apply the two in either order. */
function update({ subscriptionId, properties, again }: Requested<'update'>, signal: AbortSignal): Promise<Sent> {
  const body = {
    data: updateOf(subscriptionId, properties),
    whilePending: again ? ('send' as const) : ('refuse' as const),
  };
  return sent(
    withIdempotencyKey('sendUpdate', body, (key) => call('sendUpdate', { body, key, signal })),
    (differs) => differs,
  );
}

function send(request: MessageRequest, signal: AbortSignal): Promise<Sent> {
  switch (request.request) {
    case 'put':
      return put(request, signal);
    case 'query':
      return query(request, signal);
    case 'delete':
      return remove(request, signal);
    case 'update':
      return update(request, signal);
  }
}

/** The machine of messages with its effects, for every journey that puts, queries, deletes or updates. */
export const message = provideEffects(messageMachine, { send, askOutcome, sendAgain });

/** The machine of a message's approval with its effect. */
export const approval = provideApproval(messageApproval, askOutcome);

export const frame = provideEffects(frameMachine, {
  readFraming: async ({ link }, signal) => (await call('getFraming', { query: { link }, signal })).data,
});
