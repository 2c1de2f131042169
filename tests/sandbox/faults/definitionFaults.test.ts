import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultKinds } from '#contract/faults.ts';
import type { Rule } from '#contract/lookup.ts';
import { faultRuleSchema, type KeptRule } from '#contract/controlShapes.ts';
import { systemClock } from '#server/clock.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { catalogueWithFaults } from '#server/sandbox/faults/definitionFaults.ts';
import { createFaults } from '#server/sandbox/faults/faults.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { openTenantStore } from '#server/sandbox/store/tenantStore.ts';

async function changed(...faults: object[]) {
  const store = await openSandboxStore('file::memory:', { clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => store.close());
  const rules = createFaults({
    store: openTenantStore(store, 'default'),
    newId: randomUUID,
    changed: () => undefined,
  });
  const kept: KeptRule[] = [];
  for (const fault of faults) kept.push(await rules.add(faultRuleSchema.parse({ on: 'definition', fault })));
  const stop = async () => {
    for (const { ruleId } of kept) await rules.remove(ruleId);
  };
  return { ...catalogueWithFaults(catalogue, rules), stop };
}

const isOptional = ({ validation }: Rule) => !['Required', 'Hidden'].includes(validation?.optionality ?? 'Hidden');
/** A provider with rules of every kind that the faults change. */
const { providerId, accountType } = catalogue.providersFor().find((each) => {
  const { validationRules } = each.accountType;
  return validationRules.length > 3 && validationRules.some(isOptional);
})!;
const before = accountType.validationRules;
const rulesOf = (changedOne: Awaited<ReturnType<typeof changed>>) =>
  changedOne.providerById(providerId)!.accountType.validationRules;
const optional = before.find(isOptional)!;
const patterned = before.find(({ validation }) => validation?.regex !== undefined)!;
const others = (rules: typeof before, ruleId: string) => rules.filter((each) => each.ruleId !== ruleId);

describe('a fault of the definitions', () => {
  it('ruleAdded: a request that was valid before lacks the new field', async () => {
    const now = await changed({ kind: 'ruleAdded' });
    expect(rulesOf(now)).toHaveLength(before.length + 1);
    const provider = now.providerById(providerId)!;
    const faults = (data: object) => now.violations(now.rulesOf(provider, 'Subscriptions'), { additionalData: data });
    expect(faults({}).map(({ path, code }) => [path, code])).toContainEqual([
      'additionalData.addedByTheLab',
      'Missing',
    ]);
    expect(faults({ addedByTheLab: 'x' }).map(({ path }) => path)).not.toContain('additionalData.addedByTheLab');
  });

  it('ruleDropped: the first rule is gone, or the one that it names', async () => {
    expect(rulesOf(await changed({ kind: 'ruleDropped' }))).toEqual(before.slice(1));
    const named = before.at(-1)!.ruleId;
    expect(rulesOf(await changed({ kind: 'ruleDropped', rule: named }))).toEqual(others(before, named));
  });

  it.each([
    [{ kind: 'ruleRequired' }, optional, { optionality: 'Required' }],
    [{ kind: 'ruleRegex', regex: '^x$' }, patterned, { regex: '^x$' }],
    [{ kind: 'nullText' }, before[0]!, { uiLabel: null, errorMessage: null }],
    [{ kind: 'unknownOptionality' }, before[0]!, { optionality: 'Sometimes' }],
  ])('%j changes one rule and no other', async (fault, rule, change) => {
    const now = rulesOf(await changed(fault));
    expect(now.find(({ ruleId }) => ruleId === rule.ruleId)?.validation).toEqual({ ...rule.validation, ...change });
    expect(others(now, rule.ruleId)).toEqual(others(before, rule.ruleId));
  });

  it('languageGone: no provider offers the language', async () => {
    const now = await changed({ kind: 'languageGone', language: 'fr-CA' });
    expect(catalogue.providersFor('CA', 'fr-CA').length).toBeGreaterThan(0);
    expect(now.providersFor('CA', 'fr-CA')).toEqual([]);
    for (const provider of now.providersFor('CA')) expect(provider.supportedLanguages).not.toContain('fr-CA');
  });

  it('capabilityDropped: the named provider lacks it, and others keep it', async () => {
    const capable = catalogue.providersFor().filter((each) => each.accountType.capabilities?.includes('DebtorQueries'));
    const [one, other] = capable.map((each) => each.providerId);
    const now = await changed({ kind: 'capabilityDropped', provider: one, capability: 'DebtorQueries' });
    const capabilities = (id = '') => now.providerById(id)!.accountType.capabilities;
    expect(capabilities(one)).not.toContain('DebtorQueries');
    expect(capabilities(one)).toContain('SubscriptionRequired');
    expect(capabilities(other)).toContain('DebtorQueries');
    const none = await changed({ kind: 'capabilityDropped' });
    for (const { accountType: type } of none.providersFor())
      expect(type.capabilities ?? []).not.toContain('SubscriptionRequired');
  });

  it('otherCountry: the provider names the other country, and is listed in the previous one', async () => {
    const now = await changed({ kind: 'otherCountry', provider: providerId, country: 'NO' });
    const [country] = catalogue.providerById(providerId)!.country ?? [];
    const listed = now.providersFor(country).filter((each) => each.country?.includes('NO'));
    expect(listed.map((each) => each.providerId)).toEqual([providerId]);
  });

  it('changes file formats likewise', async () => {
    const [format] = catalogue.fileFormatsFor('GB');
    const now = (await changed({ kind: 'ruleDropped' })).fileFormatById(format!.fileFormatId)!;
    const rules = format!.specification.rules;
    const dropped = rules.find(({ sourceValidation }) => sourceValidation !== undefined)!;
    expect(now.specification.rules).toEqual(others(rules, dropped.ruleId));
  });

  it('lasts until it is stopped, however often the definitions are read', async () => {
    const now = await changed({ kind: 'ruleDropped' }, { kind: 'unknownOptionality' });
    for (let turn = 0; turn < 3; turn += 1) expect(rulesOf(now)[0]?.validation?.optionality).toBe('Sometimes');
    await now.stop();
    expect(rulesOf(now)).toEqual(before);
  });

  it('has a test here for each of its kinds', () => {
    expect(Object.keys(faultKinds.definition)).toEqual([
      'ruleAdded',
      'ruleDropped',
      'ruleRequired',
      'ruleRegex',
      'nullText',
      'unknownOptionality',
      'languageGone',
      'capabilityDropped',
      'otherCountry',
    ]);
  });
});
