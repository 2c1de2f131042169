import { setImmediate as othersTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Encryption, Tag } from './encryption.ts';
import { columnValues } from './queries.ts';
import { locationColumns, locations } from './schema.ts';
import type { Location, Tables } from './schema.ts';

/** A company that pays: the location of the console's record of it, and how the service knows it. */
export interface Payer extends Location {
  /** Equal for all records of one company, of any workspace. */
  owner: Owner;
  /** Tags made beforehand (`tagsOf`), so that a transaction need not. */
  tags?: ReadonlyMap<string, string>;
}

export interface Owner {
  application: string;
  organisationId: string;
  companyId: string;
}

/** A payment of an invoice, made or under way; its location is that of the payer's record. */
export interface PaidInvoice extends Location {
  /** One of the identities of the invoice, or the sum, as it was asked for. */
  identity: string;
  /** The idempotency key of the payment. */
  key: string;
  /** '' while it is not known whether the payment was made. */
  batchId: string;
  /** In ms. */
  reservedAt: number;
}

interface Reservation {
  key: string;
  /** Under which the invoices are stored. */
  identities: readonly string[];
  /** The payees with their amounts, by which the payments are found as long as their outcome is not known. */
  sums?: readonly string[];
  /** Why the invoices are paid although other payments cover them; they are not reserved without it. */
  reason?: string;
  /** When they were reserved (ms); now by default. */
  at?: number;
}

/** The payments with an unknown outcome of a company, which an earlier version has stored without their sums. */
interface EarlierPayments {
  owner: Omit<Owner, 'application'>;
  undecided: readonly { key: string; sentAt: number; sums: readonly string[] }[];
}

/**
 * The invoices that each company of the service has paid or may have paid, whoever paid them from here. An invoice has
 * several identities, and is covered by every payment that has reserved one of them. The database refuses a second
 * payment without a reason. The identities are stored as tags.
 */
export interface PaidInvoices {
  /** Makes the tags of identities or sums, for `Payer`; other work gets its turn. */
  tagsOf(owner: Owner, identities: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Makes the payments of one company wait for each other, until the current transaction ends. */
  lock(owner: Owner): Promise<void>;
  /** Returns the payments that cover one of these identities, the earliest first. */
  covering(of: Payer, identities: readonly string[]): Promise<PaidInvoice[]>;
  /** Returns the payments of one of these sums whose outcome is not known, the earliest first. */
  undecided(of: Payer, sums: readonly string[]): Promise<PaidInvoice[]>;
  /**
   * Reserves invoices for a payment. Returns the payments under other keys that cover one of them; unless there are
   * none, or there is a reason, nothing is reserved. A payment may reserve again under its key.
   */
  reserve(of: Payer, reservation: Reservation): Promise<PaidInvoice[]>;
  /** Records that the payment was made. */
  confirm(at: Location, key: string, batchId: string): Promise<void>;
  /** Frees the invoices of a payment that was not made; those of one that was made stay. */
  free(at: Location, key: string): Promise<void>;
  /** Returns the payments of a company's record that were made, the earliest first. */
  madeAt(at: Location): Promise<Pick<PaidInvoice, 'key' | 'batchId' | 'reservedAt'>[]>;
  /** Forgets all payments of a company's record: for a sandbox that no longer has them, and never for a live service. */
  forget(at: Location): Promise<void>;
  /** Returns the locations of earlier versions' paid invoices of which it is not known whose they are. */
  unowned(): Promise<Location[]>;
  /** Records whose the paid invoices of an earlier version are. */
  adopt(at: Location, payments: EarlierPayments): Promise<void>;
}

/** Number of tags made before other work gets its turn. */
const madeAtOnce = 1000;

/** In the order of the indexes, thousands of rows are inserted several times as fast as in a random one. */
const inOrder = (tags: readonly string[]): string[] => tags.toSorted();

/** Makes the tags under which something that a payer pays may be stored, the present one first. */
type TagsOf = (identity: string) => [string, ...string[]];

export function createPaidInvoices(
  { read, write, transaction, alsoLock, clock, isPostgres }: Database<Tables>,
  encryption: Encryption,
  tag: Tag,
): PaidInvoices {
  const { isAmong, pairs } = columnValues(isPostgres);
  const isAt = (at: Location, row: PaidInvoice, key: string): boolean =>
    row.workspace === at.workspace && row.companyKey === at.companyKey && row.key === key;
  const ownerTag = ({ organisationId, companyId }: Omit<Owner, 'application'>): string =>
    tag('earlier_companies', organisationId, companyId);
  /** The tag of earlier versions, which is that of the console's record. */
  const earlierTag = ({ workspace, companyKey }: Location, identity: string): string =>
    tag('paid_invoices', workspace, companyKey, identity);

  const tagOf = ({ application, organisationId, companyId }: Owner, identity: string): string =>
    tag('invoice_payments', application, organisationId, companyId, identity);

  async function tagsBy({ owner, tags: made, ...at }: Payer): Promise<TagsOf> {
    const earlier = await read((db) =>
      db
        .selectFrom('earlier_companies')
        .select(['workspace', 'company_key as companyKey'])
        .where((on) => on.or([on('owner', '=', ownerTag(owner)), on.and(locationColumns(at))]))
        .execute(),
    );
    return (identity) => [
      made?.get(identity) ?? tagOf(owner, identity),
      ...earlier.map((each) => earlierTag(each, identity)),
    ];
  }

  /** Looks up what is stored under these tags by a query for some of them. */
  async function find<Row extends { position: number; tag: string }>(
    of: Payer,
    identities: readonly string[],
    query: (tags: string[]) => Promise<Row[]>,
  ): Promise<(Row & { identity: string })[]> {
    if (identities.length === 0) return [];
    const tags = await tagsBy(of);
    const byTag = new Map<string, string>();
    for (const identity of identities) for (const each of tags(identity)) byTag.set(each, identity);
    const rows = await query([...byTag.keys()]);
    return rows.map((row) => ({ ...row, identity: byTag.get(row.tag)! })); // was asked for
  }

  async function covering(of: Payer, identities: readonly string[]): Promise<PaidInvoice[]> {
    const rows = await find(of, identities, (tags) =>
      read((db) =>
        db
          .selectFrom('invoice_payments')
          .select([
            'position',
            'workspace',
            'company_key as companyKey',
            'identity as tag',
            'idempotency_key',
            'batch_id',
            'reserved_at',
          ])
          .where(isAmong('identity', tags))
          .orderBy('position')
          .execute(),
      ),
    );
    return rows.map(({ workspace, companyKey, identity, idempotency_key: key, batch_id: batchId, reserved_at }) => ({
      ...{ workspace, companyKey, identity, key, batchId, reservedAt: reserved_at },
    }));
  }

  async function insertSums(at: Location, tags: readonly string[], key: string, reservedAt: number): Promise<void> {
    if (tags.length === 0) return;
    await write((db) =>
      sql`insert into undecided_sums (workspace, company_key, sum, idempotency_key, reserved_at)
        select ${at.workspace}, ${at.companyKey}, one, ${key}, cast(${reservedAt} as bigint)
        from ${pairs(inOrder(tags).map((each) => [each, null]))}`.execute(db),
    );
  }

  async function removeSums(at: Location, key: string): Promise<void> {
    await write((db) =>
      db
        .deleteFrom('undecided_sums')
        .where((on) => on.and({ ...locationColumns(at), idempotency_key: key }))
        .execute(),
    );
  }

  return {
    async tagsOf(owner, identities) {
      const made = new Map<string, string>();
      for (const identity of identities) {
        if (made.has(identity)) continue;
        if (made.size % madeAtOnce === madeAtOnce - 1) await othersTurn();
        made.set(identity, tagOf(owner, identity));
      }
      return made;
    },
    lock: ({ application, organisationId, companyId }) =>
      alsoLock(`paid invoices ${tag('invoice_payments', application, organisationId, companyId)}`),
    covering,
    async undecided(of, sums) {
      const rows = await find(of, sums, (tags) =>
        read((db) =>
          db
            .selectFrom('undecided_sums')
            .select([
              'position',
              'workspace',
              'company_key as companyKey',
              'sum as tag',
              'idempotency_key',
              'reserved_at',
            ])
            .where(isAmong('sum', tags))
            .orderBy('position')
            .execute(),
        ),
      );
      return rows.map(({ workspace, companyKey, identity, idempotency_key: key, reserved_at: reservedAt }) => ({
        ...{ workspace, companyKey, identity, key, batchId: '', reservedAt },
      }));
    },
    reserve: (of, { key, identities, sums = [], reason, at = clock.now() }) =>
      transaction(of.workspace, async () => {
        const all = await covering(of, identities);
        const others = all.filter((each) => !isAt(of, each, key));
        if (others.length > 0 && reason === undefined) return others;
        const own = new Set(all.filter((each) => isAt(of, each, key)).map(({ identity }) => identity));
        const missing = [...new Set(identities)].filter((identity) => !own.has(identity));
        const tags = await tagsBy(of);
        const rows = inOrder(missing.map((identity) => tags(identity)[0])).map((one): [string, string | null] => {
          const row = { ...locationColumns(of), identity: one, idempotency_key: key };
          return [one, reason === undefined ? null : encryption.encrypt(reason, locations.reason(row))];
        });
        if (rows.length > 0)
          await write((db) =>
            sql`insert into invoice_payments
              (workspace, company_key, identity, idempotency_key, batch_id, reserved_at, reason)
              select ${of.workspace}, ${of.companyKey}, one, ${key}, '', cast(${at} as bigint), other
              from ${pairs(rows)}`.execute(db),
          );
        await removeSums(of, key);
        const sumTags = [...new Set(sums)].map((sum) => tags(sum)[0]);
        await insertSums(of, sumTags, key, at);
        return others;
      }),
    async confirm(at, key, batchId) {
      await write((db) =>
        db
          .updateTable('invoice_payments')
          .set({ batch_id: batchId })
          .where((on) => on.and({ ...locationColumns(at), idempotency_key: key }))
          .execute(),
      );
      await removeSums(at, key);
    },
    async free(at, key) {
      await write((db) =>
        db
          .deleteFrom('invoice_payments')
          .where((on) => on.and({ ...locationColumns(at), idempotency_key: key, batch_id: '' }))
          .execute(),
      );
      await removeSums(at, key);
    },
    async madeAt(at) {
      const rows = await read((db) =>
        db
          .selectFrom('invoice_payments')
          .select((on) => [
            'idempotency_key as key',
            'batch_id as batchId',
            on.fn.min('reserved_at').as('reservedAt'),
            on.fn.min('position').as('first'),
          ])
          .where((on) => on.and(locationColumns(at)))
          .where('batch_id', '<>', '')
          .groupBy(['idempotency_key', 'batch_id'])
          .orderBy('first')
          .execute(),
      );
      return rows.map(({ key, batchId, reservedAt }) => ({ key, batchId, reservedAt: Number(reservedAt) })); // PostgreSQL's aggregates are texts
    },
    async forget(at) {
      for (const table of ['invoice_payments', 'undecided_sums'] as const)
        await write((db) =>
          db
            .deleteFrom(table)
            .where((on) => on.and(locationColumns(at)))
            .execute(),
        );
    },
    unowned: () =>
      read((db) =>
        db
          .selectFrom('earlier_companies')
          .select(['workspace', 'company_key as companyKey'])
          .where('owner', '=', '')
          .execute(),
      ),
    adopt: (at, { owner, undecided }) =>
      transaction(at.workspace, async () => {
        const { numUpdatedRows } = await write((db) =>
          db
            .updateTable('earlier_companies')
            .set({ owner: ownerTag(owner) })
            .where((on) => on.and({ ...locationColumns(at), owner: '' }))
            .executeTakeFirst(),
        );
        // Another server may have done it.
        if (numUpdatedRows === 0n) return;
        for (const { key, sentAt, sums } of undecided) {
          const tags = [...new Set(sums)].map((sum) => earlierTag(at, sum));
          await insertSums(at, tags, key, sentAt);
        }
      }),
  };
}
