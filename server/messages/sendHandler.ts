import type { JsonObject } from '#contract/json.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import type { WhilePending } from './save.ts';
import { send } from './outbox.ts';

interface SendInput<Data> {
  body: { data: Data; whilePending?: WhilePending };
  key: string;
}

/** Creates handlers for calls that send one kind of message; `idOf` returns the id of the resource that it is about. */
export const createSendHandlers =
  (deps: Pick<CompanyContext, 'store' | 'upstream' | 'clock'>) =>
  <Data extends JsonObject & { subscriptionId: string }>(kind: MessageKind, idOf: (data: Data) => string) =>
  ({ body: { data, whilePending }, key }: SendInput<Data>) =>
    send(deps, { kind, resourceId: idOf(data), subscriptionId: data.subscriptionId, data }, { key, whilePending });
