import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import type { Row } from './row.ts';

const run = promisify(execFile);

const [workspaces, records] = [1000, 100] as const;
/** Time (ms) in which those not in use are let go. */
const settling = 3000;

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
}
