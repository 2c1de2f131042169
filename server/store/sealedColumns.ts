import { UnknownKeyError } from './seal.ts';
import type { Seal } from './seal.ts';

/** All encrypted columns. `place` is the SQL expression for the place to which a value is bound. */
export const sealedColumns = [
  { table: 'entries', column: 'value', place: "namespace || '/' || key" },
  { table: 'claims', column: 'fingerprint', place: "'claims/fingerprint/' || key" },
  { table: 'sessions', column: 'value', place: "'sessions/' || key" },
  { table: 'claims', column: 'answer', place: "'claims/answer/' || key" },
] as const;

/**
 * Re-encrypts a value with the current key. Leaves a value that was tampered with unreadable; its readers handle that.
 * Throws UnknownKeyError if the value's key is missing.
 */
export function resealed(value: string, place: string, seal: Pick<Seal, 'seal' | 'open'>): string {
  try {
    return seal.seal(seal.open(value, place), place);
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return `unreadable ${value}`; // without the prefix of a key that will be removed
  }
}
