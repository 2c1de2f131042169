/** A generator of numbers from 0 to 1 that is deterministic for a seed (mulberry32), so that a run can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of a run: SEED, or else a random one. Print it, so that a failure can be reproduced. */
export const seedOf = (env: Readonly<Record<string, string | undefined>>): number =>
  Number(env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
