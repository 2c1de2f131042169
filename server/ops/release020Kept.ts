import { sql } from 'kysely';
import { parse } from '#contract/json.ts';
import { locationKey, UnknownKeyError } from '#server/storage/encryption.ts';
import type { Earlier } from '#server/storage/open.ts';
import { locations } from '#server/storage/schema.ts';
import type { Exchange } from '#server/storage/writes.ts';
import { payerOf, type Batch } from '#server/writes/invoices.ts';
import type { KnownPayee } from '#server/writes/sameInvoice.ts';

/** Returns the id of the application by which a workspace reaches the service. */
export type ApplicationOf = (workspace: string) => string;

/** The tables of release 0.2.0, as far as they are read here. */
interface KeyRow {
  workspace: string;
  company_key: string;
  key: string;
  /** The text that an older row had instead of company and key. */
  former: string | null;
  /** Encrypted, as the response is. */
  fingerprint: string;
  response: string | null;
  claimed_at: number;
  service_time: number | null;
}
interface Reserved {
  workspace: string;
  company_key: string;
  idempotency_key: string;
  /** '' while the outcome is not known. */
  batch_id: string;
  reserved_at: number;
}
interface Row {
  workspace: string;
  company_key: string;
  kind: string;
  id: string;
  value: string;
  subject: string | null;
  state: string | null;
}

/** An attempt at a payment, and a payment of a batch, as release 0.2.0 stored them. */
export interface Attempt {
  key: string;
  state: string;
  request: Batch | null;
  /** The creditors that it names by half, as they were known then. */
  known?: KnownPayee[];
  lost?: string;
  settled?: { batchId: string; at: string; by: 'response' | 'read' | 'webhook'; interactionId: string };
}
export interface Sent {
  ofBatch?: { externalId: string; subscriptionId: string };
  reference: string;
  identities: string[];
  identification?: Record<'amount' | 'currency' | 'creditorId' | 'name' | 'account' | 'text', string>;
}

/** Returns a text; undefined if it was tampered with. Throws UnknownKeyError if its key is missing. */
export function readable(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return undefined;
  }
}

/** An idempotency key with what can be read of it: of what was tampered with, the texts are undefined. */
interface Key extends Pick<KeyRow, 'workspace' | 'company_key' | 'key' | 'former' | 'claimed_at' | 'service_time'> {
  /** The hash of the call and its body, and the description of the call. */
  printed: string | undefined;
  response: string | undefined;
  hasResponse: boolean;
  /** False for a payment of which no key was claimed: a file of a situation had brought it along. */
  isClaimed: boolean;
}

/** Where something belongs: a workspace and a company. */
interface At {
  workspace: string;
  company_key: string;
}

/** What release 0.2.0 has stored of writes. */
export interface Kept {
  keys: Key[];
  /** A record as it was stored; undefined if there is none that can be read. */
  record(at: At, kind: 'paymentAttempts' | 'sentPayments' | 'batchAnswers', id: string): unknown;
  /** The exchanges with the service, by their interaction ids. */
  exchanges: Map<string, Exchange>;
  /** Who has received an id: the key sent to the service, by kind and id. */
  received: Map<string, string>;
  reserved(at: At, key: string): Reserved | undefined;
  /** The tag of the company that pays; undefined if the settings name none, or were removed. */
  payer(at: At): string | undefined;
}

const nameOf = (...parts: string[]) => JSON.stringify(parts);

/** Reads what release 0.2.0 has stored of writes. Throws UnknownKeyError if the key of a value is missing. */
export async function readKept({ db, encryption, tag }: Earlier, applicationOf: ApplicationOf): Promise<Kept> {
  const all = async <T>(from: string): Promise<T[]> =>
    (await sql<T>`select * from ${sql.table(from)} order by position`.execute(db)).rows;

  const records = new Map<string, unknown>();
  const exchanges = new Map<string, Exchange>();
  const { rows } =
    await sql<Row>`select * from records where kind in ('made', 'paymentAttempts', 'sentPayments', 'batchAnswers')`.execute(
      db,
    );
  for (const row of rows) {
    const text = readable(() => encryption.decrypt(row.value, locations.record(row)));
    if (text === undefined) continue;
    const value = parse(text);
    records.set(nameOf(row.workspace, row.company_key, row.kind, row.id), value);
    if (row.kind !== 'made') continue;
    const { interactionId, at, ms, method, url, status } = value as Exchange; // as it was stored
    exchanges.set(interactionId, { interactionId, at, ms, method, url, status });
  }
  const received = new Map<string, string>();
  for (const { kind, id, idempotency_key: by } of await all<{ kind: string; id: string; idempotency_key: string }>(
    'received_ids',
  ))
    received.set(`${kind}/${id}`, by);

  const { rows: reservations } = await sql<Reserved>`
    select workspace, company_key, idempotency_key, max(batch_id) as batch_id, min(reserved_at) as reserved_at
    from invoice_payments group by workspace, company_key, idempotency_key order by min(position)`.execute(db);
  const reserved = new Map(
    reservations.map((row) => [nameOf(row.workspace, row.company_key, row.idempotency_key), row]),
  );

  const payers = new Map<string, string>();
  for (const { workspace, company_key: companyKey, value } of await all<Row>('settings')) {
    const text = readable(() => encryption.decrypt(value, locations.setting({ workspace, company_key: companyKey })));
    const settings = text === undefined ? {} : (parse(text) as { value: Record<string, string> }).value; // as Keyv has stored them
    const { organisationId = '', companyId = '' } = settings;
    if (companyId !== '')
      payers.set(nameOf(workspace, companyKey), payerOf(tag, applicationOf(workspace), organisationId, companyId));
  }

  const claimed = await all<KeyRow>('idempotency_keys');
  const names = new Set(claimed.map(({ workspace, company_key, key }) => nameOf(workspace, company_key, key)));
  const unclaimed = reservations
    .filter(
      ({ workspace, company_key, idempotency_key: key }) => !names.has(nameOf(workspace, company_key, `write/${key}`)),
    )
    .map(({ workspace, company_key, idempotency_key: key, reserved_at: claimed_at }): Key => ({
      workspace,
      company_key,
      key: `write/${key}`,
      former: null,
      printed: undefined,
      response: undefined,
      hasResponse: false,
      isClaimed: false,
      claimed_at,
      service_time: null,
    }));
  const opened = ({ fingerprint, response, ...row }: KeyRow): Key => {
    const { workspace, company_key: companyKey, key, former } = row;
    const old = former === null ? [workspace, companyKey, key] : [workspace, former];
    return {
      ...row,
      printed: readable(() => encryption.decrypt(fingerprint, locationKey('fingerprint', ...old))),
      response:
        response === null ? undefined : readable(() => encryption.decrypt(response, locationKey('response', ...old))),
      hasResponse: response !== null,
      isClaimed: true,
    };
  };
  return {
    keys: [...unclaimed, ...claimed.map(opened)],
    record: (at, kind, id) => records.get(nameOf(at.workspace, at.company_key, kind, id)),
    exchanges,
    received,
    reserved: (at, key) => reserved.get(nameOf(at.workspace, at.company_key, key)),
    payer: (at) => payers.get(nameOf(at.workspace, at.company_key)),
  };
}
