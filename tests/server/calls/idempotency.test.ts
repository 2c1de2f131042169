import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#server/calls/idempotency.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { filled } from '#tests/support/bodies.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const body = filled('organisation');
const path = endpoints.createOrganisation;

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

async function consoleWith(script: Script, folder?: string) {
  const service = await fakeUpstream({ [path]: script });
  const server = await testConsole({
    upstreamUrl: service.url,
    limits: { patience: { headers: 300 }, backOff: 1 },
    ...(folder !== undefined && { folder }),
  });
  return { service, server };
}

describe('A write request', () => {
  /** Sends the write without the header. */
  const sendWithoutKey = (url: string) =>
    fetch(`${url}/api/organisation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

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
    const sent = service.askedFor(path).map(({ headers }) => headers['x-idempotency-key']);
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
  });

  it.each(['a key', 'k'.repeat(201)])('with an invalid idempotency key is refused: %s', async (key) => {
    const { server, service } = await consoleWith(creating());
    const problem = await server.refused('createOrganisation', { body, headers: { 'idempotency-key': key } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid-request', errors: [{ path: 'Idempotency-Key' }] });
    expect(service.asked).toEqual([]);
  });

  it('sent concurrently under one key takes effect once, and each client gets the response (threat 3.15)', async () => {
    const { server, service } = await consoleWith(creating(100));
    const replies = await Promise.all([1, 2, 3].map(() => server.call('createOrganisation', { body, key: 'key' })));
    expect(replies.map((reply) => reply.ok && reply.answer.organisationId)).toEqual(Array(3).fill('organisation-1'));
    expect(replies.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(2);
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('repeated under its key replays the stored response, also after a restart', async () => {
    const folder = temporaryFolder();
    const { server, service } = await consoleWith(creating(), folder);
    const first = await server.done('createOrganisation', { body, key: 'key' });
    const restarted = await testConsole({ upstreamUrl: service.url, folder });
    const again = await restarted.call('createOrganisation', { body, key: 'key' });
    expect(again.ok && again.answer).toEqual(first);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(service.askedFor(path)).toHaveLength(1);
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

  it('with another body or operation under the same key is refused with a conflict', async () => {
    const { server, service } = await consoleWith(creating());
    await server.done('createOrganisation', { body, key: 'key' });
    const other = { ...body, sageCRMId: '2' };
    expect(await server.refused('createOrganisation', { body: other, key: 'key' })).toMatchObject({
      status: 409,
      code: 'idempotency-conflict',
    });
    const account = { data: { subscriptionId: 's', debtorId: 'd' } };
    expect(await server.refused('deleteDebtor', { body: account, key: 'key' })).toMatchObject({
      code: 'idempotency-conflict',
    });
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('with another body under the same key is refused with the members that differ, also after a restart (threat 3.16)', async () => {
    const folder = temporaryFolder();
    const { server, service } = await consoleWith(creating(200), folder);
    const other = { ...body, sageCRMId: 'secret-2', adminEmail: 'secret-1@example.com' };
    const first = server.done('createOrganisation', { body, key: 'key' });
    await eventually(() => expect(service.askedFor(path)).toHaveLength(1));
    const early = await server.refused('createOrganisation', { body: other, key: 'key' });
    await first;
    const restarted = await testConsole({ upstreamUrl: service.url, folder });
    const late = await restarted.refused('createOrganisation', { body: other, key: 'key' });
    for (const problem of [early, late]) {
      expect(problem.errors?.map((error) => error.path)).toEqual(['adminEmail', 'sageCRMId']);
      expect(problem.detail).toContain('It differs in adminEmail, sageCRMId.');
      expect(JSON.stringify(problem)).not.toContain('secret');
    }
    const elsewhere = await restarted.refused('deleteDebtor', {
      body: { data: { subscriptionId: 's', debtorId: 'd' } },
      key: 'key',
    });
    expect(elsewhere.detail).toContain('another request before: createOrganisation');
  });

  it('under a key stored with a hash only is compared by the hash', async () => {
    const { server } = await consoleWith(creating());
    await server.store.keys.claim('write/key', fingerprintOf('createOrganisation', body));
    const other = { ...body, sageCRMId: '2' };
    expect(await server.refused('createOrganisation', { body: other, key: 'key' })).toMatchObject({
      code: 'idempotency-conflict',
    });
    await server.done('createOrganisation', { body, key: 'key' });
  });

  it('that the service refused frees its key for a corrected body', async () => {
    const { server, service } = await consoleWith(answering({ title: 'Bad', status: 400, code: 'No' }, 400));
    expect(await server.refused('createOrganisation', { body, key: 'key' })).toMatchObject({ status: 400 });
    service.scripts[path] = creating();
    const corrected = { ...body, sageCRMId: '2' };
    expect(await server.done('createOrganisation', { body: corrected, key: 'key' })).toMatchObject({
      organisationId: 'organisation-1',
    });
  });

  it('whose response was lost is sent again with the same key and body to the service, and keeps its own key (threat 3.15)', async () => {
    const { server, service } = await consoleWith(() => undefined);
    expect(await server.refused('createOrganisation', { body, key: 'key' })).toMatchObject({
      code: 'upstream-timeout',
    });
    expect(await server.refused('createOrganisation', { body: { ...body, sageCRMId: '2' }, key: 'key' })).toMatchObject(
      { code: 'idempotency-conflict' },
    );
    service.scripts[path] = creating();
    await server.done('createOrganisation', { body, key: 'key' });
    const [lost, again] = service.askedFor(path);
    expect(again?.headers['x-idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(again?.headers['x-idempotency-key']).toBe(lost?.headers['x-idempotency-key']);
    expect(again?.body).toBe(lost?.body);
    expect(again?.headers['x-nonce']).not.toBe(lost?.headers['x-nonce']);
  });

  it('interrupted by a crash is executed when it is repeated', async () => {
    const folder = temporaryFolder();
    const { server, service } = await consoleWith(creating(), folder);
    await server.store.keys.claim('write/key', fingerprintOf('createOrganisation', body));
    await server.done('createOrganisation', { body, key: 'key' });
    expect(service.askedFor(path)).toHaveLength(1);
  });

  it('repeated after a lost record of its key keeps later changes of the settings', async () => {
    const { server, service } = await consoleWith(answering({ organisationId: 'o', primarySigningKey: 'k' }, 201));
    await server.done('createOrganisation', { body, key: 'key' });
    await server.store.settings.write('companyId', 'company');
    await server.store.keys.forget('write/key'); // as after a crash before the response was stored
    await server.done('createOrganisation', { body, key: 'key' });
    expect(service.askedFor(path)).toHaveLength(2);
    expect(await server.store.settings.read()).toMatchObject({ organisationId: 'o', companyId: 'company' });
  });

  it('repeated after a lost record of its key keeps later updates of the created subscription', async () => {
    const { server, service } = await consoleWith(creating());
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    service.scripts[endpoints.subscriptions] = answering(
      { data: { subscriptionId: 's', providerId: 'p', status: 'Received' } },
      201,
    );
    const request = { data: { providerId: 'p', additionalData: '{}' } };
    await server.done('createSubscription', { body: request, key: 'key' });
    const [record] = await server.store.subscriptions.list();
    await server.store.subscriptions.put('s', { ...record!, status: 'Authorised', suspended: true });
    await server.store.keys.forget('write/key');
    await server.done('createSubscription', { body: request, key: 'key' });
    expect(await server.store.subscriptions.list()).toEqual([{ ...record, status: 'Authorised', suspended: true }]);
  });

  it('matches its idempotency key whatever the order of the body’s members', async () => {
    const { server, service } = await consoleWith(creating());
    await server.done('createOrganisation', { body, key: 'key' });
    const reversed = Object.fromEntries(Object.entries(body).reverse()) as typeof body; // the same members
    await server.done('createOrganisation', { body: reversed, key: 'key' });
    expect(service.askedFor(path)).toHaveLength(1);
  });
});

describe('The signing key of an organisation', () => {
  it('is masked for a page in the response and its replay, and always in the settings (threat 2.1)', async () => {
    const { server } = await consoleWith(creating());
    const texts = [
      await server.done('createOrganisation', { query: { reveal: 'false' }, body, key: 'key' }),
      await server.done('createOrganisation', { query: { reveal: 'false' }, body, key: 'key' }),
      await server.done('getSettings'),
    ].map((answer) => JSON.stringify(answer));
    for (const text of texts) {
      expect(text).not.toContain('the-signing-key');
      expect(text).toContain('••••••••');
    }
    expect(await server.store.settings.read()).toMatchObject({ companySigningKey: 'the-signing-key' });
  });
});
