import { createHmac } from 'node:crypto';
import { equalSecrets } from './secrets.ts';

/** Time (ms) for which an address shows what is secret on the sandbox's home page. */
const life = 5 * 60_000;

const proofOf = (resetToken: string, until: string): string =>
  createHmac('sha256', resetToken).update(`home page until ${until}`).digest('base64url');

/**
 * The query of a home page that shows the credentials for five minutes: whoever knows the control token may give it to
 * the application's user.
 */
export function showingQuery(resetToken: string, now: number): string {
  const until = String(now + life);
  return `?${new URLSearchParams({ until, proof: proofOf(resetToken, until) })}`;
}

/** Whether a home page's query is of that kind, and not too old. */
export const shows = (resetToken: string, { until = '', proof = '' }: Record<string, unknown>, now: number): boolean =>
  typeof until === 'string' &&
  typeof proof === 'string' &&
  Number(until) > now &&
  equalSecrets(proof, proofOf(resetToken, until));
