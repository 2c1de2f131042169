import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { answering, fakeUpstream, unsignedJwt, type Asked, type Script } from '#tests/support/fakeUpstream.ts';
import { labAt } from '#tests/support/lab.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const unknown = { code: 'outcome-unknown', outcome: 'unknown', status: 409 };
const start = Date.parse(executionDate) - 14 * 60 * minute;

/**
 * A console whose first write was lost, and a service whose answers have these headers `date`; without one, no such
 * header. `issuer` is the host that issues tokens, if it is another one. The console's clock stands still.
 */
async function lostAt(
  date: (asked?: Asked) => string | Record<string, string> | undefined,
  folder = temporaryFolder(),
  issuer?: string,
) {
  const body = { ...batch, fileFormatId: 'f' };
  const answer =
    (content: unknown, status: number): Script =>
    (response, asked) => {
      const shown = date(asked);
      response.sendDate = false;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(typeof shown === 'string' ? { date: shown } : shown),
      });
      response.end(JSON.stringify(content));
    };
  const service = await fakeUpstream({
    [endpoints.accessToken]: (...exchange) =>
      answer({ jwt: unsignedJwt(0, { exp: start / 1000 + 86_400 }) }, 201)(...exchange),
    [endpoints.localInstruments]: (...exchange) => answer({ data: [] }, 200)(...exchange),
    [endpoints.batches]: (response) => void response.destroy(),
  });
  const open = () =>
    testConsole({
      upstreamUrl: service.url,
      folder,
      clock: { ...systemClock, now: () => start, steady: () => start },
      ...(issuer !== undefined && { changes: { authUrl: issuer } }),
    });
  const server = await open();
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 'subscription-1',
  });
  if (issuer !== undefined) await server.done('getLocalInstruments'); // shows the time of the own host
  expect(await server.refused('createBatch', { body, key: 'key' })).toMatchObject({ outcome: 'unknown' });
  service.scripts[endpoints.batches] = (...exchange) =>
    answer({ data: { batchId: 'b', status: 'Received' } }, 201)(...exchange);
  const pay = (at = server) => at.call('createBatch', { body, key: 'key' });
  return { server, pay, open, service, sent: () => service.askedFor(endpoints.batches).length };
}

const http = (ms: number) => new Date(ms).toUTCString();

describe('A repeated bank file whose service shows another time', () => {
  it.each<[string, (string | undefined)[]]>([
    ['ten minutes later', [http(start), http(start + 10 * minute)]],
    ['a day earlier', [http(start), http(start - day)]],
  ])('is not sent: %s (threat 3.33)', async (_, dates) => {
    let turn = 0;
    const { pay, sent } = await lostAt(() => dates[turn]);
    turn = 1;
    for (let times = 0; times < 2; times += 1) {
      const reply = await pay();
      expect(reply.ok ? reply.answer : reply.problem).toMatchObject(unknown);
    }
    expect(sent()).toBe(1);
  });

  it.each([
    ['is sent while its own host shows the same time', 0, true],
    ['is not sent once its own host shows ten minutes later', 10 * minute, false],
  ])('%s, whatever the host shows that issues tokens (threat 3.33)', async (_, later, isSent) => {
    for (const apart of [-day, 365 * day]) {
      const issuer = await fakeUpstream({
        [endpoints.accessToken]: (response) =>
          void response
            .writeHead(201, { date: http(start + apart) })
            .end(JSON.stringify({ jwt: unsignedJwt(0, { exp: start / 1000 + 86_400 }) })),
      });
      let shown = start;
      const { pay, sent } = await lostAt(() => http(shown), temporaryFolder(), issuer.url);
      shown += later;
      const reply = await pay();
      expect([apart, reply.ok, sent()]).toEqual([apart, isSent, isSent ? 2 : 1]);
      expect(issuer.asked).not.toEqual([]);
    }
  });

  it('is not sent after a restart of the console either (threat 3.33)', async () => {
    let shown = start;
    const { pay, open, server, sent } = await lostAt(() => http(shown));
    await server.storage.close();
    shown += 10 * minute;
    const reply = await pay(await open());
    expect(reply.ok ? reply.answer : reply.problem).toMatchObject(unknown);
    expect(sent()).toBe(1);
  });
});

it('A bank file is as old as its token, the first answer to show a time, should the console be killed before the next', async () => {
  const { server, service } = await lostAt(() => undefined);
  await server.store.writes.forgetAll(server.store.workspace);
  await server.store.settings.write('companySigningKey', 'another');
  const dated = answering({ jwt: unsignedJwt(0, { exp: start / 1000 + 86_400 }) }, 201);
  const stored = () => server.store.writes.find(server.store, 'killed');
  const meanwhile = new Promise((resolve) => {
    const look: Script = async (response) => resolve(await stored().finally(() => response.destroy()));
    Object.assign(service.scripts, { [endpoints.accessToken]: dated, [endpoints.batches]: look });
  });
  await server.call('createBatch', { body: { ...batch, fileFormatId: 'f' }, key: 'killed' });
  expect(await meanwhile).toMatchObject({ serviceTime: expect.any(Number) as number });
});

/** Headers of answers that a cache has kept since `at`, as passed on after `age` seconds. */
const kept = (at: number, age: number | string) => ({ date: http(at), age: String(age) });

describe('A repeated bank file whose service is behind a cache', () => {
  it('is sent, whose answers show the same time by Date and Age', async () => {
    const { pay, sent } = await lostAt((asked) =>
      asked?.method === 'GET' ? kept(start - 60 * minute, 3600) : http(start),
    );
    expect(await pay()).toMatchObject({ ok: true });
    expect(sent()).toBe(2);
  });

  it.each<[string, (asked: Asked) => boolean]>([
    ['keeps answers to everything but “no-cache”', ({ headers }) => !/no-cache/.test(headers['cache-control'] ?? '')],
    ['heeds no header of a request', ({ path }) => !path.includes('?')],
  ])('is not sent once the service’s clock was moved, although the cache %s (threat 3.33)', async (_, isKept) => {
    let moved = 0;
    const { pay, sent, service } = await lostAt((asked) =>
      asked?.method === 'GET' && isKept(asked) ? kept(start - minute, 60) : http(start + moved),
    );
    moved = 10 * minute;
    const reply = await pay();
    expect(reply.ok ? reply.answer : reply.problem).toMatchObject(unknown);
    expect(sent()).toBe(1);
    const [question] = service.askedFor(endpoints.localInstruments).slice(-1);
    expect(question?.headers).toMatchObject({ 'cache-control': 'no-cache, no-store', pragma: 'no-cache' });
  });
});

it('Every answer of the sandbox has the time of its own clock (wire 4.6)', async () => {
  const sandbox = await testSandbox();
  const lab = labAt(sandbox.url);
  await lab.ask('PATCH', '/clock', { move: day });
  for (const path of ['/', '/v3/providers', '/nothing', '/auth-v1/accessToken', '/files/none']) {
    const { headers } = await fetch(sandbox.url + path);
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now() - day), path).toBeLessThan(minute);
  }
});
