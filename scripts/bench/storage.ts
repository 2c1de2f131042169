import { systemClock as clock } from '#server/clock.ts';
import type { Collection, CollectionOptions } from '#server/storage/collection.ts';
import { keyFrom } from '#server/storage/keys.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Location } from '#server/storage/schema.ts';
import { defaultWorkspace } from '#server/http/user.ts';

/** The first company of the workspace that a console without sign-in has. */
export const here: Location = { workspace: defaultWorkspace, company: 'first' };

function onError(error: unknown): never {
  throw error;
}

/** Opens a database that no console uses, under a key in Base64 or under these keys. */
export const opened = (url: string, keys: string | StoreKeys): Promise<Storage> =>
  openStorage({ url, keys: typeof keys === 'string' ? [keyFrom(keys)] : keys, clock, onError });

/** The columns by which the console finds and counts records, by kind. */
const columns: Readonly<Record<string, CollectionOptions<Record<string, unknown>>['columns']>> = {
  debtors: { subject: ({ subscriptionId }) => String(subscriptionId) },
  creditors: { subject: ({ subscriptionId }) => String(subscriptionId) },
  messages: { subject: ({ resourceId }) => String(resourceId), state: ({ state }) => String(state) },
  webhooks: { state: ({ unread }) => (unread === true ? 'unread' : 'read') },
  paymentAttempts: { subject: ({ intention }) => String(intention), state: ({ state }) => String(state) },
};

/** The records of a kind, as the console stores them. */
export const recordsOf = (storage: Storage, kind: string): Collection<Record<string, unknown>> =>
  storage.collection<Record<string, unknown>>({ kind, ...(columns[kind] && { columns: columns[kind] }) });
