import type { Facts } from '#contract/facts.ts';
import { call } from './client.ts';

/** Copies the company access token to the clipboard. Rejects with a Problem, or with the browser's error. */
async function copyToken(): Promise<string> {
  const { data } = await call('getToken', { query: { reveal: 'true' } });
  if (!navigator.clipboard) throw new Error('The browser copies only over https or on localhost');
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

/**
 * Actions that the palette runs immediately. Each resolves to a sentence about the result, and rejects with the reason
 * for a failure.
 */
export const acts = { copyToken, suspend } as const;
