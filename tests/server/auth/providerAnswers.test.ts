import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { foreignKey, scriptedProvider, type Changes } from '#tests/support/scriptedProvider.ts';
import { userAgent } from '#tests/support/userAgent.ts';

async function signingIn(changes: Changes) {
  const { url } = await sharedUse({ provider: (publicUrl) => scriptedProvider(publicUrl, changes) });
  const agent = userAgent();
  const { response } = await agent.follow(`${url}/settings`);
  const page = await response.text();
  return { status: response.status, page, session: agent.cookiesFor(url).get('session') };
}

const gzipped = (text: string) => {
  const zipped = gzipSync(text);
  return (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zipped);
};
const deep = (depth: number) => (response: ServerResponse) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`{"sub":"ada","name":${'['.repeat(depth)}${']'.repeat(depth)}}`);
const none = { header: { alg: 'none' }, key: null };

describe('Signing in', () => {
  it('succeeds with an ID token that the provider has signed for this client', async () => {
    for (const changes of [{}, { claims: { azp: 'console' } }, { claims: { aud: ['console'] } }])
      expect(await signingIn(changes)).toMatchObject({ status: 200, session: expect.any(String) as string });
  });

  it.each<[string, Changes]>([
    ['is not signed', none],
    [
      'is not signed, which the provider says it may do',
      { ...none, metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] } },
    ],
    ['is signed by another key', { key: foreignKey }],
    ['is signed by a key of an unknown id', { key: foreignKey, header: { kid: 'foreign' } }],
    ['brings its own key', { key: foreignKey, header: { jwk: foreignKey.export({ format: 'jwk' }) } }],
    ['has an empty signature', { key: null }],
    ['was issued to another client', { claims: { azp: 'another' } }],
    ['was issued to another client of several', { claims: { aud: ['console', 'another'], azp: 'another' } }],
    ['names a client that is no text', { claims: { azp: { console: true } } }],
    ['is for another audience', { claims: { aud: 'another' } }],
    ['has expired', { claims: { exp: 1 } }],
  ])('is refused if the ID token %s (threat 2.30)', async (_, changes) => {
    expect(await signingIn(changes)).toMatchObject({ status: 502, session: undefined });
  });

  it.each<[string, Changes]>([
    ['is a decompression bomb', { userInfo: gzipped(`{"sub":"ada","name":"${'x'.repeat(50_000_000)}"}`) }],
    ['has a list of keys that is one', { keys: gzipped(`{"keys":[${'{},'.repeat(10_000_000)}{}]}`) }],
    ['has a name of 20 MB', { userInfo: { sub: 'ada', name: 'x'.repeat(20_000_000) } }],
    ['is a token without end', { token: { access_token: 'x'.repeat(1_000_000), token_type: 'Bearer' } }],
    ['is too deep', { userInfo: deep(10_000) }],
    ['has too many values', { userInfo: { sub: 'ada', groups: Array.from({ length: 120_000 }, () => 1) } }],
    ['names another user', { userInfo: { sub: 'grace' } }],
    ['is no object', { userInfo: [] }],
  ])('is refused if an answer of the provider %s (threat 2.31)', async (_, changes) => {
    expect(await signingIn(changes)).toMatchObject({ status: 502, session: undefined });
  });

  it.each<[string, unknown, string]>([
    ['is an object', { first: 'Ada' }, 'ada@example.com'],
    ['is a list', ['Ada'], 'ada@example.com'],
    ['is a number', 7, 'ada@example.com'],
    ['is null', null, 'ada@example.com'],
    ['is empty', ' \n', 'ada@example.com'],
    ['is long', '😀'.repeat(5000), '😀'.repeat(100)],
    ['has several lines and a direction of its own', 'Ada\u202e\n\u0000Lovelace', 'Ada Lovelace'],
  ])('shows the user on every page if the name %s (threat 2.31)', async (_, name, shown) => {
    const { status, page } = await signingIn({ userInfo: { sub: 'ada', name, email: 'ada@example.com' } });
    expect(status).toBe(200);
    expect(page).toContain(`name="user" content="${shown}"`);
  });
});
