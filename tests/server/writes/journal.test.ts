import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { filled } from '#tests/support/bodies.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const body = filled('organisation');
const path = endpoints.createOrganisation;
/** The header by which the service recognises a repeat. */
const serviceKey = 'x-idempotency-key';

/** A service that creates an organisation for every request, without regard to idempotency keys. */
function creating(delay = 0): Script {
  let made = 0;
  return async (response, asked) => {
    await wait(delay);
    void answering({ organisationId: `organisation-${(made += 1)}`, primarySigningKey: 'the-signing-key' }, 201)(
      response,
      asked,
    );
  };
}

async function consoleWith(script: Script, headers = 300) {
  const folder = temporaryFolder();
  const service = await fakeUpstream({ [path]: script });
  const open = () => testConsole({ upstreamUrl: service.url, limits: { patience: { headers }, backOff: 1 }, folder });
  return { service, server: await open(), open };
}

/** Sends the write without an idempotency key. */
const sendWithoutKey = (url: string) =>
  fetch(`${url}/api/organisation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('A write request', () => {
  it('without an idempotency key gets a generated one, returned in a header, under which it can be repeated (behaviour 7.2)', async () => {
    const { server, service } = await consoleWith(creating());
    const replies = [await sendWithoutKey(server.url), await sendWithoutKey(server.url)];
    const keys = replies.map(({ headers }) => headers.get('idempotency-key') ?? '');
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size, 'each request is another write').toBe(2);
    expect(service.askedFor(path)).toHaveLength(2);
    const again = await server.call('createOrganisation', { body, key: keys[0]! });
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.headers.has('idempotency-key'), 'a key that was given is not named').toBe(false);
    expect(again.ok && again.answer).toEqual(await replies[0]!.json());
    expect(service.askedFor(path)).toHaveLength(2);
  });

  it('without an idempotency key whose response is lost can be repeated under the key of the error response', async () => {
    const { server, service } = await consoleWith((response) => void response.destroy());
    const lost = await sendWithoutKey(server.url);
    expect(await lost.json()).toMatchObject({ outcome: 'unknown' });
    service.scripts[path] = creating();
    await server.done('createOrganisation', { body, key: lost.headers.get('idempotency-key')! });
    const sent = service.askedFor(path).map(({ headers }) => headers[serviceKey]);
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
  });

  it.each(['a key', 'k'.repeat(201)])('with an invalid idempotency key is refused: %s', async (key) => {
    const { server, service } = await consoleWith(creating());
    const problem = await server.refused('createOrganisation', { body, headers: { 'idempotency-key': key } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid-request', errors: [{ path: 'Idempotency-Key' }] });
    expect(service.asked).toEqual([]);
  });

  it('sent by 50 clients under one key takes effect once, and all get the same response (threat 3.15)', async () => {
    const { server, service } = await consoleWith(creating(100));
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => server.call('createOrganisation', { body, key: 'key' })),
    );
    expect(new Set(replies.map((reply) => reply.ok && reply.answer.organisationId))).toEqual(
      new Set(['organisation-1']),
    );
    expect(replies.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(49);
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('repeated under its key replays the stored response, also after a restart (threat 3.15)', async () => {
    const { server, service, open } = await consoleWith(creating());
    const first = await server.done('createOrganisation', { body, key: 'key' });
    for (const each of [server, await open()]) {
      const again = await each.call('createOrganisation', { body, key: 'key' });
      expect(again.ok && again.answer).toEqual(first);
      expect(again.headers.get('idempotent-replay')).toBe('true');
    }
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('repeated with its members in another order is the same request', async () => {
    const { server, service } = await consoleWith(creating());
    await server.done('createOrganisation', { body, key: 'key' });
    const reversed = Object.fromEntries(Object.entries(body).reverse()) as typeof body; // the same members
    await server.done('createOrganisation', { body: reversed, key: 'key' });
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('that the service refused frees its key for a corrected body', async () => {
    const refusal = {
      title: 'Bad',
      status: 400,
      code: 'invalid',
      errors: [{ path: 'sageCRMId', message: 'is taken' }],
    };
    const { server, service } = await consoleWith(answering(refusal, 400));
    expect(await server.refused('createOrganisation', { body, key: 'key' })).toMatchObject({ outcome: 'refused' });
    service.scripts[path] = creating();
    const corrected = { ...body, sageCRMId: '2' };
    expect(await server.done('createOrganisation', { body: corrected, key: 'key' })).toMatchObject({
      organisationId: 'organisation-1',
    });
  });

  it('whose response was lost is sent again with the same key and body, and keeps its own key, until its outcome is known (threat 3.15)', async () => {
    const { server, service } = await consoleWith(() => undefined);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await server.refused('createOrganisation', { body, key: 'key' })).toMatchObject({
        code: 'upstream-timeout',
        outcome: 'unknown',
      });
    const other = { ...body, sageCRMId: '2' };
    expect(await server.refused('createOrganisation', { body: other, key: 'key' })).toMatchObject({
      code: 'idempotency-conflict',
    });
    service.scripts[path] = creating();
    await server.done('createOrganisation', { body, key: 'key' });
    const sent = service.askedFor(path);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((each) => `${String(each.headers[serviceKey])} ${each.body}`)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['x-nonce'])).size).toBe(3);
  });

  it('whose repeat is refused stays unknown: its first request may have taken effect', async () => {
    const { server, service } = await consoleWith((response) => void response.destroy());
    await server.refused('createOrganisation', { body, key: 'key' });
    const refusal = {
      title: 'Bad',
      status: 400,
      code: 'invalid',
      errors: [{ path: 'sageCRMId', message: 'is taken' }],
    };
    service.scripts[path] = answering(refusal, 400);
    expect(await server.refused('createOrganisation', { body, key: 'key' })).toMatchObject({
      outcome: 'unknown',
      repeat: 'refused',
    });
    const other = { ...body, sageCRMId: '2' };
    expect(await server.refused('createOrganisation', { body: other, key: 'key' })).toMatchObject({
      code: 'idempotency-conflict',
    });
  });

  // With PostgreSQL, the lock of the first one ends with its process only: tests/server/endToEnd/severalServersKilled.long.test.ts.
  it.runIf(process.env['STORE'] !== 'postgres')(
    'interrupted by a crash is sent again under its key when it is repeated, and the late response to its first request changes nothing',
    async () => {
      let answerFirst = (): void => undefined;
      const { server, service, open } = await consoleWith((response, asked) => {
        answerFirst = () =>
          void answering({ organisationId: 'organisation-late', primarySigningKey: 'k' }, 201)(response, asked);
      }, 60_000);
      const first = server.refused('createOrganisation', { body, key: 'key' });
      await eventually(() => expect(service.askedFor(path)).toHaveLength(1));
      service.scripts[path] = creating();
      const restarted = await open();
      const repeated = await restarted.done('createOrganisation', { body, key: 'key' });
      answerFirst();
      expect(await first).toMatchObject({ outcome: 'unknown' });
      expect((await restarted.done('createOrganisation', { body, key: 'key' })).organisationId).toBe(
        repeated.organisationId,
      );
      expect((await restarted.done('getFacts')).settings.organisationId).toBe(repeated.organisationId);
      const sent = service.askedFor(path).map(({ headers }) => headers[serviceKey]);
      expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
    },
  );
});
