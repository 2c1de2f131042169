import { describe, expect, it } from 'vitest';
import { translationKey } from '#rules/translation.ts';

const question = { entityType: 'Provider', entityId: 'provider-1', ruleId: 'rule-1', field: 'uiLabel' };

describe('the key of a translation', () => {
  it('joins entity, type, rule and field', () => {
    expect(translationKey(question)).toBe('provider-1Provider.rule-1.uiLabel');
  });

  it.each(Object.keys(question))('is empty until the %s is chosen', (name) => {
    expect(translationKey({ ...question, [name]: '' })).toBe('');
  });
});
