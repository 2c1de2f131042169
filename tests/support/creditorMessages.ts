import { randomUUID } from 'node:crypto';
import { subscriptionId, type notified } from './consoleWithWebhooks.ts';

type Console = Awaited<ReturnType<typeof notified>>;

export const creditorId = randomUUID();
export const bodyOf = (name: string, id = creditorId) => ({ creditorId: id, subscriptionId, creditor: { name } });
/** Sends a creditor of this name; returns the message's id. */
export const put = async ({ server }: Console, name: string, id = creditorId, key: string = randomUUID()) =>
  (await server.done('putCreditor', { body: { data: bodyOf(name, id) }, key })).messageId;
/** The webhook with a provider's decision on the creditor. */
export const decided = (status: string | undefined, more: object = {}, data: object = {}) => ({
  type: 'creditorputs',
  subscriptionId,
  resource: { id: creditorId, type: 'Creditor' },
  data: { creditorId, ...(status !== undefined && { status }), ...data },
  ...more,
});
/** The names of the creditors that there are. */
export const creditorsOf = async ({ server }: Console) =>
  (await server.done('getCreditors')).data.map(({ creditorname }) => creditorname);
/** What the console says of the message about a resource. */
export const messageOf = async ({ server }: Console, resourceId: string) =>
  (await server.done('getMessage', { params: { resourceId } })).data;
