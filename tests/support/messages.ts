import type { Message as MessageView } from '#contract/message.ts';
import type { Message } from '#server/messages/message.ts';

/** A message as the store keeps it, with some of it replaced. */
export const keptMessage = (more: Partial<Message> = {}): Message => ({
  messageId: 'message-1',
  kind: 'updates',
  resourceId: 'subscription-1',
  subscriptionId: 'subscription-1',
  data: {},
  state: 'waiting',
  status: '',
  detail: '',
  sentAt: '2026-11-20T09:00:00.000Z',
  forwarded: true,
  ...more,
});

/** A message as the browser is told of it. */
export const messageOf = (more: Partial<MessageView> = {}): MessageView => ({
  ...keptMessage(),
  kind: 'creditorputs',
  name: 'Paper & Sons',
  authorise: '',
  authoriseExpiresAt: '',
  followed: false,
  ...more,
});
