import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { paletteMachine } from '#machines/palette.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../api/client.ts';
import { use as makeCurrent } from '../api/switchCompany.ts';

const notCopied = (detail: string): Problem => ({
  type: 'about:blank',
  title: 'The access token was not copied',
  status: 0,
  detail,
  code: 'internal',
});

/** Copies the company access token to the clipboard. Rejects with a Problem. */
async function copyToken(): Promise<string> {
  const { data } = await call('getToken', { query: { reveal: 'true' } });
  /* eslint-disable @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts) */
  if (!navigator.clipboard) throw notCopied('The browser copies only over https or on localhost');
  await navigator.clipboard.writeText(data.token).catch((error: unknown) => {
    throw notCopied(error instanceof Error ? error.message : String(error));
  });
  /* eslint-enable @typescript-eslint/only-throw-error */
  return 'The access token was copied.';
}

async function suspend({ subscription }: Facts): Promise<string> {
  if (!subscription) throw new Error('There is no subscription yet');
  const { subscriptionId, suspendedByConsumer } = subscription;
  const body = { data: { suspendedByConsumer: !suspendedByConsumer } };
  await call('patchSubscription', { params: { subscriptionId }, body });
  return `The subscription is ${suspendedByConsumer ? 'no longer suspended' : 'suspended'}.`;
}

const acts = { copyToken, suspend } as const;

export const palette = provideEffects(paletteMachine, {
  act: (chosen) => {
    if (!chosen) throw new Error('No action was chosen');
    return acts[chosen.act](chosen.facts);
  },
  use: async (owner) => {
    if (owner) await makeCurrent(owner);
  },
});
