import type { Database } from './database.ts';
import type { Encryption, Tag } from './encryption.ts';
import { locations } from './schema.ts';
import type { Location, Tables } from './schema.ts';

/** A company that pays: the location of the console's record of it, and how the service knows it. */
export interface Payer extends Location {
  /** Equal for all records of one company, of any workspace. */
  owner: Owner;
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

export interface Reservation {
  key: string;
  /** Under which the invoices are stored. */
  identities: readonly string[];
  /** The payees with their amounts, by which the payments are found as long as their outcome is not known. */
  sums?: readonly string[];
  /** Why the invoices are paid although other payments cover them; they are not reserved without it. */
  reason?: string;
}

/** The payments with an unknown outcome of a company, which an earlier version has stored without their sums. */
export interface EarlierPayments {
  owner: Omit<Owner, 'application'>;
  undecided: readonly { key: string; sentAt: number; sums: readonly string[] }[];
}

/**
 * The invoices that each company of the service has paid or may have paid, whoever paid them from here. An invoice has
 * several identities, and is covered by every payment that has reserved one of them. The database refuses a second
 * payment without a reason. The identities are stored as tags.
 */
export interface PaidInvoices {
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
  /** Returns the locations of earlier versions' paid invoices of which it is not known whose they are. */
  unowned(): Promise<Location[]>;
  /** Records whose the paid invoices of an earlier version are. */
  adopt(at: Location, payments: EarlierPayments): Promise<void>;
}

/** Number of rows looked up or written in one statement. */
const batchSize = 500;

function* parts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize);
}

/** Makes the tags under which something that a payer pays may be stored, the present one first. */
type TagsOf = (identity: string) => [string, ...string[]];

export function createPaidInvoices(
  { read, write, transaction, alsoLock, clock }: Database<Tables>,
  encryption: Encryption,
  tag: Tag,
): PaidInvoices {
  const place = ({ workspace, company }: Location) => ({ workspace, company });
  const isAt = (at: Location, row: PaidInvoice, key: string): boolean =>
    row.workspace === at.workspace && row.company === at.company && row.key === key;
  const ownerTag = ({ organisationId, companyId }: Omit<Owner, 'application'>): string =>
    tag('earlier_companies', organisationId, companyId);
  /** The tag of earlier versions, which is that of the console's record. */
  const earlierTag = ({ workspace, company }: Location, identity: string): string =>
    tag('paid_invoices', workspace, company, identity);

  async function tagsOf({ owner, ...at }: Payer): Promise<TagsOf> {
    const earlier = await read((db) =>
      db
        .selectFrom('earlier_companies')
        .select(['workspace', 'company'])
        .where((on) => on.or([on('owner', '=', ownerTag(owner)), on.and(place(at))]))
        .execute(),
    );
    const { application, organisationId, companyId } = owner;
    return (identity) => [
      tag('invoice_payments', application, organisationId, companyId, identity),
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
    const tags = await tagsOf(of);
    const byTag = new Map(identities.flatMap((identity) => tags(identity).map((each) => [each, identity] as const)));
    const found: (Row & { identity: string })[] = [];
    for (const part of parts([...byTag.keys()]))
      for (const row of await query(part)) found.push({ ...row, identity: byTag.get(row.tag)! }); // was asked for
    return found.sort((one, other) => one.position - other.position);
  }

  async function covering(of: Payer, identities: readonly string[]): Promise<PaidInvoice[]> {
    const rows = await find(of, identities, (tags) =>
      read((db) =>
        db
          .selectFrom('invoice_payments')
          .select(['position', 'workspace', 'company', 'identity as tag', 'idempotency_key', 'batch_id', 'reserved_at'])
          .where('identity', 'in', tags)
          .execute(),
      ),
    );
    return rows.map(({ workspace, company, identity, idempotency_key: key, batch_id: batchId, reserved_at }) => ({
      ...{ workspace, company, identity, key, batchId, reservedAt: reserved_at },
    }));
  }

  async function insertSums(at: Location, tags: readonly string[], key: string, reservedAt: number): Promise<void> {
    for (const part of parts(tags)) {
      const rows = part.map((sum) => ({ ...place(at), sum, idempotency_key: key, reserved_at: reservedAt }));
      await write((db) => db.insertInto('undecided_sums').values(rows).execute());
    }
  }

  async function removeSums(at: Location, key: string): Promise<void> {
    await write((db) =>
      db
        .deleteFrom('undecided_sums')
        .where((on) => on.and({ ...place(at), idempotency_key: key }))
        .execute(),
    );
  }

  return {
    lock: ({ application, organisationId, companyId }) =>
      alsoLock(`paid invoices ${tag('invoice_payments', application, organisationId, companyId)}`),
    covering,
    async undecided(of, sums) {
      const rows = await find(of, sums, (tags) =>
        read((db) =>
          db
            .selectFrom('undecided_sums')
            .select(['position', 'workspace', 'company', 'sum as tag', 'idempotency_key', 'reserved_at'])
            .where('sum', 'in', tags)
            .execute(),
        ),
      );
      return rows.map(({ workspace, company, identity, idempotency_key: key, reserved_at: reservedAt }) => ({
        ...{ workspace, company, identity, key, batchId: '', reservedAt },
      }));
    },
    reserve: (of, { key, identities, sums = [], reason }) =>
      transaction(of.workspace, async () => {
        const all = await covering(of, identities);
        const others = all.filter((each) => !isAt(of, each, key));
        if (others.length > 0 && reason === undefined) return others;
        const own = new Set(all.filter((each) => isAt(of, each, key)).map(({ identity }) => identity));
        const missing = [...new Set(identities)].filter((identity) => !own.has(identity));
        const tags = await tagsOf(of);
        for (const part of parts(missing)) {
          const rows = part.map((identity) => {
            const row = { ...place(of), identity: tags(identity)[0], idempotency_key: key, batch_id: '' };
            const encrypted = reason === undefined ? null : encryption.encrypt(reason, locations.reason(row));
            return { ...row, reserved_at: clock.now(), reason: encrypted };
          });
          await write((db) => db.insertInto('invoice_payments').values(rows).execute());
        }
        await removeSums(of, key);
        const sumTags = [...new Set(sums)].map((sum) => tags(sum)[0]);
        await insertSums(of, sumTags, key, clock.now());
        return others;
      }),
    async confirm(at, key, batchId) {
      await write((db) =>
        db
          .updateTable('invoice_payments')
          .set({ batch_id: batchId })
          .where((on) => on.and({ ...place(at), idempotency_key: key }))
          .execute(),
      );
      await removeSums(at, key);
    },
    async free(at, key) {
      await write((db) =>
        db
          .deleteFrom('invoice_payments')
          .where((on) => on.and({ ...place(at), idempotency_key: key, batch_id: '' }))
          .execute(),
      );
      await removeSums(at, key);
    },
    unowned: () =>
      read((db) =>
        db.selectFrom('earlier_companies').select(['workspace', 'company']).where('owner', '=', '').execute(),
      ),
    adopt: (at, { owner, undecided }) =>
      transaction(at.workspace, async () => {
        const { numUpdatedRows } = await write((db) =>
          db
            .updateTable('earlier_companies')
            .set({ owner: ownerTag(owner) })
            .where((on) => on.and({ ...place(at), owner: '' }))
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
