import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '#rules/harSession.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { simulate } from './command.ts';
import { madeTooOften } from './pages.ts';
import { newDiary } from './walks.ts';

/** The longest time (ms) that a process of worlds may take on a machine that does other things too. */
const patience = 300_000;

const hashes = async (...options: string[]) =>
  (await simulate('--hashes', ...options)).stdout
    .split('\n')
    .filter((line) => /^\d+ [0-9a-f]{16}$/.test(line))
    .sort();

it(
  'the same seeds give the same traces in another process, however many run at once',
  async () => {
    const [once, again] = await Promise.all([
      hashes('--seeds', '20', '--cores', '1'),
      hashes('--seeds', '20', '--cores', '3'),
    ]);
    expect(once).toHaveLength(20);
    expect(again).toEqual(once);
    expect(new Set(once.map((line) => line.split(' ')[1])).size).toBe(20);
  },
  patience,
);

it(
  'worlds full of accidents violate no invariant',
  async () => {
    const { stdout } = await simulate('--from', '21', '--seeds', '15');
    expect(stdout).toContain('15 worlds from seed 21');
    expect(stdout).toContain('No invariant was violated.');
  },
  patience,
);

describe('A service that takes a repeat as a new payment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  const [har, diagram] = [join(folder, 'world.har'), join(folder, 'world.mmd')];
  let failed: Awaited<ReturnType<typeof simulate>>;
  beforeAll(async () => {
    const story = 'tests/simulation/forgotten-key.json';
    failed = await simulate('--broken', '--story', story, '--trace', har, '--diagram', diagram);
  }, patience);

  it('fails, told in sentences and as a sequence diagram', () => {
    expect(failed.isRight).toBe(false);
    expect(failed.stdout).toMatch(/made 2 batches|is paid 2 times/);
    expect(failed.stdout).toMatch(/ ! service: forgets-key for POST/);
    const drawn = readFileSync(diagram, 'utf8');
    expect(failed.stdout).toContain(drawn);
    expect(drawn).toMatch(/^sequenceDiagram\n/);
    expect(drawn).toContain('User->>Console: POST /api/batchpayments');
    expect(drawn).toContain('Note over User,Service: service, forgets-key for POST');
  });

  it('is a session that the timeline opens, with each exchange at its time', () => {
    const { entries } = readSession(readFileSync(har, 'utf8'));
    const sent = entries.filter(({ method, url }) => method === 'POST' && url.endsWith('/v3/batchpayments'));
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(entries.map(({ kind }) => kind))).toContain('call');
    expect(sent.every(({ kind, at }) => kind === 'service' && at.startsWith('2026-01-05'))).toBe(true);
  });
});

describe('A world that once violated an invariant', () => {
  const folder = 'tests/simulation/stories';
  const names = readdirSync(folder);
  let told: { name: string; wrong: string[]; missing: string[] }[] = [];
  beforeAll(async () => {
    const { stdout } = await simulate('--stories', folder);
    told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as (typeof told)[number]); // printed by the command
  }, patience);

  it.each(names)('holds, with the accidents of its story: %s', (name) => {
    expect(told.find((each) => each.name === name)).toEqual({ name, wrong: [], missing: [] });
  });
});

it('an option that is no number is refused with its name', async () => {
  await expect(simulate('--seeds', 'many')).rejects.toThrow('--seeds is many: give a number from 1');
});

it(
  'each fault that is planted in the console is found by the check that it is for',
  async () => {
    const { stdout } = await simulate('--plants');
    const found = stdout.split('\n').filter((line) => line !== '');
    expect(found.filter((line) => !line.includes(': world '))).toEqual([]);
    expect(found.length).toBeGreaterThan(4);
  },
  patience,
);

it('what is made twice for one decision of a user is found, and a program’s own batch is none', () => {
  const diary = newDiary();
  diary.intended.set('organisation', 1);
  const done = (key: string): RecordedCall => ({
    number: 1,
    at: 0,
    ms: 0,
    method: 'POST',
    path: '',
    query: '',
    operation: 'createOrganisation',
    mistakes: [],
    headers: { 'x-idempotency-key': key },
    body: '',
    status: 201,
    response: { headers: {}, body: '' },
    isDone: true,
  });
  expect(madeTooOften(diary, [done('a'), done('a')], new Map())).toEqual([]);
  expect(madeTooOften(diary, [done('a'), done('b')], new Map())).toEqual([
    'createOrganisation was done 2 times, for 1 decisions.',
  ]);
  expect(madeTooOften(diary, [done('a'), done('b')], new Map([['b', 1]]))).toEqual([]);
});
