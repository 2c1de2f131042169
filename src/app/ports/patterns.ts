import { code } from '../code.ts';

/**
 * Adds what compiles the patterns of rules to what brings the rules: 7 kB gzip, loaded while they are read. Rejects with
 * a Problem.
 */
export async function withPatterns<T>(reading: Promise<T>): Promise<T> {
  const [read] = await Promise.all([reading, code(() => import('#rules/linear.ts'))]);
  return read;
}
