import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const providerId = (value: string) => ({ body: { key: 'providerId' as const, value } });
const batch = {
  externalId: 'e',
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments: [
    { instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n'.repeat(100_000), creditorId: 'c' } },
  ],
};

/** The program, with a limit on the growth of its files: as on a full disk or over a quota, without being root. */
async function running() {
  const service = await fakeUpstream({
    [endpoints.consumerStatus]: answering({ version: '1', branch: 'b', name: 'n' }),
    [endpoints.batches]: answering({ data: { batchId: 'b', status: 'Received' } }, 201),
  });
  const folder = temporaryFolder();
  const program = await newConsole({ ...liveEnvironment(service.url), DATA_DIR: folder, LOG_LEVEL: 'fatal' });
  onTestFinished(() => program.remove());
  await program.start();
  const api = apiAt(program.url);
  await api.done('useExisting', { body: { organisationId: 'o', companyId: 'c', signingKey: 'k' } });

  const limit = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(program.pid()), `--fsize=${bytes}:unlimited`]);
  const longest = () => Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).size));
  return {
    service,
    program,
    ...api,
    /** Bytes by which each file may still grow. */
    leave: (bytes: number) => limit(longest() + bytes),
    makeRoom: () => limit('unlimited'),
    ready: async () => (await fetch(`${program.url}/readyz`)).status,
  };
}

describe.runIf(process.platform === 'linux')('A full disk', () => {
  it(
    'makes writes and payments fail unsent and keeps confirmed data; with room, both succeed (threat 7.3)',
    { timeout: 180_000 },
    async () => {
      const { service, program, call, done, refused, leave, makeRoom, ready } = await running();
      leave(100_000);
      let confirmed = '';
      for (let turn = 0; ; turn += 1) {
        const reply = await call('setSetting', providerId(`${turn} ${'x'.repeat(20_000)}`));
        if (reply.ok) confirmed = reply.answer.providerId;
        else {
          expect(reply.problem).toMatchObject({ status: 503, code: 'store-failed', outcome: 'not-sent' });
          expect(reply.problem.detail).toMatch(/^The disk of the console (is full|cannot be written)/);
          break;
        }
      }
      expect(confirmed).not.toBe('');
      await eventually(async () => expect(await ready()).toBe(503));
      expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
      expect((await done('getSettings')).providerId).toBe(confirmed);

      expect(await refused('createBatch', { body: batch, key: 'key' })).toMatchObject({ code: 'store-failed' });
      expect(service.askedFor(endpoints.batches)).toEqual([]);

      makeRoom();
      await eventually(async () => expect(await ready()).toBe(200));
      expect((await done('createBatch', { body: batch, key: 'key' })).data.batchId).toBe('b');
      expect(service.askedFor(endpoints.batches)).toHaveLength(1);
      expect((await done('setSetting', providerId('later'))).providerId).toBe('later');
      await program.stop('SIGKILL');
      await program.start();
      expect(await done('getSettings')).toMatchObject({ providerId: 'later', batchId: 'b' });
      expect((await done('getFacts')).setAside.total).toBe(0);
    },
  );

  it('leaves confirmed data intact if the program is killed meanwhile (threat 7.3)', { timeout: 180_000 }, async () => {
    const { program, call, done, leave } = await running();
    leave(300_000);
    let confirmed = '';
    for (let turn = 0; ; turn += 1) {
      const reply = await call('setSetting', providerId(`${turn} ${'x'.repeat(7000)}`));
      if (!reply.ok) break;
      confirmed = reply.answer.providerId;
    }
    await program.stop('SIGKILL');
    await program.start();
    expect((await done('getSettings')).providerId).toBe(confirmed);
  });
});
