import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile, mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from '#server/verify/main.ts';
import { openPayouts } from '#tests/support/payouts.ts';
import { sandboxService } from '#server/verify/sandboxService.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import { freePort, keepPort } from '#server/verify/ports.ts';
import { openStage } from '#server/verify/stage.ts';
import { ProgramError, startProgram } from '#server/verify/program.ts';
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

it.each([
  ['two hours older', 'killed', 2],
  ['as it was, because the key of a bank file ends before', 'file-link', 0],
])('a program that is started again finds its state %s (behaviour 10.21.20)', async (_, id, hours) => {
  const folder = await mkdtemp(join(tmpdir(), 'stage-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lock = join(folder, 'state', 'lock');
  await mkdir(join(folder, 'state'));
  await writeFile(lock, '');
  const openService = sandboxService();
  const service = await openService({ seed: 7, webhookPort: 9, env: {} });
  onTestFinished(service.close);
  const stage = openStage({
    scenario: scenarios.find((each) => each.id === id)!, // there is one
    service,
    folder,
    webhookPort: 9,
    setting: {
      command: ['true'],
      env: process.env,
      seed: 7,
      limit: 5000,
      folder,
      isService: false,
      isAlone: false,
      webhookPort: 9,
      openService,
    },
  });
  const age = async (isLater: boolean) => {
    const before = (await stat(lock)).mtimeMs;
    await (
      await stage.start([], { isLater })
    ).ended;
    return Math.round((before - (await stat(lock)).mtimeMs) / 3_600_000);
  };
  expect([await age(false), await age(true)]).toEqual([0, hours]);
});

it('a port that another verification on the machine keeps is given to no program (behaviour 10.21.1)', async () => {
  const [port, free] = [await freePort(), await freePort()];
  expect([port === free, await keepPort(port)]).toEqual([false, false]);
});

const shell = (script: string, limit = 10_000, interrupted?: AbortSignal) =>
  startProgram(['sh', '-c', script], { env: process.env, limit, interrupted });

/** Whether a process runs; one that has ended stays listed until its parent has read its status. */
async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && !/\) Z /.test(text);
}

/** Waits until the program has printed the id of a child. */
async function childOf({ output }: { output: () => string }): Promise<number> {
  for (;;) {
    const pid = Number(output());
    if (pid > 0) return pid;
    await pause(10);
  }
}

describe('a program that verify starts (behaviour 10.21.6)', () => {
  it('ends by itself, with its status and what it printed on both outputs', async () => {
    const program = await shell('echo out; echo err >&2; exit 3');
    expect(await program.ended).toMatchObject({ ended: 'itself', exitStatus: 3 });
    expect(program.output().split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(program.isRunning()).toBe(false);
  });

  it('has its children ended when it ends', async () => {
    const program = await shell('sleep 60 & echo $!; sleep 0.3');
    const child = await childOf(program);
    await program.ended;
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it.each([
    ['the time limit', 'limit'],
    ['the scenario', 'killed'],
    ['an interruption', 'killed'],
  ])('is ended with its children by %s, even if it ignores SIGTERM', async (by, ended) => {
    const interrupting = new AbortController();
    const program = await shell(
      'trap "" TERM; sleep 60 & echo $!; wait; sleep 60',
      by === 'the time limit' ? 300 : 60_000,
      interrupting.signal,
    );
    const child = await childOf(program);
    if (by === 'the scenario') program.kill();
    if (by === 'an interruption') interrupting.abort();
    expect(await program.ended).toMatchObject({ ended, exitStatus: null });
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it.each([
    ['ends by itself on a machine so slow', 5, 'itself'],
    ['is ended on a machine that is hardly slower', 1.2, 'limit'],
  ])('that needs twice its limit %s', async (_, times, ended) => {
    const slowness = () => Promise.resolve(times);
    const program = await startProgram(['sh', '-c', 'sleep 2'], { env: process.env, limit: 1000, slowness });
    expect(await program.ended).toMatchObject({ ended });
  });

  it('is reported in a sentence if it cannot be started', async () => {
    const start = (command: string) => startProgram([command], { env: process.env, limit: 1000 });
    await expect(start('/nowhere/pay')).rejects.toThrow(
      new ProgramError('The program /nowhere/pay was not found: give a command that exists.'),
    );
    await expect(start('/tmp')).rejects.toThrow(/is not executable: give it the right to run, or name the program/);
    await expect(start('package.json')).rejects.toThrow(
      'The program package.json was not found: give ./package.json for the file, or name the program that runs it, such as node package.json.',
    );
  });
});
