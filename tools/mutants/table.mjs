/**
 * Prints what `npm run mutants` has found so far of the machines: a row for each file that was tried, and what survives
 * and is not listed among the equivalents. Fails where fewer than 95 % of a file's other mutants are killed.
 */
import { isLeft, mutantsIn } from './report.mjs';
import { rooms } from './rooms.mjs';

const all = Object.keys(rooms)
  .filter((name) => name.startsWith('machines/'))
  .flatMap((room) => mutantsIn(room) ?? []);
const filesTried = [...new Set(all.map(({ file }) => file))].toSorted();

console.log('| file | mutants | killed | equivalent | survived | killed of the others |');
console.log('| --- | --: | --: | --: | --: | --: |');
for (const file of filesTried) {
  const mutants = all.filter((each) => each.file === file);
  const killed = mutants.filter(({ isDead }) => isDead).length;
  const equivalent = mutants.filter(({ isEquivalent }) => isEquivalent).length;
  const left = mutants.filter(isLeft).length;
  if (killed + left === 0) continue;
  const share = (100 * killed) / (killed + left);
  if (share < 95) process.exitCode = 1;
  console.log(
    `| ${[file.replace('src/', ''), killed + equivalent + left, killed, equivalent, left, `${share.toFixed(1)} %`].join(' | ')} |`,
  );
}
for (const { at, from, to } of all.filter(isLeft)) console.log(`${at}: ${from.split('\n')[0]} => ${to.split('\n')[0]}`);
