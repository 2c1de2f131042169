import { describe, expect, it } from 'vitest';
import { compareRules } from '#rules/compare.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { rule } from './support.ts';

const name = rule('Creditors', 'creditor.name', { regex: '^.{1,18}$', uiLabel: 'Name' });
const code = rule('Creditors', 'creditor.code', { enumeration: [{ value: 'a', description: 'A' }] });

describe('the comparison of two rule sets', () => {
  it('lists added, dropped and changed rules, with the changed attributes (behaviour 4.33)', () => {
    const longer = { ...name, validation: { ...name.validation!, regex: '^.{1,35}$', optionality: 'Optional' } };
    const added = rule('Subscriptions', 'additionalData.key');
    expect(compareRules([name, code], [longer, added], true)).toEqual([
      {
        kind: 'changed',
        ruleId: name.ruleId,
        label: 'Name',
        place: 'Creditors creditor.name',
        changes: [
          { attribute: 'optionality', before: 'Required', after: 'Optional' },
          { attribute: 'regex', before: '^.{1,18}$', after: '^.{1,35}$' },
        ],
      },
      {
        kind: 'added',
        ruleId: added.ruleId,
        label: added.ruleId,
        place: 'Subscriptions additionalData.key',
        changes: [],
      },
      { kind: 'dropped', ruleId: code.ruleId, label: code.ruleId, place: 'Creditors creditor.code', changes: [] },
    ]);
  });

  it('matches rules of two providers by their paths, and of one provider by their ids', () => {
    const other = { ...name, ruleId: 'other' };
    expect(compareRules([name], [other], false)).toEqual([]);
    expect(compareRules([name], [other], true).map(({ kind }) => kind)).toEqual(['added', 'dropped']);
  });

  it('compares several rules for one path in order', () => {
    expect(compareRules([name, name], [name], false).map(({ kind }) => kind)).toEqual(['dropped']);
  });

  it('reports changes of an option, an undocumented attribute and a file column', () => {
    const more = { ...code, validation: { ...code.validation!, enumeration: [{ value: 'b', description: '' }] } };
    expect(compareRules([code], [more], true)[0]?.changes).toEqual([
      { attribute: 'enumeration', before: 'a A', after: 'b' },
    ]);
    const odd = (weight: unknown) => ({ ...name, validation: { ...name.validation!, weight: { of: weight } } });
    expect(compareRules([odd(1)], [odd(null)], true)[0]?.changes).toEqual([
      { attribute: 'weight.of', before: '1', after: 'null' },
    ]);
    const at = (destination: string) => ({ ruleId: 'r', type: 'Header', destination: { destination } });
    expect(compareRules([at('1-4')], [at('1-5')], true)[0]?.changes).toEqual([
      { attribute: 'destination.destination', before: '1-4', after: '1-5' },
    ]);
  });

  it.each(catalogue.providersFor().map((each) => [each.name, each] as const))(
    'reports no difference for the same provider: %s',
    (_, provider) => {
      const { validationRules } = provider.accountType;
      expect(compareRules(validationRules, structuredClone(validationRules), true)).toEqual([]);
    },
  );

  it('reports only texts for two languages of a provider', () => {
    const [english, french] = ['en-CA', 'fr-CA'].map((language) => catalogue.providersFor('CA', language)[0]!);
    const differences = compareRules(english!.accountType.validationRules, french!.accountType.validationRules, true);
    expect(differences.length).toBeGreaterThan(0);
    const attributes = new Set(differences.flatMap(({ changes }) => changes.map(({ attribute }) => attribute)));
    expect(
      [...attributes].filter(
        (each) => !['uiLabel', 'description', 'errorMessage', 'example', 'enumeration'].includes(each),
      ),
    ).toEqual([]);
  });
});
