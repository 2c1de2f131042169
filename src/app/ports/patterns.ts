import { code } from '../code.ts';

/** Loads the compiler of the rules' patterns (7 kB gzip) in parallel with the rules. Rejects with a Problem. */
export async function withPatterns<T>(reading: Promise<T>): Promise<T> {
  const [read] = await Promise.all([reading, code(() => import('#rules/linear.ts'))]);
  return read;
}
