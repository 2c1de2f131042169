import { createHmac } from 'node:crypto';
import { equalSecrets } from '../credentials.ts';

/** Time (ms) for which a URL shows the secrets on the sandbox's home page. */
const validity = 5 * 60_000;

const proofOf = (resetToken: string, until: string): string =>
  createHmac('sha256', resetToken).update(`home page until ${until}`).digest('base64url');

/**
 * Returns the query of a home page that shows the credentials for five minutes, made with the control token, for the
 * application's user. `now` in ms.
 */
export function signedQuery(resetToken: string, now: number): string {
  const until = String(now + validity);
  return `?${new URLSearchParams({ until, proof: proofOf(resetToken, until) })}`;
}

/** Whether a home page's query is valid and has not expired. `now` in ms. */
export const isSignedQuery = (
  resetToken: string,
  { until = '', proof = '' }: Record<string, unknown>,
  now: number,
): boolean =>
  typeof until === 'string' &&
  typeof proof === 'string' &&
  Number(until) > now &&
  equalSecrets(proof, proofOf(resetToken, until));
