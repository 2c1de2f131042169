import { execFileSync } from 'node:child_process';
import type { Row } from './row.ts';

/** How many sandboxes one process creates. */
const count = 50;

interface Figures {
  /** Longest time in ms to create a sandbox once the first one was. */
  slowest: number;
  /** Heap and external memory of each sandbox, in MB. */
  memory: number;
  /** Sandboxes that see a batch of another one. */
  mixed: number;
  /** Bytes that differ between the ids, tokens and batches of two sandboxes with the same seed and calls. */
  different: number;
}

const program = `
  import { createSandbox } from '#server/sandbox/createSandbox.ts';
  const memory = () => (gc(), gc(), process.memoryUsage().heapUsed + process.memoryUsage().external);
  const warm = await createSandbox({ seed: 0 });
  await warm.prepare('batch-partly-failed');
  const before = memory();
  const all = [];
  let slowest = 0;
  for (let seed = 1; seed <= ${count}; seed += 1) {
    const begun = performance.now();
    all.push(await createSandbox({ seed }));
    slowest = Math.max(slowest, performance.now() - begun);
  }
  await Promise.all(all.map((each) => each.prepare('payable')));
  const each = (memory() - before) / ${count} / 2 ** 20;
  await all[0].prepare('batch-partly-failed');
  const seen = await Promise.all(all.slice(1).map((each) => each.batches()));
  const again = await createSandbox({ seed: 0 });
  const said = async (sandbox) => JSON.stringify([await sandbox.reset(), await sandbox.prepare('batch-partly-failed'), await sandbox.batches()]);
  const [one, other] = [await said(warm), await said(again)];
  const different = [...one].filter((letter, at) => letter !== other[at]).length + Math.abs(one.length - other.length);
  console.log(JSON.stringify({ slowest, memory: each, mixed: seen.filter((batches) => batches.length > 0).length, different }));
  process.exit(0);
`;

/** The sandbox that tests embed: its start, memory, isolation and determinism. */
export function* rows(): Generator<Row> {
  const printed = execFileSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  const { slowest, memory, mixed, different } = JSON.parse(printed) as Figures; // printed above
  const what = `the slowest of ${count} embedded sandboxes in a warm process`;
  yield { what, unit: 'ms', ours: slowest, aim: { most: 300 } };
  yield { what: 'memory of each, after preparing a situation', unit: 'MB', ours: memory, aim: { most: 15 } };
  yield { what: 'of these, see a batch of another one', unit: 'sandboxes', ours: mixed, aim: { most: 0 } };
  yield { what: 'the same seed and calls: bytes that differ', unit: 'bytes', ours: different, aim: { most: 0 } };
}
