import type { Selectable } from 'kysely';
import { escapeId } from '#server/escapeId.ts';
import type { InjectedFault } from '../lab/injectedFault.ts';
import type { Tables } from '../store/schema.ts';
import type { TenantStore } from '../store/tenantStore.ts';

/** A webhook and the result of its delivery to the consumer. */
export interface Delivery {
  webhookId: string;
  type: string;
  /** ms since the epoch. */
  at: number;
  /** The body without the changes made by the fault. */
  body: string;
  injected?: InjectedFault;
  attempts: number;
  /** Whether the receiver accepted it. */
  delivered: boolean;
  /** The HTTP status of the latest answer; 0 if there was none. */
  status: number;
}

const deliveryOf = (row: Selectable<Tables['deliveries']>): Delivery => ({
  webhookId: row.webhook_id,
  type: row.type,
  at: row.sent_at,
  body: row.body,
  attempts: row.attempts,
  status: row.status,
  delivered: row.is_delivered === 1,
  ...(row.injected !== null && { injected: JSON.parse(row.injected) as InjectedFault }), // written below
});

/** The latest `maximum` webhooks that were sent or should have been, for inspecting and resending them. */
export function createDeliveries(
  { application, read, write }: Pick<TenantStore, 'application' | 'read' | 'write'>,
  maximum = 1000,
) {
  return {
    async add(webhookId: string, type: string, body: string, at: number, injected?: InjectedFault): Promise<void> {
      await write((db) =>
        db
          .insertInto('deliveries')
          .values({
            ...{ application, webhook_id: webhookId, type, body, sent_at: at },
            injected: injected ? JSON.stringify(injected) : null,
            ...{ attempts: 0, status: 0, is_delivered: 0 },
          })
          .execute(),
      );
      await write((db) =>
        db
          .deleteFrom('deliveries')
          .where('application', '=', application)
          .where('position', '<=', (on) =>
            on
              .selectFrom('deliveries')
              .select('position')
              .where('application', '=', application)
              .orderBy('position', 'desc')
              .limit(1)
              .offset(maximum),
          )
          .execute(),
      );
    },
    /** Stores the result of an attempt: the HTTP status of the answer, 0 if there was none. */
    async recordAttempt(webhookId: string, status: number, delivered: boolean): Promise<void> {
      await write((db) =>
        db
          .updateTable('deliveries')
          .set((on) => ({ attempts: on('attempts', '+', 1), status, is_delivered: delivered ? 1 : 0 }))
          .where((on) => on.and({ application, webhook_id: webhookId }))
          .execute(),
      );
    },
    async find(webhookId: string): Promise<Delivery | undefined> {
      const row = await read((db) =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where((on) => on.and({ application, webhook_id: escapeId(webhookId) }))
          .executeTakeFirst(),
      );
      return row && deliveryOf(row);
    },
    /** Returns the latest webhooks, newest first. */
    async latest(limit: number): Promise<Delivery[]> {
      const rows = await read((db) =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where('application', '=', application)
          .orderBy('position', 'desc')
          .limit(limit)
          .execute(),
      );
      return rows.map(deliveryOf);
    },
    /**
     * Returns the webhooks made since this time (ms since the epoch) that the receiver has not accepted, oldest first.
     */
    async failedSince(at: number): Promise<Delivery[]> {
      const rows = await read((db) =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where((on) => on.and({ application, is_delivered: 0 }))
          .where('sent_at', '>=', at)
          .orderBy('position')
          .execute(),
      );
      return rows.map(deliveryOf);
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
