import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import type { WireWebhook } from '#server/upstream/webhooks.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { freePort } from '#tests/support/consoleProcess.ts';
import { startPostgres, statement } from '#tests/support/postgres.ts';
import { runsOf } from '#tests/support/runCounts.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { programOf } from './harness.ts';
import { executionDate } from '#tests/support/executionDate.ts';

/** Time (ms) for an answer, after which a program repeats its call. */
const patience = 5000;
const rounds = runsOf(1);

/** The sandbox as `npm run sandbox` starts it, on a database. */
async function sandboxProcess(storeUrl: string, webhookUrl: string) {
  const port = await freePort();
  const env = {
    ...process.env,
    SANDBOX_PORT: String(port),
    SANDBOX_SECRET: sandboxSecret,
    SANDBOX_STORE_URL: storeUrl,
    WEBHOOK_URL: webhookUrl,
    DATA_DIR: temporaryFolder(),
    LOG_LEVEL: 'silent',
  };
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(kill);
  return {
    url: `http://127.0.0.1:${port}`,
    kill,
    isRunning: () => child?.exitCode === null && child.signalCode === null,
    async start() {
      child = spawn(process.execPath, ['scripts/start.mjs', 'sandbox'], { env });
      const ended = once(child, 'exit').then(() => Promise.reject(new Error('the sandbox did not start')));
      await Promise.race([once(child.stdout!, 'data'), ended]); // it is piped
    },
  };
}

it(
  'a sandbox on PostgreSQL loses nothing and does nothing twice when process or database is killed (threat 7.8)',
  { timeout: 120_000 + rounds * 30_000 },
  async () => {
    const database = await startPostgres();
    onTestFinished(() => database.end(), 60_000);
    const told = new Map<string, Set<string>>();
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        const { resource, data } = JSON.parse(body) as WireWebhook;
        const id = resource!.id; // all webhooks of the sandbox are about something
        told.set(id, (told.get(id) ?? new Set()).add(String((data as { status: string }).status)));
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as { port: number }; // it listens
    const sandbox = await sandboxProcess(database.url, `http://127.0.0.1:${port}/`);
    await sandbox.start();
    const program = programOf(() => sandbox.url);
    const who = await program.onboard();
    let { token } = who;
    const paid: string[] = [];
    let repeated = 0;
    let isOver = false;

    /** Pays under one key until the payment is confirmed. */
    async function pay(): Promise<void> {
      const call = {
        headers: { [header.idempotency]: randomUUID() },
        body: {
          data: {
            fileFormatId: catalogue.fileFormatsFor()[0]!.fileFormatId, // there are some
            externalId: randomUUID(),
            requestedExecutionDateTime: executionDate,
            payments: [{ instructedAmount: { amount: '120.50', currency: 'GBP' }, creditor: { name: 'Example Ltd' } }],
          },
        },
      };
      for (;;) {
        const answered = program.call('POST', endpoints.batches, { ...call, token }).catch(() => undefined);
        const answer = await Promise.race([answered, wait(patience, undefined)]);
        if (answer?.status === 201) return void paid.push(answer.body.data.batchId);
        // A hundred rounds take longer than a token is valid.
        if (answer?.status === 401) token = await program.tokenOf(who).catch(() => token);
        else if (answer && answer.status < 500 && answer.status !== 429) throw new Error(answer.text);
        repeated += 1;
        await wait(50);
      }
    }
    const paying = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!isOver) await pay();
      }),
    );
    paying.catch(() => undefined); // it is awaited below
    const goesOn = async () => {
      const before = paid.length;
      const longer = () => expect(paid.length).toBeGreaterThan(before + 5);
      await Promise.race([eventually(longer, { timeout: 60_000, interval: 100 }), paying]);
    };

    for (let round = 0; round < rounds; round += 1) {
      await goesOn();
      await sandbox.kill();
      await sandbox.start();
      await goesOn();
      await database.stop();
      await database.start();
      await goesOn();
      await statement(
        database.url,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await goesOn();
      expect(sandbox.isRunning()).toBe(true);
    }
    isOver = true;
    await paying;

    await eventually(async () => expect(await statement(database.url, 'select task from jobs')).toEqual([]), {
      timeout: 60_000,
      interval: 200,
    });
    const kept = await statement(database.url, "select id, value from records where kind = 'batch'");
    expect(kept.map(({ id }) => String(id)).toSorted()).toEqual(paid.toSorted());
    for (const { id, value } of kept) {
      const { status } = JSON.parse(String(value)) as { status: string };
      expect([id, status, ...(told.get(String(id)) ?? [])]).toEqual([id, status, status]);
      expect(['PaymentFileAvailable', 'Rejected']).toContain(status);
    }
    expect(repeated, 'calls that were not answered').toBeGreaterThan(0);
  },
);
