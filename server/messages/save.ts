import { stringify } from '#contract/json.ts';
import { counted } from '#rules/counted.ts';
import { Failure } from '#server/failure.ts';
import { fingerprintOf } from '#server/calls/idempotency.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { isQuery, messageBy, messagesIn } from './message.ts';
import { latestMessages, messages, webhooks } from './records.ts';
import type { Message } from './records.ts';

/** Maximum numbers of messages stored: waiting, decided, queries and answered queries. */
const maximumNumbers = { waiting: 1000, decided: 200, queries: 100, answered: 20 } as const;

/**
 * Maximum number of characters of JSON: in one message, and in all waiting messages together, which are read whenever a
 * message is sent or a webhook arrives.
 */
export const maximumLengths = { message: 32 * 1024, waiting: 4 * 1024 * 1024 } as const;

const lengthOf = ({ data }: Pick<Message, 'data'>): number => stringify(data).length;

/** How to treat a message while the same message is waiting for its answer (contract, shapes). */
export type WhilePending = 'refuse' | 'send' | undefined;

/** Returns a fingerprint of the body without the debtor's or creditor's id, which is new for each attempt. */
const contentFingerprint = ({ kind, data }: Pick<Message, 'kind' | 'data'>): string => {
  const { debtorId: _debtorId, creditorId: _creditorId, ...rest } = data;
  return fingerprintOf(kind, rest);
};

/** Whether two messages are the same. With `refuse`, puts that differ only in their ids count as the same. */
const isSame = (one: Message, other: Message, whilePending: WhilePending): boolean =>
  one.kind === other.kind &&
  (one.resourceId === other.resourceId || (whilePending === 'refuse' && one.kind.endsWith('puts'))) &&
  contentFingerprint(one) === contentFingerprint(other);

/**
 * Returns the problem for an update of a subscription while a different one is waiting: their order at the provider is
 * unknown.
 */
const anotherPending = ({ messageId, sentAt }: Message) =>
  new Failure(
    'message-pending',
    `Another update of the subscription was sent${sentAt && ` at ${sentAt}`} and the provider has not answered yet. Wait for its outcome, or send this one with whilePending: send.`,
    {
      messageId,
      errors: [{ path: 'data.properties', message: 'differs from the update that awaits its answer' }],
    },
  );

const pending = ({ messageId, sentAt, kind }: Message) =>
  new Failure(
    'message-pending',
    `The same message (${kind}) was sent${sentAt && ` at ${sentAt}`} and the provider has not answered yet. Ask for its outcome, or send it with whilePending: send if it is meant a second time.`,
    { messageId },
  );

async function remove(store: Store, { messageId, resourceId, webhookId }: Message): Promise<void> {
  await store.records(messages).remove(messageId);
  if (webhookId !== undefined)
    await store.records(webhooks).change(webhookId, (webhook) => ({ ...webhook, isAnswer: false }));
  const latest = store.records(latestMessages);
  if ((await latest.get(resourceId)) === messageId) await latest.remove(resourceId);
}

/** Removes the oldest queries and decided messages beyond the maximum numbers in `maximumNumbers`. */
async function prune(store: Store, all: readonly Message[]): Promise<void> {
  const queries = all.filter(isQuery);
  const answered = queries.filter(({ state }) => state !== 'waiting');
  const decided = all.filter((message) => !isQuery(message) && message.state !== 'waiting');
  for (const message of [
    ...queries.slice(0, -maximumNumbers.queries),
    ...answered.slice(0, -maximumNumbers.answered),
    ...decided.slice(0, -maximumNumbers.decided),
  ])
    await remove(store, message);
}

/**
 * Stores a message before it is sent, because its webhook may arrive before the service's response. Returns true for a
 * repeat, which the webhook may already have decided. Throws a Failure: `message-pending` if the same message is
 * waiting and `whilePending` is not `send`, `too-large`, or `rate-limited` if too many messages are waiting.
 */
export const saveMessage = (store: Store, message: Message, whilePending: WhilePending): Promise<boolean> =>
  store.transaction(async () => {
    const all = await messagesIn(store);
    const known = all.find(({ messageId }) => messageId === message.messageId);
    if (known) return true;
    if (lengthOf(message) > maximumLengths.message)
      throw new Failure('too-large', `The message is longer than ${maximumLengths.message} characters.`);
    const waiting = all.filter((each) => each.state === 'waiting' && !isQuery(each));
    const same = waiting.find((each) => whilePending !== 'send' && isSame(each, message, whilePending));
    if (same) throw pending(same);
    const isOther = ({ kind, resourceId }: Message) => kind === 'updates' && resourceId === message.resourceId;
    const other = whilePending === 'refuse' && message.kind === 'updates' && waiting.findLast(isOther);
    if (other) throw anotherPending(other);
    const length = [...waiting, message].reduce((sum, each) => sum + lengthOf(each), 0);
    if (!isQuery(message) && (waiting.length >= maximumNumbers.waiting || length > maximumLengths.waiting))
      throw new Failure(
        'rate-limited',
        `${counted(waiting.length, 'message')} ${waiting.length === 1 ? 'awaits' : 'await'} the provider's answer: wait for some of them.`,
      );
    await store.records(messages).put(message.messageId, message);
    await store.records(latestMessages).put(message.resourceId, message.messageId);
    await prune(store, [...all, message]);
    return false;
  });

/**
 * Marks a message as forwarded if the service has accepted it; otherwise removes it, unless a webhook has decided it or
 * it was forwarded before.
 */
export const recordAccepted = (store: Store, messageId: string, accepted: boolean): Promise<void> =>
  store.transaction(async () => {
    const stored = await messageBy(store, messageId);
    if (!stored) return;
    if (accepted) await store.records(messages).put(messageId, { ...stored, forwarded: true });
    else if (stored.state === 'waiting' && !stored.forwarded) await remove(store, stored);
  });
