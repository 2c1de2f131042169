import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isThere, itemsOf, namedIn } from '#tests/support/citedTests.ts';

const lines = itemsOf(readFileSync('docs/threats.md', 'utf8').replace(/^## Not promised[^]*?(?=^## |(?![^]))/m, ''));

describe('the threats', () => {
  it('are met by tests that exist, or say that they are not tested', () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => namedIn(line).length === 0 && !line.includes('Not tested yet'))).toEqual([]);
    expect(lines.flatMap(namedIn).filter((test) => !isThere(test))).toEqual([]);
  });
});
