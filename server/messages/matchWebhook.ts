import { z } from 'zod';
import type { Webhook } from '#contract/message.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import { isObject, type JsonObject } from '#contract/json.ts';
import { answerTypeOf, messageKinds, type MessageKind } from '#contract/serviceCalls.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { isQuery, messages } from './records.ts';
import type { Message } from './records.ts';
import { readOutcome } from './outcome.ts';

/** Returns the kind of message that a webhook of this type answers (wire, section 6.1); undefined if none. */
export const answeredKind = (type: string): MessageKind | undefined =>
  messageKinds.find((kind) => type === answerTypeOf(kind));

/** Returns the fields of a put's body by their flat names. */
export const flat = (kind: MessageKind, body: JsonObject): Record<string, string> =>
  kind === 'creditorputs' ? { ...flatCreditor(body) } : { ...flatDebtor(body) };

const ids = ['debtorId', 'creditorId', 'subscriptionId'];

/** Returns the party's fields that the webhook repeats, by their flat names, without empty fields and ids. */
export const echoOf = (kind: MessageKind, data: unknown): [string, string][] =>
  isObject(data) && kind.endsWith('puts')
    ? Object.entries(flat(kind, data)).filter(([field, value]) => value !== '' && !ids.includes(field))
    : [];

/**
 * Finds the messages that a webhook answers, all of one kind. The interaction id of the webhook names the message.
 * Without it, the webhook answers one of the messages waiting for the same resource: the one with the values that the
 * webhook repeats, otherwise the one sent first, because the service forwards messages in order. A list answers every
 * waiting query for it. `messages` is empty if none is waiting; `decided` is true if the webhook is about a message
 * that is already decided.
 */
function answeredBy(all: readonly Message[], webhook: Webhook): { messages: Message[]; decided: boolean } {
  const kind = answeredKind(webhook.type);
  if (!kind) return { messages: [], decided: false };
  const { subscriptionId, interactionId, resource, data } = webhook;
  const about = all.filter(
    (message) => message.kind === kind && (subscriptionId === undefined || message.subscriptionId === subscriptionId),
  );
  const named = about.find(({ messageId }) => messageId === interactionId);
  if (named) return named.state === 'waiting' ? { messages: [named], decided: false } : { messages: [], decided: true };
  if (isQuery(kind)) {
    const waiting = about.filter(
      (query) => query.state === 'waiting' && [subscriptionId, resource?.id].includes(query.subscriptionId),
    );
    return { messages: waiting, decided: false };
  }
  const { debtorId, creditorId, status } = readOutcome(data);
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

/** What a webhook answers, and the messages among which it was looked for, in the order of sending. */
export type Answered = ReturnType<typeof answeredBy> & { among: Message[] };

/** Returns the messages that a webhook can be about: the one that it names, and those about its resource. */
async function candidatesOf(store: Store, webhook: Webhook): Promise<Message[]> {
  const kind = answeredKind(webhook.type);
  if (!kind) return [];
  const { subscriptionId, interactionId, resource, data } = webhook;
  const records = store.records(messages);
  const named = interactionId === undefined ? undefined : await records.get(interactionId);
  const { debtorId, creditorId } = isQuery(kind) ? {} : readOutcome(data);
  // A query is about its subscription.
  const subjects = [
    debtorId ?? creditorId ?? resource?.id,
    isQuery(kind) ? subscriptionId : undefined,
    named?.resourceId,
  ];
  const found: Message[] = [];
  for (const subject of new Set(subjects)) if (subject !== undefined) found.push(...(await records.list({ subject })));
  return found;
}

/** Finds the stored messages that a webhook answers; see `answeredBy`. Throws ZodError if its data are invalid. */
export async function findAnswered(store: Store, webhook: Webhook): Promise<Answered> {
  const among = await candidatesOf(store, webhook);
  return { ...answeredBy(among, webhook), among };
}

/** Like `findAnswered`, but finds nothing for a webhook with invalid data instead of throwing ZodError. */
export async function findAnsweredIfValid(store: Store, webhook: Webhook): Promise<Answered> {
  try {
    return await findAnswered(store, webhook);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { messages: [], decided: false, among: [] };
  }
}
