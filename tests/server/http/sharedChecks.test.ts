import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

type Headers = Record<string, string | string[]>;

/** Makes a request with headers that fetch does not allow; resolves with status, detail, and the paths of the errors. */
async function ask(url: string, method: string, headers: Headers, body: string | Buffer) {
  const [status, answer] = await new Promise<[number, string]>((resolve, reject) => {
    request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      void text(response).then((read) => resolve([response.statusCode ?? 0, read]), reject);
    })
      .on('error', reject)
      .end(body);
  });
  const { detail, errors = [] } = JSON.parse(answer) as { detail: string; errors?: { path: string }[] };
  return { status, detail, paths: errors.map(({ path }) => path) };
}

const large = Buffer.alloc(6 * 1024 * 1024, ' ');

it.each<[string, number, Headers, string | Buffer]>([
  ['a foreign host name', 403, { host: 'evil.example' }, '{}'],
  ['a host name that begins like this machine’s', 403, { host: '127.0.0.1.evil.example' }, '{}'],
  ['a foreign origin', 403, { origin: 'https://evil.example' }, '{}'],
  ['the origin null', 403, { origin: 'null' }, '{}'],
  ['a foreign site', 403, { 'sec-fetch-site': 'same-site' }, '{}'],
  ['two content types', 400, { 'content-type': ['application/json', 'text/json'] }, '{}'],
  ['two keys in one header', 400, { authorization: 'Bearer a, Bearer b' }, '{}'],
  ['a body that is too large', 413, {}, large],
  ['a body that is too large when decompressed', 413, { 'content-encoding': 'gzip' }, gzipSync(large)],
  ['an unknown content coding', 415, { 'content-encoding': 'zstd' }, '{}'],
  ['an unknown charset', 415, { 'content-type': 'application/json; charset=utf-7' }, '{}'],
  ['bytes that are no UTF-8', 400, {}, Buffer.from([0x7b, 0xff])],
  ['a text that is no JSON', 400, {}, '{"a"'],
  ['JSON that is nested too deeply', 400, {}, '['.repeat(1000)],
  ['JSON that is no object', 400, {}, '"text"'],
  ['a control character', 400, {}, '{"data":{"a":"\\u0000"}}'],
  ['a reserved name', 400, {}, '{"data":{"__proto__":1}}'],
])(
  'Console and sandbox refuse %s alike: %i, the same sentence and the same places',
  async (_, status, headers, body) => {
    const { url } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    const sandbox = await testSandbox();
    const ofConsole = await ask(`${url}/api/batchpayments`, 'POST', headers, body);
    const ofSandbox = await ask(sandbox.url + endpoints.batches, 'POST', headers, body);
    expect(ofConsole.status).toBe(status);
    expect({ ...ofSandbox, detail: ofSandbox.detail.replace('sandbox', 'console') }).toEqual(ofConsole);
  },
);

it.each([
  ['the origin of its public URL, although a proxy replaces the host name', 'https://sandbox.example', 400],
  ['another scheme of its public URL', 'http://sandbox.example', 403],
  ['another port of its public URL', 'https://sandbox.example:8443', 403],
])('The sandbox takes a write from %s with %s: %i', async (_, origin, status) => {
  const sandbox = await testSandbox({ publicUrl: 'https://sandbox.example' });
  expect(await ask(`${sandbox.url}/sandbox/reset`, 'POST', { origin }, '{}')).toMatchObject({ status });
});
