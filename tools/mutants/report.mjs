/** What `npm run mutants` has found so far of a room: its mutants, and where they survive. */
import { existsSync, readFileSync } from 'node:fs';
import { equivalents } from './equivalents.mjs';

const lived = ['Survived', 'NoCoverage'];
const died = ['Killed', 'Timeout', 'RuntimeError'];

/** The text of a mutant's place in the source, and the line on which it begins. */
function placeOf(source, { start, end }) {
  const lines = source.split('\n');
  const text = lines.slice(start.line - 1, end.line);
  text[text.length - 1] = text.at(-1).slice(0, end.column - 1);
  text[0] = text[0].slice(start.column - 1);
  return { from: text.join('\n'), line: lines[start.line - 1] };
}

/** The mutants that were tried in a room; undefined if none were. */
export function mutantsIn(room) {
  const report = `reports/mutants/${room}.json`;
  if (!existsSync(report)) return undefined;
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, location, replacement: to = '' }) => {
      const place = placeOf(source, location);
      const isLive = lived.includes(status);
      const isEquivalent = isLive && equivalents.some(({ is }) => is({ ...place, file, to }));
      const { start, end } = location;
      // Stryker counts columns from 0 in what it is given, from 1 in what it reports.
      const range = `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
      return {
        ...place,
        ...{ file, to, range, at: `${file}:${start.line}` },
        ...{ isDead: died.includes(status), isLive, isEquivalent },
      };
    }),
  );
}

/** Whether a mutant survives that is not listed as equivalent. */
export const isLeft = ({ isLive, isEquivalent }) => isLive && !isEquivalent;
