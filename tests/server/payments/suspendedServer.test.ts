import { createServer } from 'node:http';
import type Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch as usual, making } from '#tests/support/consoleWithPayments.ts';
import { answering, fakeUpstream, refusal, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { listening } from '#tests/support/listen.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';

const minute = 60_000;
const batch = { ...usual, requestedExecutionDateTime: '2026-12-20T00:00:00Z' };
const byFile = { ...batch, fileFormatId: 'f' };

interface Time {
  now: number;
  steady: number;
}

/**
 * A console that pays a batch and is suspended after it has stored its claim: the service refuses the first token, and what
 * happens while the console waits for another one is `meanwhile`.
 */
async function suspended(body: typeof batch, meanwhile: (time: Time, file: Database.Database) => void) {
  const folder = temporaryFolder();
  const time = { now: Date.parse('2026-11-20T10:00:00Z'), steady: Date.parse('2026-11-20T10:00:00Z') };
  const clock = { ...systemClock, now: () => time.now, steady: () => time.steady };
  let turn = 0;
  const make = making();
  const service = await fakeUpstream({
    [endpoints.accessToken]: (...exchange) => {
      const file = connectionTo(folder);
      if ((turn += 1) === 2) meanwhile(time, file);
      file.close();
      return answering({ jwt: unsignedJwt(1e9 + turn) }, 201)(...exchange);
    },
    [endpoints.batches]: (...exchange) => (turn === 1 ? answering(refusal(401), 401) : make)(...exchange),
  });
  const server = await testConsole({ upstreamUrl: service.url, folder, clock });
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 'subscription-1',
  });
  const pay = () => server.call('createBatch', { body, key: 'key' });
  const reply = await pay();
  return { server, time, pay, reply, folder, sent: () => service.askedFor(endpoints.batches) };
}
const problemIn = ({ reply }: Awaited<ReturnType<typeof suspended>>) => (reply.ok ? undefined : reply.problem);

describe('A payment whose server is suspended between its claim and its request', () => {
  it.each<[string, typeof batch, (time: Time) => void]>([
    [
      'by both clocks',
      byFile,
      (time) => Object.assign(time, { now: time.now + 10 * minute, steady: time.steady + 10 * minute }),
    ],
    ['in two weeks', batch, (time) => (time.now += 14 * 24 * 60 * minute)],
  ])('is not sent once its key’s life is over %s, and can be sent then (threat 7.15)', async (_, body, pass) => {
    const { sent, pay, ...rest } = await suspended(body, pass);
    expect(problemIn({ sent, pay, ...rest })).toMatchObject({ status: 503, outcome: 'refused' });
    expect(sent()).toHaveLength(1);
    expect(await pay()).toMatchObject({ ok: true });
    expect(sent()).toHaveLength(2);
  });

  // What else another server may have done is a table of tests/server/storage/writes.test.ts.
  it('is not sent if another server has taken its key over, for which its invoices stay reserved (threat 7.15)', async () => {
    const takeOver = (_time: Time, file: Database.Database) => void file.exec('update writes set turn = turn + 1');
    const { server, sent, ...rest } = await suspended(byFile, takeOver);
    expect(problemIn({ server, sent, ...rest })).toMatchObject({ status: 503, outcome: 'unknown', repeat: 'refused' });
    expect(sent()).toHaveLength(1);
    const other = await server.refused('createBatch', { body: { ...byFile, externalId: 'f' }, key: 'another' });
    expect(other).toMatchObject({ code: 'paid-already' });
  });

  it('is not sent if the store cannot be read then, and is repeated under its key', async () => {
    const { sent, pay, folder, ...rest } = await suspended(byFile, (_time, file) =>
      file.exec('alter table writes rename to gone'),
    );
    expect(problemIn({ sent, pay, folder, ...rest })).toMatchObject({ code: 'store-failed' });
    expect(sent()).toHaveLength(1);
    const file = connectionTo(folder);
    file.exec('alter table gone rename to writes');
    file.close();
    expect(await pay()).toMatchObject({ ok: true });
    expect(sent()).toHaveLength(2);
  });

  it('is not sent if its key’s life is over when the connection stands (threat 7.15)', async () => {
    const time = { now: Date.parse('2026-11-20T10:00:00Z') };
    let isTokenSent = false;
    let paid = 0;
    const server = createServer((request, response) => {
      if (request.url?.startsWith(endpoints.batches)) return void response.end(String((paid += 1)));
      isTokenSent = true;
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ jwt: unsignedJwt(1e9) }));
    });
    server.on('connection', () => isTokenSent && (time.now += 10 * minute));
    const upstreamUrl = await listening(
      () => undefined,
      () => server,
    );
    const clock = { ...systemClock, now: () => time.now };
    const console = await testConsole({ upstreamUrl, clock });
    await console.store.settings.writeAll({
      organisationId: 'o',
      companyId: 'c',
      companySigningKey: 'k',
      subscriptionId: 'subscription-1',
    });
    const problem = await console.refused('createBatch', { body: byFile, key: 'key' });
    expect(problem).toMatchObject({ status: 503, outcome: 'not-sent' });
    expect(paid).toBe(0);
  });
});
