import { DatabaseError, ownCodes } from './errors.ts';

const lost = (name: string, why: string): DatabaseError => new DatabaseError(name, ownCodes.lost, why);

/** The error of a database that has no rows although a store was in it. */
export const emptied = (name: string): DatabaseError =>
  lost(name, 'it is empty, although a store was kept in it: restore a backup');

/** The error of a database at the place of another one. */
export const replaced = (name: string): DatabaseError =>
  lost(name, 'it is not the store that this console used last: put that one back, or restore a backup of it');

/** The error of a file that is out of date since it was copied. */
export const isCopied = (name: string, to: string): DatabaseError =>
  lost(name, `it was copied to ${to}, which has what was stored since: give that database as STORE_URL`);
