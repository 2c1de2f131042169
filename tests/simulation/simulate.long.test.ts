import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { simulate } from './command.ts';

const minutes = Number(process.env['MINUTES'] ?? 10);
/** A million seeds of each day, which no other day runs. */
const from = Math.floor(Date.now() / 86_400_000) * 1_000_000;

it(
  'worlds that nobody has run before violate no invariant',
  async () => {
    const { stdout } = await simulate('--from', String(from), '--seeds', '1000000', '--minutes', String(minutes));
    console.log(stdout);
    expect(stdout).toContain('No invariant was violated.');
  },
  (minutes + 5) * 60_000,
);

it('the first world that fails is shortened to few accidents, and fails again by its story, event by event', async () => {
  const story = join(mkdtempSync(join(tmpdir(), 'simulation-')), 'world.json');
  const first = await simulate('--broken', '--seeds', '200', '--keep', story);
  const again = await simulate('--broken', '--story', story);
  expect([first.isRight, again.isRight]).toEqual([false, false]);
  const hash = / trace (\w+):/.exec(first.stdout)?.[1] ?? '';
  expect(again.stdout).toContain(`trace ${hash}:`);
  expect(again.stdout.split('\n').filter((line) => / ! (?!console)/.test(line)).length).toBeLessThan(12);
}, 600_000);
