import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ProgramError, startProgram } from '#server/verify/program.ts';

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
