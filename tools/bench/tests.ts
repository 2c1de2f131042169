import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import type { Total } from '../../tests/support/coverageTable.ts';
import type { Row } from './row.ts';

/** How the generated paths are run. */
const pathRuns = { a: '(a) on the live actor', b: '(b) through the DOM', c: '(c) in the browser' };

/** Everything that the command prints, in bytes. */
const longest = 2 ** 28;

/** Runs a command, and prints last what the shell's children have taken of the CPU. */
const shell = '"$@"; ended=$?; times; exit $ended';

/** The CPU time in s, of user and system, that `times` states of the shell's children in its last line. */
function spentIn(printed: string): number {
  const [, ...spent] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(printed) ?? [];
  const [userMinutes, user, systemMinutes, system] = spent.map(Number) as [number, number, number, number]; // or NaN
  return 60 * (userMinutes + systemMinutes) + user + system;
}

/** What the run has covered of the charts. */
const coverageRow = ({ run, kind, covered, all, paths, isDemanded }: Total): Row => ({
  what: `paths ${pathRuns[run]}, covered by ${paths} paths`,
  unit: kind,
  ours: covered,
  reference: { what: 'in all', value: all },
  ...(isDemanded && { aim: { leastPart: 1 } }),
});

export const uses = ['vitest', 'Chromium'];

/** How long `npm test` takes, and what its generated paths cover of the charts; throws at the end if a test failed. */
export function* rows(): Generator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-out-bench-'));
  const totals = join(folder, 'covered.json');
  try {
    const before = performance.now();
    const { status, stdout, stderr } = spawnSync('sh', ['-c', shell, 'sh', process.execPath, 'scripts/test.mjs'], {
      encoding: 'utf8',
      maxBuffer: longest,
      env: { ...env, NO_COLOR: '1', COVERED_TO: totals },
    });
    const seconds = (performance.now() - before) / 1000;
    yield { what: 'npm test', unit: 's', ours: seconds, aim: { most: 240 } };
    yield { what: 'the same: CPU time', unit: 's', ours: spentIn(stdout), aim: { most: 360 } };
    const [, waited] = /([\d.]+) s of waiting/.exec(stdout) ?? [];
    const what = 'waiting on a newcomer’s walk, beside other tests';
    yield { what, unit: 's', ours: Number(waited), aim: { most: 12 } };
    const covered = existsSync(totals) ? (JSON.parse(readFileSync(totals, 'utf8')) as Total[]) : []; // as it is written
    yield* covered.map(coverageRow);
    if (status === 0) return;
    console.error(stdout, stderr);
    const failed = new Set([...stderr.matchAll(/^ *FAIL +(.*)$/gm)].map(([, name = '']) => name));
    throw new Error(failed.size > 0 ? `${failed.size} failed: ${[...failed].join('; ')}` : `it ended with ${status}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
