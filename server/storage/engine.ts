import type Database from 'libsql';
import type { Session } from './postgresSession.ts';

/** The other servers on an SQLite database in this process, and what they have in common. */
export interface Peers {
  /** The name of this server in its messages. */
  server: string;
  /** Resolves when nobody else uses the connection, with a function that gives it back. */
  turn: () => Promise<() => void>;
  /** What holds this server's locks. */
  session: Pick<Session, 'tryLock' | 'unlock'>;
  /** Sends a message to the other servers. */
  send: (payload: string) => void;
  /** Calls these functions with each message of the others, and when messages may have been lost. */
  listen: (onMessage: (payload: string) => void, onGap: () => void) => void;
}

/** What reaches an SQLite database instead of the driver alone: a simulated disk, which several servers may share. */
export interface Engine {
  /** Opens the connection to a file. */
  openDriver: (address: string) => Database.Database;
  /** Absent if only this process uses the database. */
  peers?: Peers;
}
