import { describe, expect, it } from 'vitest';
import { rooms } from './rooms.ts';
import { lowered, sizes, type Size } from './roomSizes.ts';

/** Returns what is wrong with the table: a sentence for each room. */
function faults(table: typeof rooms, actual: ReadonlyMap<string, Size>): string[] {
  const grown = [...actual].flatMap(([room, { lines, files }]) => {
    const row = table[room];
    if (!row) return [`${room} has no row: ${lines} lines, ${files} files`];
    if (lines > row.lines || files > row.files)
      return [`${room} has ${lines} lines and ${files} files, beyond its row of ${row.lines} and ${row.files}`];
    return row.lines > lines * 1.1 + 100 ? [`${room} has ${lines} lines: lower its row of ${row.lines}`] : [];
  });
  const gone = Object.keys(table).filter((room) => !actual.has(room));
  return [...grown, ...gone.map((room) => `${room} is gone: remove its row`)];
}

describe('the rooms of the program and its tests', () => {
  it('do not grow beyond their rows, which follow when they fall', () => {
    expect(faults(rooms, sizes())).toEqual([]);
  });

  it.each([
    ['grows in lines', { lines: 1001, files: 10 }, /beyond its row/],
    ['grows in files', { lines: 1000, files: 11 }, /beyond its row/],
    ['falls by more than a tenth', { lines: 800, files: 10 }, /lower its row/],
  ])('one that %s is told', (_, size, sentence) => {
    const told = faults({ 'server/toy': { lines: 1000, files: 10 } }, new Map([['server/toy', size]]));
    expect(told).toEqual([expect.stringMatching(sentence)]);
  });

  it('one that is new or gone is told', () => {
    const told = faults({ 'server/toy': { lines: 1000, files: 10 } }, new Map([['src/new', { lines: 1, files: 1 }]]));
    expect(told).toEqual(['src/new has no row: 1 lines, 1 files', 'server/toy is gone: remove its row']);
  });

  it('that have fallen have their rows lowered by the command, and no row is raised', () => {
    const table =
      "  server: { lines: 1000, files: 20 },\n  'server/toy': {\n    lines: 500,\n    files: 3,\n  },\n  'src/gone': { lines: 9, files: 1 },";
    const actual = new Map([
      ['server', { lines: 400, files: 10 }],
      ['server/toy', { lines: 600, files: 4 }],
    ]);
    expect(lowered(table, actual)).toBe(table.replace('1000, files: 20', '450, files: 11'));
  });
});
