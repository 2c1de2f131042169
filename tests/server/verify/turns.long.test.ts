import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProgram } from '#server/verify/program.ts';
import { takeTurns } from '#server/verify/turns.ts';

/** Runs two instances of a script in turns, in a folder that both know; returns what each has printed. */
async function inTurns(script: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'turns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const start = () => startProgram(['sh', '-c', `cd ${folder}; sleep 0.1; ${script}`], { env, limit: 20_000 });
  const both = await Promise.all([start(), start()]);
  await takeTurns(both, folder, () => both.every(({ isRunning }) => !isRunning()));
  await Promise.all(both.map(({ ended }) => ended));
  return both.map(({ output }) => output().trim()).sort();
}

describe('two instances that go on in turns (behaviour 10.21.29)', () => {
  it.each([
    ['a file', 'if [ -e plan ]; then echo seen; else : > draft-$$; sleep 0.05; mv draft-$$ plan; echo planned; fi'],
    [
      'a file in a folder',
      'mkdir -p in; if [ -e in/plan ]; then echo seen; else : > in/$$; sleep 0.05; mv in/$$ in/plan; echo planned; fi',
    ],
  ])('both look at %s before either has changed it', async (_, script) => {
    expect(await inTurns(script)).toEqual(['planned', 'planned']);
  });

  it('find what was changed in the step in which it was looked at', async () => {
    expect(await inTurns('if mkdir plan 2>&-; then : > plan/draft; echo planned; else echo seen; fi')).toEqual([
      'planned',
      'seen',
    ]);
  });

  it('both end where one waits for what the other holds', async () => {
    const script = 'until mkdir lock 2>&-; do sleep 0.05; done; : > a; : > b; rm a b; rmdir lock; echo done';
    expect(await inTurns(script)).toEqual(['done', 'done']);
  });
});
