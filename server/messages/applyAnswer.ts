import type { Webhook } from '#contract/message.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import { isObject } from '#contract/json.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { answeredKind, echoOf, findAnswered, flat } from './matchWebhook.ts';
import { partiesIn, type QueriedParties } from './queriedParties.ts';
import { isQuery, messagesIn } from './message.ts';
import { messages as messageRecords, partyLists, webhooks } from './records.ts';
import type { Message } from './records.ts';
import { readOutcome, outcomeOfWebhook } from './outcome.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';

/** Changes or removes the party, unless a later message about it has already been accepted. */
async function perform(store: Store, all: readonly Message[], message: Message, webhook: Webhook): Promise<void> {
  const { kind, data, resourceId } = message;
  const later = all.slice(all.findIndex(({ messageId }) => messageId === message.messageId) + 1);
  const ofParty = (each: Message) => each.resourceId === resourceId && each.kind !== 'updates' && !isQuery(each);
  if (later.some((each) => ofParty(each) && each.state === 'accepted')) return;
  const party = { ...flat(kind, data), ...Object.fromEntries(echoOf(kind, webhook.data)) };
  if (kind === 'debtoraccountputs') await store.records(debtors).put(resourceId, party as unknown as Debtor); // made by flatDebtor
  if (kind === 'creditorputs') await store.records(creditors).put(resourceId, party as unknown as Creditor); // made by flatCreditor
  if (kind === 'debtoraccountdeletes') await store.records(debtors).remove(resourceId);
  if (kind === 'creditordeletes') await store.records(creditors).remove(resourceId);
}

/** The time of a webhook: that of its signature, otherwise that of its arrival. */
const timeOf = ({ sentAt, receivedAt }: Webhook): string => sentAt ?? receivedAt;

/**
 * Updates the stored parties from the provider's list. Removes none, because parties missing from the list may have
 * been created since. Leaves parties unchanged if messages about them were sent after the query, or if a list that was
 * sent later contained them; all of them if a later query has been answered.
 */
async function replaceParties(
  store: Store,
  { name, parties }: QueriedParties,
  { query, subscriptionId, at }: { query: Message | undefined; subscriptionId: string; at: string },
) {
  const all = await messagesIn(store);
  const asked = all.findIndex(({ messageId }) => messageId === query?.messageId);
  const later = asked < 0 ? [] : all.slice(asked + 1);
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

/**
 * Returns the outcome that a webhook reports for queries: a list, a refusal, or that the list will follow. Stores the
 * list for the page.
 */
async function listing(
  { store, log }: Pick<CompanyContext, 'store' | 'log'>,
  webhook: Webhook,
  kind: MessageKind,
  among: readonly Message[],
  queries: readonly Message[],
): Promise<Answer> {
  const { id, data } = webhook;
  const [query] = queries;
  // After a redelivery the query is already answered: messages sent after it are newer than the list.
  const asked = query ?? among.find((message) => isQuery(message) && message.webhookId === id);
  const subscriptionId = webhook.subscriptionId ?? asked?.subscriptionId ?? '';
  const listed = partiesIn(webhook, kind, subscriptionId);
  const outcome = outcomeOfWebhook(Array.isArray(data) ? {} : readOutcome(data));
  if (outcome.state === 'refused' || (outcome.state === 'waiting' && !listed)) return outcome;
  const skipped = listed?.skipped ?? [];
  if (skipped.length > 0) log.warn({ webhookId: id, skipped }, 'parties were left out');
  if (listed) await replaceParties(store, listed, { query: asked, subscriptionId, at: timeOf(webhook) });
  const webhookWithParties = listed
    ? { ...webhook, data: { ...(isObject(data) && data), [listed.name]: listed.parties } }
    : webhook;
  // Stored before the queries are updated, so that they are still waiting if the process ends in between and the
  // webhook is delivered again.
  if (query) await store.records(webhooks).put(id, { ...webhookWithParties, unread: true, isAnswer: true });
  return { ...outcome, state: 'accepted', webhookId: id, skipped };
}

/**
 * Applies the provider's outcome in a webhook to the messages that it answers. Returns whether the webhook was about
 * any message. Throws ZodError if its data are invalid.
 */
export async function applyAnswer(deps: Pick<CompanyContext, 'store' | 'log'>, webhook: Webhook): Promise<boolean> {
  const { store } = deps;
  const kind = answeredKind(webhook.type);
  if (!kind) return false;
  const { messages, decided, among } = await findAnswered(store, webhook);
  const answerTo = async (message: Message): Promise<Answer> => {
    const outcome = outcomeOfWebhook(readOutcome(webhook.data));
    if (outcome.state === 'accepted') await perform(store, among, message, webhook);
    return outcome;
  };
  const list = isQuery({ kind }) ? await listing(deps, webhook, kind, among, messages) : undefined;
  for (const message of messages) {
    const answer = list ?? (await answerTo(message));
    // Of two reports of a message that waits on, the one that was sent later counts.
    if (answer.state === 'waiting' && timeOf(webhook) < (message.statusAt ?? '')) continue;
    const { authorise: _link, authoriseExpiresAt: _expiry, ...rest } = message;
    await store.records(messageRecords).put(message.messageId, {
      ...(answer.state === 'waiting' ? message : rest),
      ...answer,
      forwarded: true,
      statusAt: timeOf(webhook),
    });
  }
  return messages.length > 0 || decided;
}
