import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { testSandbox } from '../harness.ts';
import { testLab } from '../testLab.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const json = { 'content-type': 'application/json' };

describe('x-fapi-interaction-id', () => {
  it.each<[status: number, method: string, path: string, init: RequestInit]>([
    [200, 'GET', endpoints.keySet, {}],
    [200, 'HEAD', endpoints.keySet, {}],
    [204, 'OPTIONS', endpoints.keySet, {}],
    [404, 'GET', '/nowhere', {}],
    [404, 'GET', '/v3/nowhere', { headers: { accept: 'text/html' } }],
    [405, 'DELETE', endpoints.accessToken, {}],
    [405, 'PROPFIND', endpoints.accessToken, {}],
    [400, 'POST', endpoints.createOrganisation, { body: '{', headers: json }],
    [400, 'POST', endpoints.createOrganisation, { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } }],
    [415, 'POST', endpoints.createOrganisation, { body: '{}', headers: { ...json, 'content-encoding': 'zstd' } }],
    [415, 'POST', endpoints.createOrganisation, { body: '<a/>', headers: { 'content-type': 'application/xml' } }],
    [413, 'POST', endpoints.batches, { body: 'x'.repeat(6_000_000), headers: json }],
    [401, 'GET', `${endpoints.batches}/none`, {}],
    [403, 'POST', endpoints.createOrganisation, { headers: { origin: 'https://elsewhere.example' } }],
    [401, 'GET', '/sandbox/webhooks', {}],
  ])(
    'is returned with %i to %s %s, and made where the call has none (wire 3.3)',
    async (status, method, path, init) => {
      const sandbox = await testSandbox();
      const ask = (own: Record<string, string>) =>
        fetch(sandbox.url() + path, {
          ...init,
          method,
          headers: { ...(init.headers as Record<string, string>), ...own },
        });
      const id = randomUUID();
      const answer = await ask({ [header.interaction]: id });
      expect([answer.status, answer.headers.get(header.interaction)]).toEqual([status, id]);
      expect((await ask({ [header.interaction]: 'not-a-uuid' })).headers.get(header.interaction)).toBe('not-a-uuid');
      const made = [await ask({}), await ask({ [header.interaction]: '' })].map(({ headers }) =>
        headers.get(header.interaction),
      );
      expect(made).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
      expect(made[0]).not.toBe(made[1]);
    },
  );

  it.each(['status', 'tooMany', 'expiredToken', 'html', 'extraMembers'])(
    'is returned with a fault of the lab: %s',
    async (kind) => {
      const { set, call } = await testLab();
      const options = { status: { status: 503 }, tooMany: { retryAfter: 1 }, html: { status: 502 } };
      await set({ on: 'call', of: 'providers', fault: { kind, ...options[kind as keyof typeof options] } });
      const id = randomUUID();
      const { headers } = await call('GET', `${endpoints.providers}?country=GB`, {
        headers: { [header.interaction]: id },
      });
      expect(headers.get(header.interaction)).toBe(id);
    },
  );

  it.each([
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    `GET / HTTP/1.1\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
  ])('is made for a request that is not valid HTTP: %s', async (request) => {
    const sandbox = await testSandbox();
    const socket = connect(Number(new URL(sandbox.url()).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\nx-fapi-interaction-id: [\da-f-]{36}\r\n/);
  });

  it('does not change the ids of a sandbox with a seed', async () => {
    const ids = async (polls: number) => {
      const sandbox = await createSandbox({ seed: 1 });
      const made: unknown[] = [];
      for (let turn = 0; turn < polls; turn += 1)
        made.push((await sandbox.fetch('/nowhere')).headers.get(header.interaction));
      const program = await sandbox.prepare('payable');
      await sandbox.close();
      return { program, made };
    };
    const [few, many] = [await ids(1), await ids(3)];
    expect(many.program).toEqual(few.program);
    expect(many.made[0]).toBe(few.made[0]);
  });
});
