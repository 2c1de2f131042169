import type { Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import { allRules } from '#rules/merge.ts';
import { call } from '../client.ts';

/** All rules of the current subscription's provider; none while it has no provider, whose gate speaks then. */
export async function providerRules({ provider }: Facts, signal: AbortSignal): Promise<Rule[]> {
  if (!provider) return [];
  const [definition, instruments] = await Promise.all([
    call('getProvider', { params: { providerId: provider.providerId }, signal }),
    call('getLocalInstruments', { signal }),
  ]);
  return allRules(definition.data, instruments.data);
}
