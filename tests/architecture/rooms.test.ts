import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from './rooms.ts';

/** A room is a folder of server, src or tests; those of the server's tests are told apart. */
function roomOf(file: string): string {
  const parts = dirname(file).split('/');
  return parts.slice(0, file.startsWith('tests/server/') ? 3 : 2).join('/');
}

interface Size {
  lines: number;
  files: number;
}

/** The size of each room by the files of Git, without what is drawn or laid out by a command. */
function sizes(): Map<string, Size> {
  const files = execFileSync('git', ['ls-files', '-z', 'server', 'src', 'tests']).toString().split('\0');
  const found = new Map<string, Size>();
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const size = found.get(roomOf(file)) ?? { lines: 0, files: 0 };
    const text = textOf(file);
    if (text === undefined) continue;
    found.set(roomOf(file), { lines: size.lines + text.split('\n').length - 1, files: size.files + 1 });
  }
  return found;
}
/** A file that is deleted but not committed yet has no text. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

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
});
