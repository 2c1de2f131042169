import type { InjectedFault } from '../lab/injectedFault.ts';
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

interface Row extends Omit<Delivery, 'delivered' | 'injected'> {
  delivered: number;
  mark: string | null;
}

const columns = '"webhookId", type, at, body, mark, attempts, status, delivered';

const deliveryOf = ({ webhookId, type, at, body, mark, attempts, delivered, status }: Row): Delivery => ({
  ...{ webhookId, type, at, body, attempts, status, delivered: delivered === 1 },
  ...(mark !== null && { injected: JSON.parse(mark) as InjectedFault }), // written below
});

/** The latest `most` webhooks that were sent or should have been, for inspecting and resending them. */
export function createDeliveries(
  { application, rows, write }: Pick<TenantStore, 'application' | 'rows' | 'write'>,
  most = 1000,
) {
  const read = async (text: string, ...values: (string | number)[]) =>
    (await rows<Row>(`select ${columns} from sent where application = ? ${text}`, application, ...values)).map(
      deliveryOf,
    );

  return {
    async add(webhookId: string, type: string, body: string, at: number, injected?: InjectedFault): Promise<void> {
      await write(
        'insert into sent (application, "webhookId", type, at, body, mark) values (?, ?, ?, ?, ?, ?)',
        ...[application, webhookId, type, at, body, injected ? JSON.stringify(injected) : null],
      );
      const tooOld = 'select number from sent where application = ? order by number desc limit 1 offset ?';
      await write(
        `delete from sent where application = ? and number <= (${tooOld})`,
        ...[application, application, most],
      );
    },
    /** Stores the result of an attempt: the HTTP status of the answer, 0 if there was none. */
    async recordAttempt(webhookId: string, status: number, delivered: boolean): Promise<void> {
      await write(
        'update sent set attempts = attempts + 1, status = ?, delivered = ? where application = ? and "webhookId" = ?',
        ...[status, delivered ? 1 : 0, application, webhookId],
      );
    },
    find: async (webhookId: string): Promise<Delivery | undefined> => (await read('and "webhookId" = ?', webhookId))[0],
    /** Returns the latest webhooks, newest first. */
    latest: (limit: number): Promise<Delivery[]> => read('order by number desc limit ?', limit),
    /**
     * Returns the webhooks made since this time (ms since the epoch) that the receiver has not accepted, oldest first.
     */
    failedSince: (at: number): Promise<Delivery[]> => read('and delivered = 0 and at >= ? order by number', at),
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
