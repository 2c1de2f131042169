import { stringify } from '#contract/json.ts';
import { counted } from '#rules/counted.ts';
import { Failure } from '#server/failure.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { isSameParty, knownParty } from './knownParty.ts';
import { messageBy } from './message.ts';
import {
  contentFingerprint,
  isQuery,
  kindIn,
  latestMessages,
  messages,
  storedMessages,
  waitingOnly,
  webhooks,
} from './records.ts';
import type { Message } from './records.ts';

/** Maximum number of characters of JSON in one message, and of messages that wait. */
export const [maximumLength, maximumWaiting] = [32 * 1024, 1000];

/** How to treat a message while the same message is waiting for its answer (contract, shapes). */
export type WhilePending = 'refuse' | 'send' | undefined;

/** Whether a put is refused if another one creates the same debtor or creditor. */
const isOfParty = ({ kind }: Message, whilePending: WhilePending): boolean =>
  whilePending === 'refuse' && kind.endsWith('puts');

/** Returns whether another message is the same: with `refuse`, a put of the same debtor or creditor, whatever else it says. */
function isSameAs(message: Message, whilePending: WhilePending): (other: Message) => boolean {
  const { kind, resourceId, data } = message;
  const fingerprint = contentFingerprint(message);
  const isParty = isOfParty(message, whilePending);
  return (other) => {
    if (other.kind !== kind) return false;
    const isContent = contentFingerprint(other) === fingerprint;
    if (other.resourceId === resourceId) return isContent;
    return isParty && (isContent || isSameParty(kind, data, other.data));
  };
}

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
    `The same message (${kind}), or one about a party of the same name and account, was sent${sentAt && ` at ${sentAt}`} and the provider has not answered yet. Ask for its outcome, or send it with whilePending: send if it is meant a second time.`,
    { messageId },
  );

/** Throws Failure if a put would create a debtor or creditor a second time. */
async function requireNewParty(store: Store, { kind, data, resourceId, subscriptionId }: Message): Promise<void> {
  const known = await knownParty(store, kind, data, subscriptionId);
  if (known && known.id !== resourceId)
    throw new Failure(
      'exists-already',
      `${known.name || 'One without a name'} with the same account exists already, as ${known.id}. Nothing was sent.`,
    );
}

async function remove(store: Store, { messageId, resourceId, webhookId }: Message): Promise<void> {
  await store.records(messages).remove(messageId);
  if (webhookId !== undefined)
    await store.records(webhooks).change(webhookId, (webhook) => ({ ...webhook, isAnswer: false }));
  const latest = store.records(latestMessages);
  if ((await latest.get(resourceId)) === messageId) await latest.remove(resourceId);
}

/** Removes the earliest messages of each state beyond the number that is stored. */
async function prune(store: Store): Promise<void> {
  for (const [state, number] of Object.entries(storedMessages))
    for (const id of await store.records(messages).beyond(number, { state })) {
      const message = await store.records(messages).get(id);
      if (message) await remove(store, message);
    }
}

/** The waiting messages that a new one could repeat or contradict. */
async function comparableTo(message: Message, store: Store, whilePending: WhilePending) {
  if (whilePending === 'send') return [];
  // Puts of the same party may have different ids.
  const which = isOfParty(message, whilePending) ? { alias: kindIn(message) } : { subject: message.resourceId };
  return store.records(messages).list({ ...waitingOnly, ...which });
}

/**
 * Stores a message before it is sent, because its webhook may arrive before the service's response. Returns true for a
 * repeat, which the webhook may already have decided. Throws a Failure: `message-pending` if the same message is
 * waiting and `whilePending` is not `send`, `exists-already` if the debtor or creditor is stored, `too-large`, or `rate-limited` if too many messages are waiting.
 */
export const saveMessage = (store: Store, message: Message, whilePending: WhilePending): Promise<boolean> =>
  store.transaction(async () => {
    const records = store.records(messages);
    if (await records.get(message.messageId)) return true;
    if (stringify(message.data).length > maximumLength)
      throw new Failure('too-large', `The message is longer than ${maximumLength} characters.`);
    const waiting = await comparableTo(message, store, whilePending);
    const same = waiting.find(isSameAs(message, whilePending));
    if (same) throw pending(same);
    const other =
      whilePending === 'refuse' && message.kind === 'updates' && waiting.findLast(({ kind }) => kind === 'updates');
    if (other) throw anotherPending(other);
    if (whilePending === 'refuse') await requireNewParty(store, message);
    if (!isQuery(message.kind) && (await records.count(waitingOnly, maximumWaiting)) >= maximumWaiting)
      throw new Failure(
        'rate-limited',
        `${counted(maximumWaiting, 'message')} await the provider's answer: wait for some of them.`,
      );
    await records.put(message.messageId, message);
    await store.records(latestMessages).put(message.resourceId, message.messageId);
    await prune(store);
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
