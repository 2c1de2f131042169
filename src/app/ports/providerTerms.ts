import { maximumPayments } from '#contract/constants.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Facts } from '#contract/facts.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { allRules } from '#rules/merge.ts';
import { call } from '../client.ts';

/** What the current subscription's provider asks for. */
interface Terms {
  /** All its rules, those of its local instruments among them. */
  rules: Rule[];
  /** Payments in one batch: the provider's own limit, else the service's (wire, section 13). */
  maximumPayments: number;
}

/** The terms of the current subscription's provider; none while it has no provider, whose gate speaks then. */
export async function providerTerms({ provider, settings }: Facts, signal: AbortSignal): Promise<Terms> {
  if (!provider) return { rules: [], maximumPayments };
  const [{ data }, instruments] = await Promise.all([
    call('getProvider', { params: { providerId: provider.providerId }, signal }),
    call('getLocalInstruments', { signal }),
  ]);
  const rules = spoken(allRules(data, instruments.data), languageOf(data, settings.acceptLanguage));
  return { rules, maximumPayments: data.maximumPaymentCount ?? maximumPayments };
}
