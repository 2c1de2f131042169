import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { deliver } from '#tests/support/delivery.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { started } from './processes.ts';
import type { Row } from './row.ts';

const run = promisify(execFile);

const [workspaces, records] = [1000, 100] as const;
/** Time (ms) in which those not in use are let go. */
const settling = 3000;
/** Length of a payment file in bytes. */
const fileLength = 5_000_000;

/** Highest resident memory of a process so far, in bytes; NaN where /proc is missing. */
function peakOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  return existsSync(status) ? Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1]) * 1024 : NaN;
}

/** What the console takes at most while long payment files pass through it. */
async function files(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const line = '0123456789'.repeat(10);
  const file = `${line}\n`.repeat(Math.ceil(fileLength / (line.length + 1)));
  const service = createServer((request, response) => response.end(request.url === '/short' ? line : file));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // it listens on a port
  const sandbox = await started('sandbox.ts', folder);
  const program = await newConsole({ ...liveEnvironment(sandbox.url), PAYMENT_FILE_ORIGINS: origin });
  try {
    await program.start();
    const download = async (name: string) => {
      const answer = await fetch(`${program.url}/api/downloadpaymentfile/${encodeURIComponent(origin + name)}`);
      const { byteLength } = await answer.arrayBuffer();
      if (!answer.ok || byteLength < (name === '/short' ? 1 : fileLength)) throw new Error(`a file: ${answer.status}`);
    };
    const together = async (name: string) => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.all(Array.from({ length: 5 }, () => download(name)));
    };
    await together('/short');
    const before = peakOf(program.pid());
    await together('/long');
    return [
      {
        what: `highest resident memory while 25 payment files of ${fileLength / 1e6} MB pass, five at a time`,
        unit: 'MB',
        ours: peakOf(program.pid()) / 1e6,
        reference: { what: 'before', value: before / 1e6 },
        aim: { because: 'flat, not as much more as they hold', mostMore: (5 * fileLength) / 1e6 },
      },
    ];
  } finally {
    await program.remove();
    await sandbox.end();
    service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What many workspaces take of the console's memory after each of them was used. */
async function idle(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const key = randomBytes(32).toString('base64');
  const storeUrl = `file:${join(folder, 'console.sqlite')}`;
  const program = await newConsole({ STORE_URL: storeUrl, STORE_KEY: key, RATE_LIMIT: '5000' });
  try {
    const given = [storeUrl, key, String(workspaces), String(records)];
    await run(process.execPath, ['--import', 'tsx', 'scripts/bench/fillWorkspaces.ts', ...given]);
    await program.start();
    const notify = async (index: number) => {
      const text = JSON.stringify({ type: 'other', subscriptionId: `subscription-${index % workspaces}` });
      const { status } = await deliver(program.url, text);
      if (status !== 204) throw new Error(`a webhook was answered ${status}`);
    };
    for (let turn = 0; turn < 50; turn += 1) await notify(0);
    const before = await program.memory();
    for (let index = 1; index < workspaces; index += 1) await notify(index);
    await wait(settling);
    const after = await program.memory();
    return [
      {
        what: `resident memory of ${workspaces} workspaces with ${records} records each, after a webhook to each`,
        unit: 'MB',
        ours: after.resident / 1e6,
        reference: { what: 'with one in use', value: before.resident / 1e6 },
        aim: { mostMore: 50 },
      },
    ];
  } finally {
    await program.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function* rows(): AsyncGenerator<Row> {
  yield* await idle();
  yield* await files();
}
