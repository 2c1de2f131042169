import { describe, expect, it } from 'vitest';
import { parseResult } from '#server/verify/result.ts';

describe('a result file', () => {
  it('gives the outcome of each invoice, and may have further members', () => {
    const text = '{"invoices":[{"id":"A","outcome":"paid","batch":"b"},{"id":"B","outcome":"unknown"}],"at":1}';
    expect(parseResult(text)).toEqual({ A: 'paid', B: 'unknown' });
  });

  it.each([
    ['', /^The result file is not JSON/],
    ['[]', /^The result file is wrong: expected/],
    ['{"invoices":[{"id":"A","outcome":"ok"}]}', /^The result file is wrong at invoices\.0\.outcome: expected/],
    ['{"invoices":[{"outcome":"paid"}]}', /^The result file is wrong at invoices\.0\.id: expected/],
  ])('of %j is refused with a sentence that says what is expected', (text, sentence) => {
    expect(parseResult(text)).toMatch(sentence);
    expect(parseResult(text)).toContain('{ "invoices": [{ "id": "…", "outcome": "paid" | "failed" | "unknown" }] }');
  });
});
