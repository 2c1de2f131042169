import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** Runs the command as its user does, from a folder that is not the console's; also builds what is missing. */
const run = (...args: string[]) =>
  new Promise<{ code: number; printed: string; complained: string }>((done) => {
    const child = execFile(
      process.execPath,
      [resolve('scripts/journey.mjs'), ...args],
      { cwd: tmpdir() },
      (_, printed, complained) => done({ code: child.exitCode ?? -1, printed, complained }),
    );
  });

it(
  'npm run journey without options runs the guided path on its own sandbox and exits with 0 (behaviour 10.19.1)',
  { timeout: 120_000 },
  async () => {
    const { code, printed } = await run();
    expect(code).toBe(0);
    expect(printed).toMatch(/done {4}Get Batch \(batch\)/);
    const [, cpu] = /CPU time (\d+\.\d+) s/.exec(printed) ?? [];
    expect(Number(cpu)).toBeLessThan(2);
  },
);

it(
  'npm run journey exits with 2 for a wrong option and with 1 for a failed journey (behaviour 10.19.2)',
  { timeout: 120_000 },
  async () => {
    expect(await run('--journey', 'nothing')).toMatchObject({ code: 2 });
    const failed = await run('--journey', 'batchList');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.printed).toContain('There are no payments to list, try posting a payment');
  },
);

it(
  'npm run journey leaves neither process nor folder behind when it is interrupted',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
    const child = spawn(process.execPath, [resolve('scripts/journey.mjs'), '--scenario', 'upstreamDown'], {
      env: { ...process.env, TMPDIR: folder },
    });
    let complained = '';
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()));
    await once(child.stdout, 'data');
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(complained).toBe('The run has ended early: SIGINT was received\n');
    expect(readdirSync(folder)).toEqual([]); // it is removed once the process has ended
  },
);

it('npm run journey completes although its standard output is closed', { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [resolve('scripts/journey.mjs'), '--journey', 'settings']);
  let complained = '';
  child.stderr.on('data', (text: Buffer) => (complained += text.toString()));
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(complained).toBe('');
});
