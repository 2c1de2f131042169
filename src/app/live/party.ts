import type { Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import type { Outcome } from '#machines/answer.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { factsFor } from './ports.ts';
import { providerTerms } from './providerTerms.ts';

/** The port `loadRules` of debtors and creditors. */
export const loadRulesOf = (journey: 'debtor' | 'creditor') =>
  fulfil(port<void, { facts: Facts; rules: Rule[] }>('loadRules'), async (_, signal) => {
    const facts = await factsFor(journey, signal);
    const { rules } = await providerTerms(facts, signal);
    return { facts, rules };
  });

/** The port `askOutcome` of every journey that puts or deletes: what the provider has made of the message. */
export const askOutcome = fulfil(port<{ resourceId: string }, Outcome>('askOutcome'), async (params, signal) => {
  const { data } = await call('getMessage', { params, signal });
  return data;
});
