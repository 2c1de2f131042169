import { describe, expect, it } from 'vitest';
import { keepsKey } from '#contract/outcome.ts';

describe('a write’s idempotency key is kept', () => {
  it.each([
    ['unknown', true, true],
    ['unknown', false, true],
    ['done', true, true],
    ['done', false, true],
    ['not-sent', true, true],
    ['not-sent', false, false],
    ['refused', true, false],
    ['refused', false, false],
  ] as const)('after the outcome %s, sent before: %s, is %s', (outcome, sentBefore, keeps) => {
    expect(keepsKey(outcome, sentBefore)).toBe(keeps);
  });

  it('after an error without an outcome, because the write may have been made', () => {
    expect(keepsKey(undefined)).toBe(true);
  });
});
