import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { execPath, kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

/** Returns the leaders of the groups of processes that a process has started, without the one that ends them. */
function groupsOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const [, own, group] = /^.*\) \S (\d+) (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      const isProgram = Number(own) === parent && group === name;
      return isProgram && !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('while read') ? [-Number(name)] : [];
    } catch {
      return []; // no process, or one that has ended
    }
  });
}

type Stopped = 'verify' | 'the programs' | 'both';

/** Verifies a program and stops verify or the programs that run for so long (ms), so often, after the first scenario. */
async function verifyAcross(
  which: Stopped,
  { ms, times }: { ms: number; times: number },
  only: string,
  program: string,
) {
  const child = spawn(execPath, ['scripts/verify.mjs', '--only', only, '--', 'node', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  while (!/^1\/\d/m.test(printed) && child.exitCode === null) await pause(20);
  for (let time = 0; time < times && child.exitCode === null; time += 1) {
    await pause(700 + time * 1500);
    const all = [
      ...(which === 'the programs' ? [] : [child.pid!]), // it was started
      ...(which === 'verify' ? [] : groupsOf(child.pid!)),
    ];
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const each of all)
        try {
          kill(each, name);
        } catch {
          // It has ended.
        }
    };
    signal('SIGSTOP');
    await pause(ms);
    signal('SIGCONT');
  }
  const [status] = await ended;
  return { status, failed: printed.match(/^FAILED {2}[\w-]+/gm) ?? [], last: printed.trim().split('\n').at(-1) };
}

const patience = 200_000;

describe('a machine that stands still for seconds (behaviour 10.21.31)', () => {
  it.each<Stopped>(['verify', 'the programs', 'both'])(
    'makes a correct program fail nothing, where %s stood still longer than the program waits for a response',
    async (which) => {
      const only = 'works,unavailable,too-many-calls,slow-batch,unknown-status,webhooks,killed';
      const stops = { ms: 7000, times: 2 };
      const found = await verifyAcross(which, stops, only, 'examples/integration-node/pay.mjs');
      expect(found).toMatchObject({ status: 0, failed: [] });
      expect(found.last).toMatch(/; the machine stood still for up to [\d.]+ s, \d+ scenarios? ran again$/);
    },
    patience,
  );

  it.each([
    ['constant-pauses', 'unavailable', 'write-backoff'],
    ['retries-at-once', 'unavailable', 'write-backoff'],
    ['repeats-lost-at-once', 'every-response-lost', 'write-backoff'],
    ['ignores-retry-after', 'too-many-calls', 'write-retry-after'],
    ['ignores-retry-time', 'too-many-until', 'write-retry-after'],
    ['polls-fast', 'slow-batch', 'reading-polls'],
  ])(
    'hides no mistake of a program: %s',
    async (name, scenario, check) => {
      const program = `examples/naive/${name}.mjs`;
      const found = await verifyAcross('both', { ms: 3000, times: 1 }, `works,${scenario}`, program);
      expect(found).toMatchObject({ status: 1, failed: [`FAILED  ${check}`] });
    },
    patience,
  );
});
