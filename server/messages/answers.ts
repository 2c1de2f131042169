import type { Creditor, Debtor, Webhook } from '#contract/entities.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { JsonObject } from '#rules/payload.ts';
import type { Store } from '#server/store/store.ts';
import { messageKinds, type MessageKind } from '#server/upstream/wire.ts';
import { isQuery, messagesIn, type Message } from './message.ts';
import { outcomeOf, verdictOf } from './verdict.ts';

/** The kind of message that a webhook of this type answers (wire, section 6.1), undefined if none. */
export const answeredKind = (type: string): MessageKind | undefined =>
  messageKinds.find((kind) => type === kind.replace(/queries$/, 'queryresponses'));

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flat = (kind: MessageKind, body: JsonObject): Record<string, string> =>
  kind === 'creditorputs' ? { ...flatCreditor(body) } : { ...flatDebtor(body) };

const ids = ['debtorId', 'creditorId', 'subscriptionId'];

/** What the webhook says of the party itself: fields, by their flat names, that are not empty. */
const echoOf = (kind: MessageKind, data: unknown): [string, string][] =>
  isObject(data) && kind.endsWith('puts')
    ? Object.entries(flat(kind, data)).filter(([field, value]) => value !== '' && !ids.includes(field))
    : [];

/**
 * The messages that a webhook answers, all of one kind: the one of its interaction id; else, of those about the same
 * resource that wait, the one that has what the webhook repeats, or the one sent first, as the service forwards them in
 * order. A list is the answer to every query for it that waits. Empty if none waits for it; `decided` says that it is
 * about one which was decided before.
 */
export function answeredBy(all: readonly Message[], webhook: Webhook): { messages: Message[]; decided: boolean } {
  const kind = answeredKind(webhook.type);
  if (!kind) return { messages: [], decided: false };
  const { subscriptionId, interactionId, resource, data } = webhook;
  const about = all.filter(
    (message) => message.kind === kind && (subscriptionId === undefined || message.subscriptionId === subscriptionId),
  );
  const named = about.find(({ messageId }) => messageId === interactionId);
  if (named) return named.state === 'waiting' ? { messages: [named], decided: false } : { messages: [], decided: true };
  if (isQuery({ kind })) {
    const waiting = about.filter(
      (query) => query.state === 'waiting' && [subscriptionId, resource?.id].includes(query.subscriptionId),
    );
    return { messages: waiting, decided: false };
  }
  const { debtorId, creditorId, status } = outcomeOf(data);
  const resourceId = debtorId ?? creditorId ?? resource?.id;
  const ofResource = about.filter((message) => message.resourceId === resourceId);
  const waiting = ofResource.filter(({ state }) => state === 'waiting');
  const echo = echoOf(kind, data);
  const repeats = (message: Message) =>
    echo.length > 0 && echo.every(([field, value]) => flat(kind, message.data)[field] === value);
  const first = waiting.find(repeats) ?? waiting[0];
  return {
    messages: first ? [first] : [],
    decided: !first && ofResource.some((message) => message.status === (status ?? '')),
  };
}

/** The party changed, removed or left alone: what was sent later and accepted before counts more. */
async function perform(store: Store, all: readonly Message[], message: Message, webhook: Webhook): Promise<void> {
  const { kind, data, resourceId } = message;
  const later = all.slice(all.findIndex(({ messageId }) => messageId === message.messageId) + 1);
  const ofParty = (each: Message) => each.resourceId === resourceId && each.kind !== 'updates' && !isQuery(each);
  if (later.some((each) => ofParty(each) && each.state === 'accepted')) return;
  const party = { ...flat(kind, data), ...Object.fromEntries(echoOf(kind, webhook.data)) };
  if (kind === 'debtoraccountputs') await store.debtors.put(resourceId, party as unknown as Debtor); // made by flatDebtor
  if (kind === 'creditorputs') await store.creditors.put(resourceId, party as unknown as Creditor); // made by flatCreditor
  if (kind === 'debtoraccountdeletes') await store.debtors.remove(resourceId);
  if (kind === 'creditordeletes') await store.creditors.remove(resourceId);
}

/** Does what a put, a delete or an update has come to, or keeps what the provider says until it decides. */
export async function conclude(store: Store, message: Message, webhook: Webhook): Promise<void> {
  const verdict = verdictOf(outcomeOf(webhook.data));
  if (verdict.state === 'accepted') await perform(store, await messagesIn(store), message, webhook);
  const { authorise: _link, authoriseExpiresAt: _expiry, ...rest } = message;
  await store.messages.put(message.messageId, {
    ...(verdict.state === 'waiting' ? message : rest),
    ...verdict,
    forwarded: true,
  });
}
