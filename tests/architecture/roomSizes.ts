import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The lines and files of a room. */
export interface Size {
  lines: number;
  files: number;
}

/** A room is a folder of server, src or tests; those of the server's tests are told apart. */
function roomOf(file: string): string {
  const parts = dirname(file).split('/');
  return parts.slice(0, file.startsWith('tests/server/') ? 3 : 2).join('/');
}

/** A file that is deleted but not committed yet has no text. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the size of each room by the files of Git, without what is drawn or laid out by a command. */
export function sizes(): Map<string, Size> {
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

/** Room to work in: 2 %, up to the next 50 lines and the next file. */
const rowOf = ({ lines, files }: Size): Size => ({
  lines: Math.ceil((lines * 1.02) / 50) * 50,
  files: Math.ceil(files * 1.02),
});

/** Returns the text of a table of rooms with each row that is too high lowered to its room; none is raised. */
export const lowered = (table: string, actual: ReadonlyMap<string, Size>): string =>
  table.replace(
    /^( {2}'?([\w/]+)'?: \{\s*lines: )(\d+)(,\s*files: )(\d+)/gm,
    (row: string, begin: string, room: string, lines: string, between: string, files: string) => {
      const size = actual.get(room);
      if (!size) return row;
      const next = rowOf(size);
      return `${begin}${Math.min(Number(lines), next.lines)}${between}${Math.min(Number(files), next.files)}`;
    },
  );
