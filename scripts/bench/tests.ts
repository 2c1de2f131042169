import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import type { Total } from '#tests/support/coverageTable.ts';
import type { Row } from './row.ts';

/** How the generated paths are run; a part of their files' names, and what a run of `npm test`'s may take, in s. */
const pathRuns = {
  a: { name: '(a) on the live actor', files: '.model.test', limit: 5 },
  b: { name: '(b) through the DOM', files: 'tests/steps/paths.', limit: 60 },
  c: { name: '(c) in the browser', files: 'tests/browser/paths.', limit: 300 },
};

const commands = { 'npm test': { args: [] }, 'npm run test:all': { args: ['ALL_PATHS=true'] } } as const;

/** Everything that one command prints. */
const longest = 2 ** 28;

interface Ran {
  printed: string;
  seconds: number;
  /** The tests that failed; [] if all succeeded. */
  failed: string[];
}

/** Runs tests with these arguments and variables; prints what they printed if they failed. */
function run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Ran {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: longest,
    env: { ...env, NO_COLOR: '1', ...variables },
  });
  const seconds = (performance.now() - before) / 1000;
  if (status === 0) return { printed: stdout, seconds, failed: [] };
  console.error(stdout, stderr);
  const named = new Set([...stderr.matchAll(/^ *FAIL +(.*)$/gm)].map(([, name = '']) => name));
  return { printed: stdout, seconds, failed: named.size > 0 ? [...named] : [`${args.join(' ')} ended with ${status}`] };
}

/** What a run of all tests has covered of the charts. */
const coverageRow = (command: string, { run, kind, covered, all, paths, isDemanded }: Total): Row => ({
  what: `paths ${pathRuns[run].name}, covered in ${command} by ${paths} paths`,
  unit: kind,
  ours: covered,
  reference: { what: 'in all', value: all },
  ...(isDemanded && { aim: { leastPart: 1 } }),
});

/**
 * How long a command takes, and what its generated paths cover of the charts; of `npm test` as well how long each kind
 * of paths takes, and how long a newcomer waits. Measures everything also if tests fail, and throws then at the end.
 */
export function* testRows(command: keyof typeof commands): Generator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'payments-out-bench-'));
  const totals = join(folder, 'covered.json');
  try {
    const whole = run(['scripts/test.mjs', ...commands[command].args], { COVERED_TO: totals });
    const isQuick = command === 'npm test';
    yield { what: command, unit: 's', ours: whole.seconds, ...(isQuick && { aim: { most: 300 } }) };
    const failed = new Set(whole.failed);
    const covered = existsSync(totals) ? (JSON.parse(readFileSync(totals, 'utf8')) as Total[]) : []; // as it is written
    yield* covered.map((total) => coverageRow(command, total));
    if (isQuick) {
      const [, waited] = /([\d.]+) s of waiting/.exec(whole.printed) ?? [];
      const what = 'waiting on a newcomer’s walk, beside other tests';
      yield { what, unit: 's', ours: Number(waited), aim: { most: 12 } };
      for (const { name, files, limit } of Object.values(pathRuns)) {
        const { seconds, failed: its } = run(['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', files]);
        yield { what: `paths ${name} alone`, unit: 's', ours: seconds, aim: { most: limit } };
        for (const each of its) failed.add(each);
      }
    }
    if (failed.size > 0) throw new Error(`${failed.size} failed: ${[...failed].join('; ')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
