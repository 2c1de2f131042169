import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { main } from '#server/verify/main.ts';
import { openPayouts } from '#tests/support/payouts.ts';
import { correctPrograms } from './correct/programs.ts';

/** How often each program is verified; `npm run verdicts` does so ten times. */
const times = Number(env['RUNS'] ?? 2);
/** The time that one verification may take beside the load, in ms. */
const patience = 600_000;

/** The verdict of each check, as one text. */
async function verdictOf(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verdicts-'));
  const report = join(folder, 'report.json');
  const complained: string[] = [];
  await main(
    ['--report', report, ...args],
    { env: { ...env, ...more } },
    { print: () => undefined, complain: (line) => complained.push(line) },
  );
  const { checks } = JSON.parse(await readFile(report, 'utf8').catch(() => '{"checks":[]}')) as {
    checks: { id: string; verdict: string }[];
  };
  await rm(folder, { recursive: true });
  const of = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  const failed = of('failed').join(', ') || 'nothing';
  return [`failed: ${failed}`, `not exercised: ${of('not exercised').join(', ') || 'nothing'}`, ...complained].join(
    '; ',
  );
}

/** The arguments for the example of another service, at a fake of it. */
async function another(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mapping-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { url } = await openPayouts();
  const example = JSON.parse(await readFile('examples/another-service/mapping.json', 'utf8')) as object;
  const mapping = join(folder, 'mapping.json');
  await writeFile(mapping, JSON.stringify({ ...example, url }));
  return ['--against', mapping, '--', 'node', 'examples/another-service/pay.mjs'];
}

describe('the verdict of a program beside other work', () => {
  /** Programs that keep a processor each. */
  const loops = [0, 1].map(() => () => spawn(execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  let running: ReturnType<typeof spawn>[] = [];
  beforeAll(() => {
    running = loops.map((start) => start());
  });
  afterAll(() => running.forEach((loop) => loop.kill('SIGKILL')));

  const at =
    (...command: readonly string[]) =>
    () =>
      Promise.resolve(['--', ...command]);
  it.each<[string, () => Promise<readonly string[]>]>([
    ['the example in Node', at('node', 'examples/integration-node/pay.mjs')],
    ['the example in Python', at('python3', 'examples/integration-python/pay.py')],
    ['the example of another service', another],
    ['a program that makes a new key for each attempt', at('node', 'examples/naive/new-key-for-retry.mjs')],
    ...correctPrograms
      .slice(0, 1)
      .map(([style, command]): [string, () => Promise<readonly string[]>] => [style, at(...command)]),
  ])(
    `is the same each time: %s (behaviour 10.21.3)`,
    async (program, argumentsOf) => {
      const verdicts: string[] = [];
      for (let time = 0; time < times; time += 1) {
        const credentials = { PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'client-secret-1' };
        const begun = performance.now();
        verdicts.push(await verdictOf(await argumentsOf(), credentials));
        const seconds = Math.round((performance.now() - begun) / 1000);
        console.log(`${program}, ${time + 1} of ${times}, ${seconds} s: ${verdicts.at(-1)}`);
      }
      expect(new Set(verdicts).size).toBe(1);
    },
    times * patience,
  );
});
