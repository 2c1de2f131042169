import type { Share } from '../storage.ts';
import type { Mark } from './faults.ts';

/** A webhook and what became of it. */
export interface Sent {
  webhookId: string;
  type: string;
  /** ms since the epoch. */
  at: number;
  /** Without what the fault of `mark` has changed. */
  body: string;
  mark?: Mark;
  attempts: number;
  /** Whether its receiver took it. */
  delivered: boolean;
  /** The HTTP status of the latest answer; 0 if there was none. */
  status: number;
}

interface Row extends Omit<Sent, 'delivered' | 'mark'> {
  delivered: number;
  mark: string | null;
}

/** Webhooks of an application that are kept, the latest ones. */
const most = 1000;

/** The webhooks that were sent, or should have been: to look at, and to send again. */
export function createSent({ db, application, insistOnKept }: Share) {
  const insert = db.prepare(
    'insert into sent (application, webhookId, type, at, body, mark) values (?, ?, ?, ?, ?, ?)',
  );
  const forget = db.prepare(
    `delete from sent where application = ?1 and number <=
      (select number from sent where application = ?1 order by number desc limit 1 offset ?2)`,
  );
  const tried = db.prepare(
    'update sent set attempts = attempts + 1, status = ?, delivered = ? where application = ? and webhookId = ?',
  );
  const select = db.prepare('select * from sent where application = ? and webhookId = ?');
  const latest = db.prepare('select * from sent where application = ? order by number desc limit ?');
  const failed = db.prepare('select * from sent where application = ? and not delivered and at >= ? order by number');
  const sentOf = ({ webhookId, type, at, body, mark, attempts, delivered, status }: Row): Sent => ({
    ...{ webhookId, type, at, body, attempts, status, delivered: delivered === 1 },
    ...(mark !== null && { mark: JSON.parse(mark) as Mark }), // written below
  });

  return {
    add(webhookId: string, type: string, body: string, at: number, mark?: Mark): void {
      insistOnKept();
      insert.run(application, webhookId, type, at, body, mark ? JSON.stringify(mark) : null);
      forget.run(application, most);
    },
    note(webhookId: string, status: number, delivered: boolean): void {
      tried.run(status, delivered ? 1 : 0, application, webhookId);
    },
    find(webhookId: string): Sent | undefined {
      const row = select.get(application, webhookId) as Row | undefined; // the table's columns
      return row && sentOf(row);
    },
    /** The latest, newest first. */
    latest: (limit: number): Sent[] => (latest.all(application, limit) as Row[]).map(sentOf),
    /** Those that their receiver has not taken, made since this time (ms since the epoch), oldest first. */
    failedSince: (at: number): Sent[] => (failed.all(application, at) as Row[]).map(sentOf),
  };
}

export type SentWebhooks = ReturnType<typeof createSent>;
