import type { Creditor, Debtor } from '#contract/party.ts';
import { call } from '../client/client.ts';
import { copyText } from '../client/clipboard.ts';
import type { Facts } from '#contract/facts.ts';
import { paletteKind, type PaletteAct } from '#machines/palette.ts';
import { makeCurrent, signOut } from './company.ts';
import { resource, withFacts } from './resource.ts';

const none = () => ({ data: [] });

/** Stored debtors and creditors of the current subscription; empty lists if they cannot be read. */
export const parties = resource({
  kind: { reads: 'at once' },
  news: withFacts,
  async read(_: null, signal: AbortSignal): Promise<{ debtors: Debtor[]; creditors: Creditor[] }> {
    const [debtors, creditors] = await Promise.all([
      call('getDebtors', { signal }).catch(none),
      call('getCreditors', { signal }).catch(none),
    ]);
    return { debtors: debtors.data, creditors: creditors.data };
  },
});

/** Copies the company access token to the clipboard. Rejects with a Problem. */
async function copyToken(): Promise<string> {
  const { data } = await call('getToken', { query: { reveal: 'true' } });
  await copyText(data.token, 'The access token');
  return 'The access token was copied.';
}

async function suspend({ subscription }: Facts): Promise<string> {
  if (!subscription) throw new Error('There is no subscription yet');
  const { subscriptionId, suspendedByConsumer } = subscription;
  const body = { data: { suspendedByConsumer: !suspendedByConsumer } };
  await call('patchSubscription', { params: { subscriptionId }, body });
  return `The subscription is ${suspendedByConsumer ? 'no longer suspended' : 'suspended'}.`;
}

const acts = { copyToken, suspend, signOut } as const;

/** What the palette does by itself; answers a sentence about the result. */
export const palette = resource({
  kind: paletteKind,
  async act(act: PaletteAct) {
    if (act.act !== 'useCompany') return acts[act.act](act.facts);
    await makeCurrent(act.owner);
    return '';
  },
});
