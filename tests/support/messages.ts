import type { JsonObject } from '#contract/json.ts';
import type { Message as MessageView } from '#contract/message.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { Outcome } from '#machines/lib/messageOutcome.ts';
import type { Message } from '#server/messages/records.ts';

/** A stored message, with some members replaced. */
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

/** A message as the API returns it to the browser. */
export const messageOf = (more: Partial<MessageView> = {}): MessageView => ({
  ...keptMessage(),
  kind: 'creditorputs',
  name: 'Paper & Sons',
  authorise: '',
  authoriseExpiresAt: '',
  followed: false,
  unread: false,
  ...more,
});

/** A debtor and a creditor as put and as listed by a provider. */
export const bodyOfDebtor = (debtor: Debtor): JsonObject => ({
  debtorId: debtor.debtorId,
  debtorAccount: { name: debtor.debtorAccountname, identification: debtor.debtorAccountidentification },
  debtorAgent: { identification: debtor.debtorAgentidentification },
  currency: debtor.currency,
  subscriptionId: debtor.subscriptionId,
});
export const bodyOfCreditor = (creditor: Creditor): JsonObject => ({
  creditorId: creditor.creditorId,
  creditor: {
    name: creditor.creditorname,
    postalAddress: {
      addressLine1: creditor.creditorAddress1,
      addressLine3: creditor.creditorAddress3,
      countryCode: creditor.creditorCountryCode,
      postalCode: creditor.creditorPostalCode,
    },
  },
  creditorAgent: { identification: creditor.creditorAgentidentification },
  creditorAccount: { identification: creditor.creditorAccountidentification },
  subscriptionId: creditor.subscriptionId,
});

/** The answer to a query: the provider's list, in a webhook with this id. */
export const listOf = (
  list: { debtors: readonly Debtor[] } | { creditors: readonly Creditor[] },
  id = 'webhook-1',
): Outcome => ({
  state: 'accepted',
  detail: '',
  webhook: {
    id,
    data:
      'debtors' in list
        ? { debtors: list.debtors.map(bodyOfDebtor) }
        : { creditors: list.creditors.map(bodyOfCreditor) },
  },
});
