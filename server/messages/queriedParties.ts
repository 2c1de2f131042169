import { z } from 'zod';
import { listedSchemas } from '#contract/party.ts';
import type { Webhook } from '#contract/message.ts';
import { isObject, type Json, type JsonObject } from '#contract/json.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import type { Skipped } from '#server/upstream/lenientParse.ts';

const lists = {
  debtors: { schema: z.array(listedSchemas.debtors), id: 'debtorId', likely: /^debtor/i },
  creditors: { schema: z.array(listedSchemas.creditors), id: 'creditorId', likely: /^creditor/i },
} as const;

const listOf = (query: MessageKind): keyof typeof lists =>
  query === 'debtoraccountlistqueries' ? 'debtors' : 'creditors';

/**
 * Finds the list in an answer. choice: it is the member `debtors` or `creditors`; otherwise the data itself, a member
 * with a similar name, the only list among the members, or the same within `data` (wire, section 6.1).
 */
function listIn(data: unknown, name: keyof typeof lists, place = 'data'): { list: Json[]; place: string } | undefined {
  if (Array.isArray(data)) return { list: data as Json[], place }; // parsed JSON
  if (!isObject(data)) return undefined;
  const found = Object.entries(data).filter(
    (entry): entry is [string, Json[]] => Array.isArray(entry[1]) && entry[0] !== 'errors',
  );
  const named = found.find(([each]) => each === name) ?? found.find(([each]) => lists[name].likely.test(each));
  const [member, list] = named ?? (found.length === 1 ? found[0]! : []);
  if (member !== undefined && list !== undefined) return { list, place: `${place}.${member}` };
  return listIn(data['data'], name, `${place}.data`);
}

export interface QueriedParties {
  name: keyof typeof lists;
  /** Nested like the bodies of puts; each has an id and its subscription. */
  parties: JsonObject[];
  skipped: Skipped[];
}

/**
 * Returns the readable parties in the answer to a query; undefined if it holds no list. A party without a subscription
 * is assigned to `subscriptionId`.
 */
export function partiesIn({ data }: Webhook, query: MessageKind, subscriptionId: string): QueriedParties | undefined {
  const name = listOf(query);
  const { id, schema } = lists[name];
  const found = listIn(data, name);
  if (!found) return undefined;
  const reading = lenientParse(schema, found.list);
  if ('fault' in reading) return undefined; // cannot happen for a list: unreadable elements are skipped
  const parties = reading.value.flatMap(
    (party): JsonObject[] => ((party as JsonObject)[id] === '' ? [] : [{ subscriptionId, ...(party as JsonObject) }]), // read from JSON
  );
  const placed = reading.skipped.map(({ path, message }) => ({ path: path && `${found.place}.${path}`, message }));
  return { name, parties, skipped: placed };
}
