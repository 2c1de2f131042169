import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { madeTooOften } from './pages.ts';
import { newDiary } from './walks.ts';

const run = promisify(execFile);

/** Runs the command of the simulation in a process of its own. */
const simulate = (...options: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'tests/simulation/main.ts', ...options], { maxBuffer: 1e8 });

const hashes = async (...options: string[]) =>
  (await simulate('--hashes', ...options)).stdout.split('\n').filter((line) => /^\d+ [0-9a-f]{16}$/.test(line));

it('the same seeds give the same traces in another process', async () => {
  const [once, again] = await Promise.all([hashes('--seeds', '20'), hashes('--seeds', '20')]);
  expect(once).toHaveLength(20);
  expect(again).toEqual(once);
  expect(new Set(once.map((line) => line.split(' ')[1])).size).toBe(20);
});

it('worlds full of accidents violate no invariant', async () => {
  const { stdout } = await simulate('--from', '21', '--seeds', '15');
  expect(stdout).toContain('No invariant was violated.');
});

/** Worlds that once violated an invariant, by what was wrong. Each had a test of its own as well. */
const mended: Readonly<Record<string, number>> = {
  'a slow answer made the service’s clock seem to be set back, so that payments stayed unknown': 112,
  'a confirmation to pay again covered an invoice that another user had paid since the review': 505,
};

it.each(Object.entries(mended))('a world that once failed holds: %s', async (_, seed) => {
  const { stdout } = await simulate('--seed', String(seed));
  expect(stdout).toContain('nothing is wrong');
});

it('each fault that is planted in the console is found by the check that it is for', async () => {
  const { stdout } = await simulate('--plants');
  const found = stdout.split('\n').filter((line) => line !== '');
  expect(found.filter((line) => !line.includes(': world '))).toEqual([]);
  expect(found.length).toBeGreaterThan(4);
}, 120_000);

it('what is made twice for one decision of a user is found, and a program’s own batch is none', () => {
  const diary = newDiary();
  diary.intended.set('organisation', 1);
  const done = (key: string): RecordedCall => ({
    ...{ number: 1, at: 0, ms: 0, method: 'POST', path: '', query: '', operation: 'createOrganisation', mistakes: [] },
    ...{
      headers: { 'x-idempotency-key': key },
      body: '',
      status: 201,
      response: { headers: {}, body: '' },
      isDone: true,
    },
  });
  expect(madeTooOften(diary, [done('a'), done('a')], new Map())).toEqual([]);
  expect(madeTooOften(diary, [done('a'), done('b')], new Map())).toEqual([
    'createOrganisation was done 2 times, for 1 decisions.',
  ]);
  expect(madeTooOften(diary, [done('a'), done('b')], new Map([['b', 1]]))).toEqual([]);
});
