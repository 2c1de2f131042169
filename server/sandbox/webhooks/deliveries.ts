import type { Share } from '../store/tenantStore.ts';
import type { Mark } from '../lab/faults.ts';

/** A webhook and the result of its delivery. */
export interface Sent {
  webhookId: string;
  type: string;
  /** ms since the epoch. */
  at: number;
  /** The body without the changes made by the fault of `mark`. */
  body: string;
  mark?: Mark;
  attempts: number;
  /** Whether the receiver accepted it. */
  delivered: boolean;
  /** The HTTP status of the latest answer; 0 if there was none. */
  status: number;
}

interface Row extends Omit<Sent, 'delivered' | 'mark'> {
  delivered: number;
  mark: string | null;
}

const columns = '"webhookId", type, at, body, mark, attempts, status, delivered';

const sentOf = ({ webhookId, type, at, body, mark, attempts, delivered, status }: Row): Sent => ({
  ...{ webhookId, type, at, body, attempts, status, delivered: delivered === 1 },
  ...(mark !== null && { mark: JSON.parse(mark) as Mark }), // written below
});

/** The latest `most` webhooks that were sent or should have been, for inspecting and resending them. */
export function createSent({ application, rows, write }: Pick<Share, 'application' | 'rows' | 'write'>, most = 1000) {
  const read = async (text: string, ...values: (string | number)[]) =>
    (await rows<Row>(`select ${columns} from sent where application = ? ${text}`, application, ...values)).map(sentOf);

  return {
    async add(webhookId: string, type: string, body: string, at: number, mark?: Mark): Promise<void> {
      await write(
        'insert into sent (application, "webhookId", type, at, body, mark) values (?, ?, ?, ?, ?, ?)',
        ...[application, webhookId, type, at, body, mark ? JSON.stringify(mark) : null],
      );
      const tooOld = 'select number from sent where application = ? order by number desc limit 1 offset ?';
      await write(
        `delete from sent where application = ? and number <= (${tooOld})`,
        ...[application, application, most],
      );
    },
    async note(webhookId: string, status: number, delivered: boolean): Promise<void> {
      await write(
        'update sent set attempts = attempts + 1, status = ?, delivered = ? where application = ? and "webhookId" = ?',
        ...[status, delivered ? 1 : 0, application, webhookId],
      );
    },
    find: async (webhookId: string): Promise<Sent | undefined> => (await read('and "webhookId" = ?', webhookId))[0],
    /** Returns the latest webhooks, newest first. */
    latest: (limit: number): Promise<Sent[]> => read('order by number desc limit ?', limit),
    /**
     * Returns the webhooks made since this time (ms since the epoch) that the receiver has not accepted, oldest first.
     */
    failedSince: (at: number): Promise<Sent[]> => read('and delivered = 0 and at >= ? order by number', at),
  };
}

export type SentWebhooks = ReturnType<typeof createSent>;
