import { othersTurn } from '#server/concurrency.ts';
import type { Webhook } from '#contract/message.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import { isObject } from '#contract/json.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { answeredKind, echoOf, findAnswered, flat } from './matchWebhook.ts';
import type { Answered } from './matchWebhook.ts';
import { partiesIn, type QueriedParties } from './queriedParties.ts';
import { messagesSince } from './message.ts';
import { isQuery, messages as messageRecords, partyLists, webhooks } from './records.ts';
import type { Message } from './records.ts';
import { readOutcome, outcomeOfWebhook } from './outcome.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';

/** Changes or removes the party, unless a later message about it has already been accepted. */
async function perform(store: Store, all: readonly Message[], message: Message, webhook: Webhook): Promise<void> {
  const { kind, data, resourceId } = message;
  const later = all.slice(all.findIndex(({ messageId }) => messageId === message.messageId) + 1);
  const ofParty = (each: Message) => each.resourceId === resourceId && each.kind !== 'updates' && !isQuery(each.kind);
  if (later.some((each) => ofParty(each) && each.state === 'accepted')) return;
  const party = { ...flat(kind, data), ...Object.fromEntries(echoOf(kind, webhook.data)) };
  if (kind === 'debtoraccountputs') await store.records(debtors).put(resourceId, party as unknown as Debtor); // made by flatDebtor
  if (kind === 'creditorputs') await store.records(creditors).put(resourceId, party as unknown as Creditor); // made by flatCreditor
  if (kind === 'debtoraccountdeletes') await store.records(debtors).remove(resourceId);
  if (kind === 'creditordeletes') await store.records(creditors).remove(resourceId);
}

/** The time of a webhook: that of its signature, otherwise that of its arrival. */
const timeOf = ({ sentAt, receivedAt }: Webhook): string => sentAt ?? receivedAt;

/** A provider's list as it answers a query, if it answers one that is stored. */
interface Listed {
  query: Message | undefined;
  subscriptionId: string;
  list: QueriedParties | undefined;
}

/** Reads the list in a webhook; `messages` are the queries that it answers. */
function listedIn(webhook: Webhook, kind: MessageKind, { messages: [waiting], among }: Answered): Listed {
  // After a redelivery the query is already answered: messages sent after it are newer than the list.
  const query = waiting ?? among.find((message) => isQuery(message.kind) && message.webhookId === webhook.id);
  const subscriptionId = webhook.subscriptionId ?? query?.subscriptionId ?? '';
  return { query, subscriptionId, list: partiesIn(webhook, kind, subscriptionId) };
}

/** Number of parties stored in one transaction. */
const storedAtOnce = 200;

/**
 * Updates the stored parties from the provider's list. Removes none, because parties missing from the list may have
 * been created since. Leaves parties unchanged if messages about them were sent after the query, or if a list that was
 * sent later contained them; all of them if a later query has been answered. Other work gets its turn between parts of
 * the list, whose order does not matter: if the process ends in between, the webhook is delivered again.
 */
async function replaceParties(store: Store, { list, ...of }: Listed, at: string): Promise<void> {
  const { name, parties = [] } = list ?? {};
  for (let from = 0; name && from < parties.length; from += storedAtOnce) {
    if (from > 0) await othersTurn();
    const part = parties.slice(from, from + storedAtOnce);
    await store.transaction(() => replaceSome(store, { name, parties: part }, { ...of, at }));
  }
}

async function replaceSome(
  store: Store,
  { name, parties }: Pick<QueriedParties, 'name' | 'parties'>,
  { query, subscriptionId, at }: Omit<Listed, 'list'> & { at: string },
): Promise<void> {
  const later = query ? await messagesSince(store, query.messageId) : [];
  const isAnswered = (each: Message) =>
    each.kind === query?.kind && each.subscriptionId === query.subscriptionId && each.state === 'accepted';
  if (later.some(isAnswered)) return;
  const lists = store.records(partyLists);
  const times = new Map(Object.entries((await lists.get(`${name}/${subscriptionId}`)) ?? {}));
  const since = new Set(later.map(({ resourceId }) => resourceId));
  const current = <Party>(listed: readonly Party[], idOf: (party: Party) => string) => {
    const taken = listed
      .map((party) => [idOf(party), party] as [string, Party])
      .filter(([id]) => !since.has(id) && at >= (times.get(id) ?? ''));
    for (const [id] of taken) times.set(id, at);
    return taken;
  };
  if (name === 'debtors')
    await store.records(debtors).putAll(current(parties.map(flatDebtor), ({ debtorId }) => debtorId));
  else await store.records(creditors).putAll(current(parties.map(flatCreditor), ({ creditorId }) => creditorId));
  await lists.put(`${name}/${subscriptionId}`, Object.fromEntries(times));
}

type Answer = Pick<Message, 'state'> & Partial<Message>;

/** Returns the outcome that a webhook reports for queries: a list, a refusal, or that the list will follow. */
function outcomeOfListing({ id, data }: Webhook, { list }: Listed): Answer {
  const outcome = outcomeOfWebhook(Array.isArray(data) ? {} : readOutcome(data));
  if (outcome.state === 'refused' || (outcome.state === 'waiting' && !list)) return outcome;
  return { ...outcome, state: 'accepted', webhookId: id, skipped: list?.skipped ?? [] };
}

/** Applies the outcome of queries; stores the list for the page. */
async function applyListing(
  { store, log }: Pick<CompanyContext, 'store' | 'log'>,
  webhook: Webhook,
  kind: MessageKind,
): Promise<boolean> {
  const { id, data } = webhook;
  const listed = listedIn(webhook, kind, await findAnswered(store, webhook));
  const answer = outcomeOfListing(webhook, listed);
  const { list } = listed;
  if (answer.state === 'accepted') {
    if (list && list.skipped.length > 0) log.warn({ webhookId: id, skipped: list.skipped }, 'parties were left out');
    await replaceParties(store, listed, timeOf(webhook));
  }
  return store.transaction(async () => {
    const { messages, decided } = await findAnswered(store, webhook);
    if (answer.state === 'accepted' && messages.length > 0) {
      const shown = list ? { ...webhook, data: { ...(isObject(data) && data), [list.name]: list.parties } } : webhook;
      await store.records(webhooks).put(id, { ...shown, unread: true, isAnswer: true });
    }
    for (const message of messages) await conclude(store, message, webhook, answer);
    return messages.length > 0 || decided;
  });
}

/** Stores the outcome of a message. Of two reports of one that waits on, the one that was sent later counts. */
async function conclude(store: Store, message: Message, webhook: Webhook, answer: Answer): Promise<void> {
  if (answer.state === 'waiting' && timeOf(webhook) < (message.statusAt ?? '')) return;
  const { authorise: _link, authoriseExpiresAt: _expiry, ...rest } = message;
  await store.records(messageRecords).put(message.messageId, {
    ...(answer.state === 'waiting' ? message : rest),
    ...answer,
    forwarded: true,
    statusAt: timeOf(webhook),
  });
}

/**
 * Applies the provider's outcome in a webhook to the messages that it answers. Returns whether the webhook was about
 * any message. Throws ZodError if its data are invalid.
 */
export async function applyAnswer(deps: Pick<CompanyContext, 'store' | 'log'>, webhook: Webhook): Promise<boolean> {
  const { store } = deps;
  const kind = answeredKind(webhook.type);
  if (!kind) return false;
  if (isQuery(kind)) return applyListing(deps, webhook, kind);
  return store.transaction(async () => {
    const { messages, decided, among } = await findAnswered(store, webhook);
    for (const message of messages) {
      const outcome = outcomeOfWebhook(readOutcome(webhook.data));
      if (outcome.state === 'accepted') await perform(store, among, message, webhook);
      await conclude(store, message, webhook, outcome);
    }
    return messages.length > 0 || decided;
  });
}
