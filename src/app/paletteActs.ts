import type { Facts } from '#contract/facts.ts';
import { call } from './client.ts';

/** Copies the company access token to the clipboard. Rejects with a Problem, or with the browser's error. */
async function copyToken(): Promise<string> {
  const { data } = await call('getToken', { query: { reveal: 'true' } });
  if (!navigator.clipboard) throw new Error('Without https or localhost the browser copies nothing');
  await navigator.clipboard.writeText(data.token);
  return 'The access token was copied.';
}

async function suspend({ subscription }: Facts): Promise<string> {
  if (!subscription) throw new Error('There is no subscription yet');
  const { subscriptionId, suspendedByConsumer } = subscription;
  const body = { data: { suspendedByConsumer: !suspendedByConsumer } };
  await call('patchSubscription', { params: { subscriptionId }, body });
  return `The subscription is ${suspendedByConsumer ? 'no longer suspended' : 'suspended'}.`;
}

/** Opens the sandbox's own page, which asks for confirmation before it deletes the data. */
function reset({ transferUrl }: Facts): Promise<string> {
  window.open(new URL('/sandbox/reset', transferUrl), '_blank', 'noopener,noreferrer');
  return Promise.resolve('The sandbox asks in a new tab.');
}

/**
 * Actions that the palette runs immediately. Each resolves to a sentence about the result and rejects with the reason
 * for a failure.
 */
export const acts = { copyToken, suspend, reset } as const;
