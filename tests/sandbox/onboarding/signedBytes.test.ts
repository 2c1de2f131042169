import { createHmac, randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { endpoints, header } from '#server/upstream/wire.ts';
import { organisation, testSandbox } from '../harness.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const text = JSON.stringify({ ...organisation, externalId: 'Zoë' });
const { signingKey, applicationId } = sandboxCredentials;

/** A sandbox, and how to create an organisation with these bytes; `over`: the bytes that are signed. */
async function creating() {
  const sandbox = await testSandbox();
  return async (
    bytes: Buffer,
    headers: Record<string, string> = {},
    { over = bytes, key = signingKey, nonce = randomUUID() }: { over?: Buffer; key?: string; nonce?: string } = {},
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
