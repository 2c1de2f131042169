import type { Selectable } from 'kysely';
import { escapeId } from '#server/escapeId.ts';
import type { Tables } from '../store/schema.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import type { RecordedDelivery } from '../recorded.ts';
import type { InjectedFault } from './call.ts';
import type { Recorder } from './recorder.ts';

/** An attempt to deliver a webhook. */
export interface Attempt {
  /** ms since the epoch, by the machine's clock. */
  at: number;
  receiver: 'consumer' | 'second';
  /** The address that was called, without credentials. */
  url: string;
  /** The HTTP status of the answer; 0 if there was none. */
  status: number;
  /** What happened, in words. */
  outcome: string;
}

/** Maximum number of attempts that are kept of a webhook: the first ones of two receivers, and resends. */
const maximumAttempts = 40;

export const wasAccepted = ({ status }: Pick<Attempt, 'status'>): boolean => status >= 200 && status < 300;

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
  /** The latest attempts at both receivers, oldest first. */
  log: readonly Attempt[];
}

const deliveryOf = (row: Selectable<Tables['deliveries']>): Delivery => ({
  webhookId: row.webhook_id,
  type: row.type,
  at: row.sent_at,
  body: row.body,
  attempts: row.attempts,
  status: row.status,
  delivered: row.is_delivered === 1,
  log: JSON.parse(row.log) as Attempt[], // written below
  ...(row.injected !== null && { injected: JSON.parse(row.injected) as InjectedFault }), // written below
});

/**
 * The latest `maximum` webhooks that were sent or should have been, stored for inspecting and resending them. What the
 * consumer is sent goes to the recorder as well.
 */
export function createDeliveries(
  { application, read, write, transaction }: Pick<TenantStore, 'application' | 'read' | 'write' | 'transaction'>,
  recorder: Pick<Recorder, 'addDelivery'>,
  maximum = 1000,
) {
  const rowOf = (webhookId: string) =>
    read((db) =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where((on) => on.and({ application, webhook_id: webhookId }))
        .executeTakeFirst(),
    );

  return {
    async add(webhookId: string, type: string, body: string, at: number, injected?: InjectedFault): Promise<void> {
      await write((db) =>
        db
          .insertInto('deliveries')
          .values({
            application,
            webhook_id: webhookId,
            type,
            body,
            sent_at: at,
            injected: injected ? JSON.stringify(injected) : null,
            attempts: 0,
            status: 0,
            is_delivered: 0,
            log: '[]',
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
    /** Adds an attempt; `sent`: what was sent, and the kind of the webhook's fault; absent if nothing was. */
    async recordAttempt(
      webhookId: string,
      attempt: Attempt,
      sent?: Pick<RecordedDelivery, 'ms' | 'headers' | 'body'> & { fault: string | undefined },
    ): Promise<void> {
      const { at, receiver, status, outcome } = attempt;
      const isCounted = receiver === 'consumer' && sent !== undefined;
      if (isCounted) {
        const { fault, ms, headers, body } = sent;
        recorder.addDelivery(webhookId, fault, { at, ms, status, outcome, headers, body });
      }
      await transaction(async () => {
        const row = await rowOf(webhookId);
        if (!row) return; // evicted meanwhile
        const log = JSON.stringify([...(JSON.parse(row.log) as Attempt[]), attempt].slice(-maximumAttempts)); // written here
        const result = { attempts: row.attempts + 1, status, is_delivered: wasAccepted(attempt) ? 1 : 0 };
        await write((db) =>
          db
            .updateTable('deliveries')
            .set({ log, ...(isCounted && result) })
            .where('position', '=', row.position)
            .execute(),
        );
      });
    },
    async find(webhookId: string): Promise<Delivery | undefined> {
      const row = await rowOf(escapeId(webhookId));
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
