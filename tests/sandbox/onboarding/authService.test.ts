import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, it, expect } from 'vitest';
import { createHmac, randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sign } from '#server/upstream/signature.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { company, organisation, testSandbox } from '../harness.ts';

const { signingKey } = sandboxCredentials;

describe('the auth service', () => {
  it('leads from an organisation to a company token that its key set verifies (wire 2.2.1, 2.2.7, 2.3.4)', async () => {
    const sandbox = await testSandbox();
    const { token, organisationId, companyId } = await sandbox.onboard();
    const keySet = createRemoteJWKSet(new URL(endpoints.keySet, sandbox.url()));
    const { payload, protectedHeader } = await jwtVerify(token, keySet, { issuer: 'wpb-auth' });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      ccVersion: '1.0.0.0',
      organisationId,
      companyId,
      sourceProduct: sandboxCredentials.applicationId,
      serviceId: 'wpb-auth-service',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1200);
  });

  it('never publishes the private part of its key', async () => {
    const sandbox = await testSandbox();
    const { body } = await sandbox.call('GET', endpoints.keySet);
    expect(Object.keys(body.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('issues a token for a signed POST and for a signed GET (wire 2.2.4)', async () => {
    const sandbox = await testSandbox();
    const { organisationId, primarySigningKey } = await sandbox.onboard();
    const headers = { [header.organisation]: organisationId };
    const answer = await sandbox.signed('POST', endpoints.accessToken, primarySigningKey, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body.jwt).toMatch(/^ey/);
  });

  it('refuses a wrong key, a nonce used twice and a body changed after signing (wire 2.2.2)', async () => {
    const sandbox = await testSandbox();
    const create = (key: string, headers = {}) =>
      sandbox.signed('POST', endpoints.createOrganisation, key, { body: organisation, headers });
    expect((await create('another key')).status).toBe(401);

    const nonce = { [header.nonce]: 'n-1' };
    expect((await create(signingKey, nonce)).status).toBe(401);
    const url = sandbox.url() + endpoints.createOrganisation;
    const signature = sign({ method: 'POST', url, body: JSON.stringify(organisation), nonce: 'n-1', key: signingKey });
    const send = (body: unknown) =>
      sandbox.call('POST', endpoints.createOrganisation, {
        body,
        headers: { ...nonce, [header.signature]: signature },
      });
    expect((await send({ ...organisation, externalId: 'changed' })).status).toBe(401);
    expect((await send(organisation)).status).toBe(201);
    expect((await send(organisation)).body.detail).toContain('nonce was used before');
  });

  it('creates a company for the organisation’s token alone, but not with a wrong signature', async () => {
    const sandbox = await testSandbox();
    const { organisationToken, primarySigningKey } = await sandbox.onboard();
    const create = (key: string) =>
      sandbox.signed('POST', endpoints.createCompany, key, {
        body: company,
        headers: { authorization: `Bearer ${organisationToken}` },
      });
    expect((await create(primarySigningKey)).status).toBe(201);
    expect((await create('another key')).status).toBe(401);
  });

  it('names the wrong header or field (wire 2.3.1, 2.3.2)', async () => {
    const sandbox = await testSandbox();
    const noNonce = await sandbox.call('POST', endpoints.createOrganisation, { body: organisation });
    expect(noNonce).toMatchObject({ status: 400, body: { errors: [{ path: 'x-nonce' }] } });
    const badCountry = await sandbox.signed('POST', endpoints.createOrganisation, signingKey, {
      body: { ...organisation, primaryCountry: 'GB' },
    });
    expect(badCountry.headers.get('content-type')).toContain('application/problem+json');
    expect(badCountry.body).toMatchObject({
      status: 400,
      title: 'Bad Request',
      errors: [{ path: 'primaryCountry', message: 'a 3-letter country code such as GBR' }],
    });
  });

  it('issues no token for another organisation’s company', async () => {
    const sandbox = await testSandbox();
    const one = await sandbox.onboard();
    const other = await sandbox.onboard();
    const headers = { [header.organisation]: one.organisationId, [header.company]: other.companyId };
    const answer = await sandbox.signed('GET', endpoints.accessToken, one.primarySigningKey, { headers });
    expect(answer.status).toBe(404);
  });

  it('creates one organisation for concurrent repeats under one idempotency key (wire 2.3.5)', async () => {
    const sandbox = await testSandbox();
    const headers = { [header.idempotency]: 'once' };
    const create = () =>
      sandbox.signed('POST', endpoints.createOrganisation, signingKey, { body: organisation, headers });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.organisationId)).size).toBe(1);
  });

  it('refuses another body under a used key, and forgets the key after two weeks (wire 4.1)', async () => {
    const sandbox = await testSandbox({ tokenLife: 30 * 24 * 3600_000 });
    const { organisationToken: token } = await sandbox.onboard();
    const create = (name: string) =>
      sandbox.call('POST', endpoints.createCompany, {
        body: { ...company, name },
        token,
        headers: { [header.idempotency]: 'once' },
      });
    const first = await create('A');
    expect((await create('B')).status).toBe(409);
    expect((await create('A')).body).toEqual(first.body);
    sandbox.clock.increment(14 * 24 * 3600_000);
    expect((await create('B')).status).toBe(201);
  });

  it('refuses expired tokens, tokens of another issuer and organisation tokens in place of company tokens', async () => {
    const sandbox = await testSandbox();
    const { token, organisationToken } = await sandbox.onboard();
    const read = (bearer: string) => sandbox.call('GET', `${endpoints.batches}/none`, { token: bearer });
    expect((await read(token)).status).toBe(404);
    expect((await read(organisationToken)).body.detail).toContain('a company token is required');
    expect((await read('nonsense')).status).toBe(401);
    expect((await sandbox.call('GET', endpoints.userInfo, { token })).status).toBe(401);
    sandbox.clock.increment(20 * 60_000 + 1000);
    expect((await read(token)).body.detail).toBe('The token has expired');
  });
});

const text = JSON.stringify({ ...organisation, externalId: 'Zoë' });
const { signingKey: applicationKey, applicationId } = sandboxCredentials;

/** A sandbox, and how to create an organisation with these bytes; `over`: the bytes that are signed. */
async function creating() {
  const sandbox = await testSandbox();
  return async (
    bytes: Buffer,
    headers: Record<string, string> = {},
    { over = bytes, key = applicationKey, nonce = randomUUID() }: { over?: Buffer; key?: string; nonce?: string } = {},
  ) => {
    const url = sandbox.url() + endpoints.createOrganisation;
    const parameters = `body%3D${encodeURIComponent(encodeURIComponent(over.toString('base64')))}`;
    const signed = ['POST', encodeURIComponent(url.toLowerCase()), parameters, nonce].join('&');
    const answer = await fetch(url, {
      method: 'POST',
      body: Uint8Array.from(bytes),
      headers: {
        'content-type': 'application/json',
        [header.application]: applicationId,
        [header.nonce]: nonce,
        [header.signature]: createHmac('sha1', `${key}&null`).update(signed).digest('base64'),
        ...headers,
      },
    });
    const body = (await answer.json()) as { detail?: string; externalId?: string };
    return { status: answer.status, detail: body.detail ?? '', externalId: body.externalId, headers: answer.headers };
  };
}

describe('X-Signature', () => {
  it.each<[string, Buffer, Record<string, string>]>([
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }],
    ['x-gzip in capitals', gzipSync(text), { 'content-encoding': 'X-GZIP' }],
    ['deflate', deflateSync(text), { 'content-encoding': 'deflate' }],
    ['br', brotliCompressSync(text), { 'content-encoding': 'br' }],
    ['a byte order mark', Buffer.from(`\ufeff${text}`), {}],
    ['Latin-1', Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=latin1' }],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), { 'content-type': 'application/json; charset=UTF-16' }],
    ['a type based on JSON', Buffer.from(text), { 'content-type': 'application/vnd.example+json' }],
  ])('is checked over the bytes as received, which are then decoded: %s (wire 2.2.10)', async (_, bytes, headers) => {
    const create = await creating();
    expect(await create(bytes, headers)).toMatchObject({ status: 201, externalId: 'Zoë' });
  });

  it.each<[string, Buffer, Record<string, string>, Buffer, string]>([
    ['a mark', Buffer.from(`\ufeff${text}`), {}, Buffer.from(text), 'the byte order mark before the body was left out'],
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }, Buffer.from(text), 'signed before it was compressed'],
    [
      'layout',
      Buffer.from(JSON.stringify(JSON.parse(text), null, 2)),
      {},
      Buffer.from(text),
      'parsed and written again',
    ],
  ])('over other bytes is refused with the difference: %s', async (_, bytes, headers, over, words) => {
    const create = await creating();
    const { status, detail } = await create(bytes, headers, { over });
    expect(status).toBe(401);
    expect(detail).toContain('Header x-signature: the signature does not match the request. ');
    expect(detail).toContain(words);
  });

  it.each<[string, Buffer, Record<string, string>, number, string]>([
    [
      'no gzip',
      Buffer.from(text),
      { 'content-encoding': 'gzip' },
      400,
      'it is not compressed as Content-Encoding says',
    ],
    ['zstd', Buffer.from(text), { 'content-encoding': 'zstd' }, 415, 'its Content-Encoding is zstd'],
    ['not UTF-8', Buffer.from(text, 'latin1'), {}, 400, 'it is not UTF-8 from byte'],
    ['XML', Buffer.from(text), { 'content-type': 'text/xml' }, 415, 'is text/xml: send application/json'],
  ])(
    'of a body that cannot be read is not checked, and the reason given: %s',
    async (_, bytes, headers, status, words) => {
      const create = await creating();
      expect(await create(bytes, headers)).toMatchObject({ status, detail: expect.stringContaining(words) as string });
    },
  );

  it('is explained by the key that was used, and a nonce that was used before is named', async () => {
    const create = await creating();
    expect((await create(Buffer.from(text), {}, { key: sandboxCredentials.apiKey })).detail).toContain(
      'it was signed with the API key',
    );
    const nonce = randomUUID();
    expect((await create(Buffer.from(text), {}, { nonce })).status).toBe(201);
    expect((await create(Buffer.from(text), {}, { nonce })).detail).toContain(
      'the nonce was used before: make a new one',
    );
  });
});
