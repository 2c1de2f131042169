/**
 * Prints what `npm run mutants` has found so far of the machines: a row for each room, and what survives and is not
 * listed among the equivalents. Fails where fewer than 95 % of a room's other mutants are killed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { equivalents } from './equivalents.mjs';
import { rooms } from './rooms.mjs';

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

const mutantsOf = ({ files }) =>
  Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, location, replacement: to = '' }) => {
      const place = placeOf(source, location);
      const isLive = lived.includes(status);
      const isEquivalent = isLive && equivalents.some(({ is }) => is({ ...place, file, to }));
      return { ...place, to, status, isLive, isEquivalent, at: `${file}:${location.start.line}` };
    }),
  );

const survivors = [];
console.log('| room | mutants | killed | equivalent | survived | killed of the others |');
console.log('| --- | --: | --: | --: | --: | --: |');
for (const room of Object.keys(rooms).filter((name) => name.startsWith('machines/'))) {
  const report = `reports/mutants/${room}.json`;
  if (!existsSync(report)) continue;
  const mutants = mutantsOf(JSON.parse(readFileSync(report, 'utf8')));
  const killed = mutants.filter(({ status }) => died.includes(status)).length;
  const equivalent = mutants.filter((each) => each.isEquivalent).length;
  const left = mutants.filter((each) => each.isLive && !each.isEquivalent);
  const share = (100 * killed) / (killed + left.length);
  if (share < 95) process.exitCode = 1;
  console.log(
    `| ${[room, killed + equivalent + left.length, killed, equivalent, left.length, `${share.toFixed(1)} %`].join(' | ')} |`,
  );
  survivors.push(...left);
}
for (const { at, from, to } of survivors) console.log(`${at}: ${from.split('\n')[0]} => ${to.split('\n')[0]}`);
