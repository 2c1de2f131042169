import { randomFillSync } from 'node:crypto';

/** Random bytes drawn at once: drawing a few takes as long as drawing many. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns random bytes in hexadecimal digits, for ids that are no secrets: they stay in memory until others replace them. */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

/** A number from 0 to 1 that is no secret, for pauses that must not end at the same time everywhere. */
export const random = (): number => Math.random();
