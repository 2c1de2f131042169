import { stringify } from '#contract/json.ts';
import { Failure } from '#server/failure.ts';
import { fingerprintOf } from '#server/once.ts';
import type { Store } from '#server/store/store.ts';
import { isQuery, messageBy, messagesIn, type Message } from './message.ts';
import { inTurn } from './turn.ts';

/** Maximum numbers of messages stored: waiting, decided, queries and answered queries. */
const bounds = { waiting: 1000, decided: 200, queries: 100, answered: 20 } as const;

/** Characters of JSON that a message may have, and all that await an answer: they are read with each that comes. */
export const lengths = { message: 32 * 1024, waiting: 4 * 1024 * 1024 } as const;

const lengthOf = ({ data }: Pick<Message, 'data'>): number => stringify(data).length;

/** What to do while the same message awaits its answer (contract, shapes). */
export type WhilePending = 'refuse' | 'send' | undefined;

/** A fingerprint of the body without the id made for a new debtor or creditor. */
const substanceOf = ({ kind, data }: Pick<Message, 'kind' | 'data'>): string => {
  const { debtorId: _debtorId, creditorId: _creditorId, ...rest } = data;
  return fingerprintOf(kind, rest);
};

/** Whether two messages are the same. With `refuse`, puts that differ only in their ids are the same, too. */
const isSame = (one: Message, other: Message, whilePending: WhilePending): boolean =>
  one.kind === other.kind &&
  (one.resourceId === other.resourceId || (whilePending === 'refuse' && one.kind.endsWith('puts'))) &&
  substanceOf(one) === substanceOf(other);

/** Of two updates of one subscription that overlap nobody knows which one comes last; the problem says that they differ. */
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

async function remove(store: Store, { messageId, resourceId }: Message): Promise<void> {
  await store.messages.remove(messageId);
  if ((await store.subjects.get(resourceId)) === messageId) await store.subjects.remove(resourceId);
}

/** Removes the oldest decided messages and queries beyond their maximum numbers. */
async function makeRoom(store: Store, all: readonly Message[]): Promise<void> {
  const queries = all.filter(isQuery);
  const answered = queries.filter(({ state }) => state !== 'waiting');
  const decided = all.filter((message) => !isQuery(message) && message.state !== 'waiting');
  for (const message of [
    ...queries.slice(0, -bounds.queries),
    ...answered.slice(0, -bounds.answered),
    ...decided.slice(0, -bounds.decided),
  ])
    await remove(store, message);
}

/**
 * Stores a message before it is sent, as its webhook may be quick. Returns true for a repeat, which the webhook may
 * have decided by now. Throws `message-pending` if the same message is waiting, unless told to `send`.
 */
export const keep = (store: Store, message: Message, whilePending: WhilePending): Promise<boolean> =>
  inTurn(async () => {
    const all = await messagesIn(store);
    const known = all.find(({ messageId }) => messageId === message.messageId);
    if (known) return true;
    if (lengthOf(message) > lengths.message)
      throw new Failure('too-large', `The message is longer than ${lengths.message} characters.`);
    const waiting = all.filter((each) => each.state === 'waiting' && !isQuery(each));
    const same = waiting.find((each) => whilePending !== 'send' && isSame(each, message, whilePending));
    if (same) throw pending(same);
    const isOther = ({ kind, resourceId }: Message) => kind === 'updates' && resourceId === message.resourceId;
    const other = whilePending === 'refuse' && message.kind === 'updates' && waiting.findLast(isOther);
    if (other) throw anotherPending(other);
    const length = [...waiting, message].reduce((sum, each) => sum + lengthOf(each), 0);
    if (!isQuery(message) && (waiting.length >= bounds.waiting || length > lengths.waiting))
      throw new Failure(
        'rate-limited',
        `${waiting.length} messages await the provider's answer: wait for some of them.`,
      );
    await store.messages.put(message.messageId, message);
    await store.subjects.put(message.resourceId, message.messageId);
    await makeRoom(store, [...all, message]);
    return false;
  });

/**
 * Marks a message as taken by the service, or removes one that it refused. The webhook may have decided it meanwhile.
 */
export const note = (store: Store, messageId: string, taken: boolean): Promise<void> =>
  inTurn(async () => {
    const kept = await messageBy(store, messageId);
    if (!kept) return;
    if (taken) await store.messages.put(messageId, { ...kept, forwarded: true });
    else if (kept.state === 'waiting' && !kept.forwarded) await remove(store, kept);
  });
