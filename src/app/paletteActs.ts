import type { Facts } from '#contract/facts.ts';
import { call } from './client.ts';

/** Puts the company access token on the clipboard. Throws a Problem, or what the browser says against it. */
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

/** The sandbox asks on a page of its own before it is emptied. */
function reset({ transferUrl }: Facts): Promise<string> {
  window.open(new URL('/sandbox/reset', transferUrl), '_blank', 'noopener,noreferrer');
  return Promise.resolve('The sandbox asks in a new tab.');
}

/** What the palette does at once; each says in a sentence what came of it, and rejects with why nothing did. */
export const acts = { copyToken, suspend, reset } as const;
