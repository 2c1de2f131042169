import { afterAll, afterEach, expect } from 'vitest';
import { waitingTransactions } from '#server/storage/transaction.ts';

let waiting: unknown[] = [];
const note = (error: unknown): void => void waiting.push(error);
waitingTransactions.subscribe(note);
afterAll(() => void waitingTransactions.unsubscribe(note));

/** Returns the transactions on SQLite that have waited for anything but the database, and forgets them. */
export function takeWaitingTransactions(): unknown[] {
  const found = waiting;
  waiting = [];
  return found;
}

afterEach(() => expect(takeWaitingTransactions()).toEqual([]));
