import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const electronic = {
  externalId: 'e',
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }],
};
const byFile = { ...electronic, fileFormatId: 'f' };

/** A batch whose response was lost `ago` ms ago. */
async function lost(body: typeof electronic, ago: number) {
  const folder = temporaryFolder();
  const service = await fakeUpstream({ [endpoints.batches]: (response) => void response.destroy() });
  const server = await testConsole({ upstreamUrl: service.url, folder });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({ code: 'upstream-unreachable' });
  const file = connectionTo(folder);
  file.prepare('update writes set claimed_at = claimed_at - ?').run(ago);
  file.close();
  service.scripts[endpoints.batches] = answering({ data: { batchId: 'b', status: 'Received' } }, 201);
  return { server, service };
}

describe('A repeated batch', () => {
  it.each([
    ['a file', 10 * minute, byFile],
    ['electronic', 14 * day, electronic],
  ])(
    'whose response was lost is not resent after the service’s key retention: %s (threat 3.17)',
    async (_, ago, body) => {
      const { server, service } = await lost(body, ago);
      for (let turn = 0; turn < 2; turn += 1)
        expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({
          code: 'outcome-unknown',
          status: 409,
        });
      expect(service.askedFor(endpoints.batches)).toHaveLength(1);
    },
  );

  /** The same on a clock that the test moves, with tokens so short-lived that every request needs a new one. */
  async function lostAt(start: number, onToken: (turn: number) => void = () => undefined) {
    const time = { now: start };
    let turn = 0;
    const service = await fakeUpstream({
      [endpoints.accessToken]: (...exchange) => {
        onToken((turn += 1));
        const exp = Math.floor(time.now / 1000) + 1;
        return answering({ jwt: unsignedJwt(0, { exp }) }, 201)(...exchange);
      },
      [endpoints.batches]: (response) => void response.destroy(),
    });
    const server = await testConsole({
      upstreamUrl: service.url,
      clock: { ...systemClock, now: () => time.now, steady: () => time.now },
    });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    await server.refused('createBatch', { body: byFile, key: 'key' });
    service.scripts[endpoints.batches] = answering({ data: { batchId: 'b', status: 'Received' } }, 201);
    return { server, service, time };
  }
  const unknown = { code: 'outcome-unknown', outcome: 'unknown' };

  it('is not resent if the token request takes until the key retention has passed (threat 3.17)', async () => {
    const { server, service, time } = await lostAt(Date.now(), (turn) => turn > 1 && (time.now += minute));
    time.now += 9 * minute;
    expect(await server.refused('createBatch', { body: byFile, key: 'key' })).toMatchObject(unknown);
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
  });

  it('is not resent if its claim is dated in the future because the clock was set back (threat 3.17)', async () => {
    const { server, service, time } = await lostAt(Date.now());
    time.now -= 1;
    expect(await server.refused('createBatch', { body: byFile, key: 'key' })).toMatchObject(unknown);
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
    time.now += 1 + minute;
    await server.done('createBatch', { body: byFile, key: 'key' });
  });

  it('gets the stored response weeks after it was created, also after a restart', async () => {
    const folder = temporaryFolder();
    const service = await fakeUpstream({
      [endpoints.batches]: answering({ data: { batchId: 'b', status: 'Received' } }, 201),
    });
    const server = await testConsole({ upstreamUrl: service.url, folder });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    await server.done('createBatch', { body: electronic, key: 'key' });
    const file = connectionTo(folder);
    file.prepare('update writes set claimed_at = claimed_at - ?').run(30 * day);
    file.close();
    const restarted = await testConsole({ upstreamUrl: service.url, folder });
    expect((await restarted.done('createBatch', { body: electronic, key: 'key' })).data.batchId).toBe('b');
    expect(service.askedFor(endpoints.batches)).toHaveLength(1);
  });
});
