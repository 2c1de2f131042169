import { describe, it, expect } from 'vitest';
import type { Provider } from '#contract/lookup.ts';
import { allRules } from '#rules/merge.ts';
import { rule } from './support.ts';

const provider: Provider = {
  providerId: 'p',
  name: 'P',
  country: ['GB'],
  localInstruments: ['first', 'second', 'unknown'],
  accountType: { validationRules: [rule('Creditors', 'creditor.name', { uiLabel: 'provider' })] },
};
const instrument = (localInstrumentId: string, ...paths: [apiPath: string, jsonPath: string][]) => ({
  localInstrumentId,
  validationRules: paths.map(([apiPath, jsonPath]) => rule(apiPath, jsonPath, { uiLabel: localInstrumentId })),
});

describe('a provider’s full rule set', () => {
  it('adds listed local instruments’ rules; the provider’s win, then the first listed (wire 8.2)', () => {
    const rules = allRules(provider, [
      instrument('second', ['Creditors', 'creditorAccount.identification'], ['Creditors', 'creditor.name']),
      instrument('first', ['Creditors', 'creditorAccount.identification'], ['DebtorAccounts', 'creditor.name']),
      instrument('unlisted', ['Creditors', 'unlisted']),
    ]);
    expect(rules.map(({ validation }) => [validation?.apiPath, validation?.jsonPath, validation?.uiLabel])).toEqual([
      ['Creditors', 'creditor.name', 'provider'],
      ['Creditors', 'creditorAccount.identification', 'first'],
      ['DebtorAccounts', 'creditor.name', 'first'],
    ]);
  });

  it('is that of the provider alone if it lists no local instruments', () => {
    const { localInstruments: _, ...alone } = provider;
    expect(allRules(alone, [instrument('first', ['Creditors', 'creditorAccount.identification'])])).toEqual(
      provider.accountType.validationRules,
    );
  });

  it('may contain a rule without a validation', () => {
    const silent = { ...provider, localInstruments: [], accountType: { validationRules: [{ ruleId: 'silent' }] } };
    expect(allRules(silent, [])).toEqual([{ ruleId: 'silent' }]);
  });
});
