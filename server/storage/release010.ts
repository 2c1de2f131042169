import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { parse } from '#contract/json.ts';
import { createTagger, UnknownKeyError } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { DatabaseError, ownCodes } from './errors.ts';
import { columnTypes, isPostgres } from './migrate.ts';
import type { EarlierRelease } from './migrate.ts';
import { nameColumns, nameCompanyKey } from './migrations.ts';
import { locations } from './schema.ts';
import type { Location } from './schema.ts';
import { encryptEarlierSetting } from './settingsMigration.ts';

/**
 * The stores of release 0.1.0, which had records by namespace: `{workspace}/{kind}` for those of a workspace and of its
 * first company, `{workspace}/{company}/{kind}` for those of the others.
 */

/** A record of release 0.1.0. */
export interface EarlierRecord extends Location {
  kind: string;
  id: string;
  value: unknown;
}

/** A payment of release 0.1.0, with the identities of its invoices. */
export interface EarlierPayment extends Location {
  key: string;
  identities: readonly string[];
  /** '' if its outcome is not known. */
  batchId: string;
  /** In ms. */
  sentAt: number;
}

/** What the areas make of a record: they store it themselves, and return the payment that it was about, if any. */
export type TakeOver = (record: EarlierRecord) => Promise<EarlierPayment | undefined>;

const firstCompany = 'first';
/** Kinds that are not taken over: entries of the timeline, and logins in progress. */
const leftBehind = ['timeline', 'logins'];
/** Kinds of which each record is needed: without a payment, for instance, its invoices would be paid again. */
const vital = ['settings', 'attempts'];
/** Settings of the workspace; the others are those of a company. */
const ofWorkspace = [
  ...['providerCountry', 'fileFormatCountry', 'acceptLanguage', 'useMock', 'useNetwork', 'userJwt', 'currentScope'],
];
/** A mark of a company that was being set up. */
const unfinished = 'entering';

const tables = ['entries', 'tallies', 'set_aside', 'claims', 'sessions', 'probe'];
const ofPostgres = ['versions', 'servers', 'keys', 'held', 'rates', 'copied', 'schema_version'];

interface Row {
  namespace: string;
  key: string;
  value: string;
}

function partsOf(namespace: string): Location & { kind: string } {
  const [workspace = '', ...rest] = namespace.split('/');
  return { workspace, companyKey: rest.length > 1 ? rest[0]! : firstCompany, kind: rest.at(-1) ?? '' }; // just checked
}

const withoutColon = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(':') ? value.slice(1) : value;

/** Reads a stored text; its earliest ones have another form. */
const valueIn = (text: string): unknown =>
  (
    (text.startsWith('json:') ? parse(text.slice('json:'.length)) : JSON.parse(text, withoutColon)) as {
      value: unknown;
    }
  ).value; // as it was serialised

interface Needs {
  name: string;
  encryption: Encryption;
  indexKey: Buffer;
  takeOver: TakeOver;
}

/**
 * Takes over the tables of release 0.1.0, which have been renamed, into those of the first version of this schema. Rejects
 * with UnknownKeyError if a key is missing, and with DatabaseError if a payment or a setting cannot be read.
 */
async function takeOverAll(db: Kysely<unknown>, prefix: string, needs: Needs, now: number): Promise<void> {
  const { name, encryption, indexKey, takeOver } = needs;
  const tag = createTagger(indexKey);
  const of = (table: string) => sql.table(prefix + table);
  const insert = (table: string, row: Record<string, unknown>) =>
    (db as Kysely<Record<string, Record<string, unknown>>>).insertInto(table).values(row).execute();
  const quarantine = ({ namespace, key, value }: Row, at: number) => {
    const { companyKey: company, ...parts } = partsOf(namespace);
    return insert('quarantine', { ...parts, company, id: key, value, quarantined_at: at });
  };
  const paid = new Set<string>();

  /** Registers invoices as the first version did: without a company of the service, which is found out at the start. */
  async function register({ workspace, companyKey, key, identities, batchId, sentAt }: EarlierPayment): Promise<void> {
    for (const identity of new Set(identities)) {
      const tagged = tag('paid_invoices', workspace, companyKey, identity);
      const row = { workspace, identity: tagged, idempotency_key: key };
      const reason = paid.has(tagged) ? 'Its earlier payments failed or were overridden.' : undefined;
      paid.add(tagged);
      const place = locations.reason({ ...row, company_key: companyKey });
      const encrypted = reason === undefined ? null : encryption.encrypt(reason, place);
      const payment = { batch_id: batchId, reserved_at: sentAt, reason: encrypted };
      await insert('paid_invoices', { ...row, company: companyKey, ...payment });
    }
  }

  async function take(row: Row, at: number): Promise<void> {
    const { namespace, key: id } = row;
    const { kind, ...location } = partsOf(namespace);
    if (leftBehind.includes(kind)) return;
    let value: unknown;
    try {
      value = valueIn(encryption.decrypt(row.value, `${namespace}/${id}`));
    } catch (error) {
      if (error instanceof UnknownKeyError) throw error;
      if (!vital.includes(kind)) return void (await quarantine(row, at));
      throw new DatabaseError(
        name,
        ownCodes.unfit,
        `its ${kind === 'settings' ? 'setting' : 'payment'} ${namespace}/${id} of release 0.1.0 cannot be read, restore a backup`,
        error,
      );
    }
    if (kind !== 'settings') {
      const payment = await takeOver({ ...location, kind, id, value });
      if (payment) await register(payment);
    } else if (id !== unfinished) {
      const at = {
        workspace: location.workspace,
        company: ofWorkspace.includes(id) ? '' : location.companyKey,
        key: id,
      };
      await sql`insert into settings (workspace, company, key, value)
        values (${at.workspace}, ${at.company}, ${id}, ${encryptEarlierSetting(encryption, at, String(value))})
        on conflict (workspace, company, key) do update set value = excluded.value`.execute(db);
    }
  }

  const { rows } = await sql<Row>`select namespace, key, value from ${of('entries')} order by position`.execute(db);
  // The areas store records by today's collections, which need the present columns; the migrations make them again.
  await nameCompanyKey(db, 'records');
  for (const statement of nameColumns(columnTypes(db))) await sql.raw(statement).execute(db);
  for (const row of rows) await take(row, now);
  for (const column of ['name', 'alias']) await sql`alter table records drop column ${sql.ref(column)}`.execute(db);
  await sql`alter table records rename column company_key to company`.execute(db);

  const { rows: aside } = await sql<
    Row & { at: number }
  >`select namespace, key, value, set_aside_at as at from ${of('set_aside')}`.execute(db);
  for (const { at, ...row } of aside) await quarantine(row, at);

  const claimedAt = isPostgres(db) ? sql`(extract(epoch from claimed_at) * 1000)::bigint` : sql`claimed_at`;
  const { rows: claims } = await sql<{ key: string; fingerprint: string; answer: string | null; at: number }>`
    select key, fingerprint, answer, ${claimedAt} as at from ${of('claims')} order by claimed_at`.execute(db);
  for (const { key: whole, fingerprint, answer, at } of claims) {
    const [workspace, key] = [whole.slice(0, whole.indexOf('/')), whole.slice(whole.indexOf('/') + 1)];
    const place = { workspace, company_key: '', key, former: key };
    await insert('idempotency_keys', {
      ...{ workspace, key, claimed_at: at },
      fingerprint: moved(fingerprint, `claims/fingerprint/${whole}`, locations.fingerprint(place), encryption),
      response: answer && moved(answer, `claims/answer/${whole}`, locations.response(place), encryption),
    });
  }
}

/** Encrypts a value for another place. One that was tampered with stays unreadable, and its key counts as used. */
function moved(value: string, from: string, to: string, encryption: Encryption): string {
  try {
    return encryption.encrypt(encryption.decrypt(value, from), to);
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return value;
  }
}

/** Rejects with DatabaseError if a server of the earlier release runs on the database. */
async function assertNoServer(db: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql`select 1 from servers where alive_until > clock_timestamp()`.execute(db);
  if (rows.length > 0)
    throw new DatabaseError(
      name,
      ownCodes.unfit,
      'a server of release 0.1.0 runs on it or ended less than a minute ago, stop it and wait a minute',
    );
}

/** How the console takes over a database of release 0.1.0; it cannot without `needs`. */
export const release010 = (
  now: () => number,
  needs: ((db: Kysely<unknown>) => Promise<Needs>) | undefined,
): EarlierRelease => ({
  tables: [...tables, ...ofPostgres],
  firstVersion: '001 tables',
  drops: (isShared) =>
    isShared
      ? [
          ...['insert', 'delete', 'update'].map((event) => `drop function if exists after_${event}() cascade`),
          'drop sequence if exists version_numbers',
        ]
      : ['insert', 'delete', 'update'].map((event) => `drop trigger if exists tally_${event}`),
  check: async (db, name) => (isPostgres(db) ? assertNoServer(db, name) : undefined),
  takeOver: needs && (async (db, prefix) => takeOverAll(db, prefix, await needs(db), now())),
});
