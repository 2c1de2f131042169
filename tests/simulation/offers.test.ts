import { expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import type { RequirementId } from '#machines/requirements.ts';
import { providers } from '#server/sandbox/catalogue/providers/index.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { wrongOffers } from './offers.ts';
import type { SeenGate } from './walks.ts';

const [provider] = providers;
const offered = { providerId: provider!.providerId, name: provider!.name, capabilities: [...provider!.capabilities] };
const facts = withFacts(everything, { provider: offered });
const seen = (missing: RequirementId, shown: Facts): SeenGate => ({
  by: { name: 'Ann', workspace: '', headers: {} },
  at: 0,
  facts: shown,
  gate: { description: '', alert: 'noProviders', missing } as unknown as SeenGate['gate'], // what is compared
});

it.each(['providers', 'fileFormats'] as const)(
  'a gate that says that there are no %s is wrong where the service offers some, unless they could not be read',
  (need) => {
    expect(wrongOffers([seen(need, facts)])).toHaveLength(1);
    expect(wrongOffers([seen(need, withFacts(facts, { unread: [need] }))])).toEqual([]);
    const elsewhere = { providerCountry: 'NO', fileFormatCountry: 'NO' } as never; // a country without any
    expect(wrongOffers([seen(need, withFacts(facts, { settings: elsewhere }))])).toEqual([]);
  },
);

it('a gate that shows a provider without one of its capabilities, or with another one, is found', () => {
  const shows = (capabilities: string[]) =>
    wrongOffers([seen('debtors', withFacts(facts, { provider: { ...offered, capabilities } }))]);
  expect(shows(offered.capabilities.toReversed())).toEqual([]);
  expect(shows(offered.capabilities.slice(1))).toHaveLength(1);
  expect(shows([...offered.capabilities, 'Mints'])).toHaveLength(1);
});
