import type { Database } from './database.ts';
import type { Encryption, Tag } from './encryption.ts';
import { locations } from './schema.ts';
import type { Location, Tables } from './schema.ts';

/** A payment of an invoice, made or under way. */
export interface PaidInvoice {
  /** One of the identities of the invoice, as it was asked for. */
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
  /** Why the invoices are paid although other payments cover them; they are not reserved without it. */
  reason?: string;
}

/**
 * The invoices that each company has paid or may have paid. An invoice has several identities, and is covered by every
 * payment that has reserved one of them. The database refuses a second payment without a reason. The identities are
 * stored as tags.
 */
export interface PaidInvoices {
  /** Returns the payments that cover one of these identities, the earliest first. */
  covering(at: Location, identities: readonly string[]): Promise<PaidInvoice[]>;
  /**
   * Reserves invoices for a payment. Returns the payments under other keys that cover one of them; unless there are
   * none, or there is a reason, nothing is reserved. A payment may reserve again under its key.
   */
  reserve(at: Location, reservation: Reservation): Promise<PaidInvoice[]>;
  /** Records that the payment was made. */
  confirm(at: Location, key: string, batchId: string): Promise<void>;
  /** Frees the invoices of a payment that was not made; those of one that was made stay. */
  free(at: Location, key: string): Promise<void>;
}

/** Number of rows looked up or written in one statement. */
const batchSize = 500;

export function createPaidInvoices(
  { read, write, transaction, clock }: Database<Tables>,
  encryption: Encryption,
  tag: Tag,
): PaidInvoices {
  const tagOf = ({ workspace, company }: Location, identity: string): string =>
    tag('paid_invoices', workspace, company, identity);
  const place = ({ workspace, company }: Location) => ({ workspace, company });

  function* parts<T>(all: readonly T[]): Generator<T[]> {
    for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize);
  }

  async function covering(at: Location, identities: readonly string[]): Promise<PaidInvoice[]> {
    const byTag = new Map(identities.map((identity) => [tagOf(at, identity), identity]));
    const found = [];
    for (const tags of parts([...byTag.keys()]))
      found.push(
        ...(await read((db) =>
          db
            .selectFrom('paid_invoices')
            .selectAll()
            .where((on) => on.and(place(at)))
            .where('identity', 'in', tags)
            .execute(),
        )),
      );
    return found
      .sort((one, other) => one.position - other.position)
      .map(({ identity, idempotency_key: key, batch_id: batchId, reserved_at: reservedAt }) => ({
        ...{ identity: byTag.get(identity)!, key, batchId, reservedAt }, // was asked for
      }));
  }

  return {
    covering,
    reserve: (at, { key, identities, reason }) =>
      transaction(at.workspace, async () => {
        const all = await covering(at, identities);
        const others = all.filter((each) => each.key !== key);
        if (others.length > 0 && reason === undefined) return others;
        const own = new Set(all.filter((each) => each.key === key).map(({ identity }) => identity));
        const missing = [...new Set(identities)].filter((identity) => !own.has(identity));
        for (const part of parts(missing)) {
          const rows = part.map((identity) => {
            const row = { ...place(at), identity: tagOf(at, identity), idempotency_key: key, batch_id: '' };
            const encrypted = reason === undefined ? null : encryption.encrypt(reason, locations.reason(row));
            return { ...row, reserved_at: clock.now(), reason: encrypted };
          });
          await write((db) => db.insertInto('paid_invoices').values(rows).execute());
        }
        return others;
      }),
    async confirm(at, key, batchId) {
      await write((db) =>
        db
          .updateTable('paid_invoices')
          .set({ batch_id: batchId })
          .where((on) => on.and({ ...place(at), idempotency_key: key }))
          .execute(),
      );
    },
    async free(at, key) {
      await write((db) =>
        db
          .deleteFrom('paid_invoices')
          .where((on) => on.and({ ...place(at), idempotency_key: key, batch_id: '' }))
          .execute(),
      );
    },
  };
}
