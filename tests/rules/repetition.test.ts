import { describe, expect, it } from 'vitest';
import { failureCodes, type FailureCode } from '#contract/failureCodes.ts';
import { journeyGuards } from '#machines/lib/journeyActions.ts';
import { journeyOrder, journeyOf } from '#machines/journeys.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { wayOf } from '#ui/failures.ts';

/** Failures that may have gone by the next attempt, without a change of the request. */
const passing: readonly FailureCode[] = [
  'console-unreachable' as const,
  'upstream-unreachable' as const,
  'upstream-timeout' as const,
  'upstream-invalid' as const,
  'upstream-failed' as const,
  'upstream-busy' as const,
  'key-rejected' as const,
  'signing-key-rejected' as const,
  'signed-out' as const,
  'another-user' as const,
  'outcome-unknown' as const,
  'rate-limited' as const,
  'store-failed' as const,
  'internal' as const,
];

describe('repeating a failed request', () => {
  it.each(failureCodes)('after %s is offered if the same request can end otherwise (behaviour 10.2.5)', (code) => {
    expect(repetitionHelps({ code })).toBe(passing.includes(code));
    expect(repetitionHelps({ code, outcome: 'refused' })).toBe(passing.includes(code));
  });

  it.each(failureCodes)('after %s is offered while the outcome of a write is to be looked up', (code) => {
    for (const outcome of ['unknown', 'done'] as const) {
      expect(repetitionHelps({ code, outcome })).toBe(true);
      expect(wayOf({ type: '', title: '', status: 0, detail: '', code, outcome })).toBeUndefined();
    }
  });

  it('is what the guard of the charts decides', () => {
    const failure = { type: '', title: '', status: 0, detail: '', code: 'not-found' } as const;
    expect(journeyGuards.canHelp({ context: { failure } })).toBe(false);
    expect(journeyGuards.canHelp({ context: { failure: null } })).toBe(true);
  });

  it.each(failureCodes)('after %s has no button to a page that does not exist, or under another label', (code) => {
    const way = wayOf({ type: '', title: '', status: 0, detail: '', code });
    const names = new Map(journeyOrder.map(journeyOf).map(({ path, title }) => [path, title]));
    if (way) expect({ '/': 'Go to home', ...Object.fromEntries(names) }[way.to]).toBe(way.label);
  });
});
