import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import type { Ledger } from './users.ts';
import type { World } from './world.ts';

const { apiKey, signingKey, webhookSecret, webhookHeader, resetToken } = sandboxCredentials;
const secrets = { apiKey, signingKey, webhookSecret, resetToken, webhookKey: webhookHeader.value };

/**
 * Reads what the console shows once the world is at rest. Returns what is wrong with it, a sentence each: a payment that
 * was confirmed to a user is stored, whatever died since, and no answer has a secret.
 */
export async function wronglyShown({ api }: World, { told }: Ledger): Promise<string[]> {
  const [posted, timeline, facts] = [
    await api.done('getPostedBatches'),
    await api.done('getTimeline'),
    await api.done('getFacts'),
  ];
  const confirmed = new Set(told.flatMap(({ what, batchId }) => (what === 'paid' && batchId ? [batchId] : [])));
  const lost = [...confirmed].filter((batchId) => !posted.data.includes(`"${batchId}"`));
  const shown = JSON.stringify({ posted, timeline, facts });
  const leaked = Object.entries(secrets).filter(([, secret]) => shown.includes(secret));
  return [
    ...lost.map((batchId) => `The batch ${batchId} was confirmed to a user, and is not stored.`),
    ...leaked.map(([name]) => `An answer has the ${name}.`),
  ];
}
