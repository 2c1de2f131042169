import type { Message as MessageView } from '#contract/message.ts';
import { nameOfParty } from '#rules/party.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { messages, type Message } from './records.ts';

/** Returns the messages that were sent after the one with this id, the latest first; all of them if there is none. */
export async function messagesSince(store: Store, messageId: string): Promise<Message[]> {
  const since: Message[] = [];
  for await (const message of store.records(messages).newest()) {
    if (message.messageId === messageId) break;
    since.push(message);
  }
  return since;
}

/** Returns the message with this id, otherwise the latest one about the resource with this id. */
export async function messageBy(store: Store, id: string): Promise<Message | undefined> {
  const records = store.records(messages);
  return (await records.get(id)) ?? (await records.latest(1, { subject: id }))[0];
}

/** Returns the message as sent to the browser. `unread`: the webhook with its list is unread. An unknown time is ''. */
export const viewOf = (message: Message, unread: boolean, { config }: CompanyContext): MessageView => {
  const {
    webhookId: _webhookId,
    skipped: _skipped,
    statusAt: _statusAt,
    serviceTime: _serviceTime,
    ...known
  } = message;
  const { authorise = '', authoriseExpiresAt = '', ...shown } = known;
  return {
    ...shown,
    name: nameOfParty(message.data),
    authorise,
    authoriseExpiresAt,
    followed: isAllowedLink(config.upstream.providerOrigins, authorise),
    unread,
  };
};
