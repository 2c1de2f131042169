import { expect, it } from 'vitest';
import { format } from 'prettier';
import { cellsOf, withPart, type Measured } from '../../tools/bench/document.ts';
import type { Row } from '../../tools/bench/row.ts';

const parts = ['page', 'server', 'tests'];

const measured = (row: Partial<Row> = {}, other: Partial<Measured> = {}): Measured => ({
  rows: [{ what: 'a read', unit: 'ms', ours: 1.23456, reference: { what: 'direct', value: 2 }, ...row }],
  at: '2026-01-02T03:04:05.678Z',
  seconds: 1.2,
  machine: 'Node v1 on a machine',
  ...other,
});

const headings = (document: string) => document.match(/^## .*/gm);

it('bench.md has a section for each measured part, in the order of the parts, not of the measurements', () => {
  const document = withPart(withPart('', 'tests', measured(), parts), 'page', measured(), parts);
  expect(headings(document)).toEqual(['## page', '## tests']);
  expect(document).toContain('Measured on 2026-01-02 at 03:04 UTC within 2 s, with Node v1 on a machine.');
  expect(document).toContain('| a read | 1.23 ms | 2 direct | 0.617 |');
});

it('bench.md rewrites the section of a part measured again and keeps the other sections and dates', () => {
  const before = parts.reduce((text, part) => withPart(text, part, measured(), parts), '');
  const after = withPart(before, 'server', measured({ ours: 9 }, { at: '2027-06-07T08:09:10Z' }), parts);
  const sections = (text: string) => text.split(/^(?=## )/m);
  const [now, then] = [sections(after), sections(before)];
  expect(now.map((text, index) => text === then[index])).toEqual([true, true, false, true]);
  expect(now[2]).toContain('Measured on 2027-06-07 at 08:09 UTC');
  expect(now[2]).not.toContain('1.23');
});

it('bench.md stays the same if the same is measured again, and keeps its formatting', async () => {
  const document = withPart('', 'page', measured(), parts);
  expect(withPart(document, 'page', measured(), parts)).toBe(document);
  const formatted = await format(document, { parser: 'markdown' });
  expect(formatted).not.toBe(document);
  expect(withPart(formatted, 'server', measured(), parts).startsWith(formatted)).toBe(true);
});

it('bench.md shows a part’s failure below the rows that were measured before it', () => {
  const failed = measured({}, { failure: 'a | b ## ended\nat line 1' });
  const document = withPart(withPart('', 'page', measured(), parts), 'server', failed, parts);
  expect(document).toContain('| a read | 1.23 ms |');
  expect(document).toMatch(/\*\*Failed\*\*.*\n\n {4}a \| b ## ended\n$/);
  expect(headings(withPart(document, 'tests', measured({}, { rows: [], failure: 'x' }), parts))).toEqual([
    '## page',
    '## server',
    '## tests',
  ]);
});

it('bench.md has a section of a part for each version of Node, and then none without a version', () => {
  const titles = ['tests', 'server', 'server, Node 24', 'server, Node 20', 'page'];
  const document = titles.reduce((text, title) => withPart(text, title, measured(), parts), '');
  expect(headings(document)).toEqual(['## page', '## server, Node 20', '## server, Node 24', '## tests']);
});

it('bench.md drops the sections of parts that no longer exist', () => {
  const document = withPart(withPart('', 'page', measured(), parts), 'server', measured(), ['server']);
  expect(headings(document)).toEqual(['## server']);
});

it('bench.md escapes a pipe in the name of a row', () => {
  expect(withPart('', 'page', measured({ what: 'a | b' }), parts)).toContain(String.raw`| a \| b |`);
});

it.each<[aim: Row['aim'], words: string, ours: number, met: string]>([
  [undefined, '', 1, ''],
  [{ most: 2 }, 'at most 2 ms', 2, 'yes'],
  [{ most: 2 }, 'at most 2 ms', 2.01, '**no**'],
  [{ most: 2 }, 'at most 2 ms', NaN, '**no**'],
  [{ leastPart: 0.7 }, 'at least 0.7 of the reference', 7, 'yes'],
  [{ leastPart: 0.7 }, 'at least 0.7 of the reference', 6.9, '**no**'],
  [{ mostMore: 1 }, 'at most 1 ms more than the reference', 11, 'yes'],
  [{ mostMore: 1 }, 'at most 1 ms more than the reference', 11.1, '**no**'],
  [{ most: 9, mostPart: 1 }, 'at most 9 ms, at most 1 of the reference', 9, 'yes'],
  [{ most: 9, mostPart: 1 }, 'at most 9 ms, at most 1 of the reference', 10, '**no**'],
  [{ because: 'flat', mostPart: 2, mostMore: 0.5 }, 'flat: at most 2 of the reference and 0.5 ms', 20.5, 'yes'],
  [{ because: 'flat', mostPart: 2, mostMore: 0.5 }, 'flat: at most 2 of the reference and 0.5 ms', 20.6, '**no**'],
])('a bench result with the aim %j reads “%s”; %d ms beside 10 ms: %s', (aim, words, ours, met) => {
  const row: Row = { what: 'a read', unit: 'ms', ours, reference: { what: 'direct', value: 10 }, ...(aim && { aim }) };
  expect(cellsOf(row)).toMatchObject({ aim: words, met });
});

it('a bench result without its reference does not meet an aim relative to it', () => {
  expect(cellsOf({ what: 'a read', unit: 'ms', ours: 1, aim: { leastPart: 0.1 } }).met).toBe('**no**');
});
