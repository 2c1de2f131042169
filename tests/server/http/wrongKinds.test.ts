import { describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { calls, type CallName } from '#contract/calls.ts';
import { openApi } from '#server/api/openapi.ts';
import { testConsole, testSandbox as serviceSandbox } from '#tests/support/console.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask } from '#tests/support/integrator.ts';
import { testSandbox } from '../../sandbox/harness.ts';

/** Words of the libraries and of the language that no answer may hold. */
const libraryWords =
  /Invalid (input|option|string|key|type|format)|[Ee]xpected \w+, received|received undefined|Unrecognized key|Too (small|big)|[Zz]od|TypeError|SyntaxError|Cannot read|is not a function|\bundefined\b|\[object |\bNaN\b|SQLITE|node_modules/;

const values = [[], [1], 'text', 5, null, true, {}] as const;

/** Bodies of other kinds, at the top and at each depth. */
const bodies: unknown[] = [
  ...values,
  ...values.flatMap((value) => [
    { data: value },
    { data: { attributes: value, owner: value, type: value, additionalData: value, payments: value, id: value } },
    { data: { payments: [value], debtors: [value], creditors: [value] } },
    { key: value, value },
    { values: value },
    { values: { useMock: value } },
    { attributes: value, owner: value },
    { payments: [value] },
    { payments: [{ creditor: value, instructedAmount: value }] },
    { on: value, of: value, fault: value },
    { on: 'call', of: 'createBatch', fault: { kind: value } },
    { on: 'call', of: 'createBatch', fault: { kind: 'status', status: value }, times: value },
    { move: value, still: value },
    { url: value, secret: value },
    { kind: 'payments-out-situation', version: 3, console: value, sandbox: value },
    { kind: 'payments-out-situation', version: 3, console: '1', sandbox: { tables: value, seed: value } },
    { name: value, organisationId: value, token: value, state: value, signingKey: value },
  ]),
];

/** Whether a body has a member that the call knows, beside what all calls are sent. */
const concerns = (body: unknown, known: string): boolean =>
  JSON.stringify(body).length < 12 ||
  [...JSON.stringify(body).matchAll(/"(\w+)":/g)].some(
    ([, name = '']) => name !== 'data' && known.includes(`"${name}"`),
  );

describe('A body of another kind', () => {
  const writing = (Object.keys(calls) as CallName[]).filter(
    (name) => calls[name].method !== 'GET' && name !== 'signOut',
  );

  it('is refused by each call with what would be right, in no words of a library (behaviour 8.11)', async () => {
    const { url } = await testConsole({ upstreamUrl: 'http://127.0.0.1:1', rate: { perSecond: 1e6, burst: 1e6 } });
    const described = openApi().paths;
    const found = new Set<string>();
    for (const name of writing) {
      const { method, path } = calls[name];
      const known = JSON.stringify(described[path]?.[method.toLowerCase() as 'post']?.requestBody ?? '');
      for (const body of bodies.filter((each) => concerns(each, known))) {
        const response = await fetch(url + path.replaceAll(/\{\w+\}/g, 'x1'), {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        const [words] = libraryWords.exec(text.replaceAll(JSON.stringify(body), '')) ?? [];
        if (words !== undefined || response.status === 500)
          found.add(`${name} ${response.status} ${JSON.stringify(body)}: ${text}`);
      }
    }
    expect([...found]).toEqual([]);
  });

  it('is refused by the lab and the service of the sandbox in no words of a library (behaviour 8.11)', async () => {
    const sandbox = await testSandbox();
    const { token, organisationId, subscriptionId } = await sandbox.authorised();
    const paths = [
      ['POST', '/auth-v1/organisations'],
      ['POST', '/auth-v1/accessToken'],
      ['POST', '/auth-v1/companies'],
      ['POST', `/v3/subscriptions/organisations/${organisationId}/subscriptions`],
      ['PATCH', `/v3/subscriptions/${subscriptionId}`],
      ['POST', '/v3/batchpayments'],
      ['POST', '/network-v1/accounts'],
      ['POST', '/network-v1/datasets'],
      ['POST', '/api-msg-v1/creditorputs'],
      ['POST', '/api-msg-v1/updates'],
      ['POST', '/api-msg-v1/debtoraccountlistqueries'],
    ] as const;
    const found = new Set<string>();
    for (const [method, path] of paths)
      for (const body of bodies) {
        const { status, text } = await sandbox.call(method, path, { body: body as object, token });
        if (libraryWords.test(text) || status === 500) found.add(`${path} ${status} ${JSON.stringify(body)}: ${text}`);
      }
    expect([...found]).toEqual([]);
  });
});

type Headers = Record<string, string | string[]>;

/** Posts a body; resolves with status, detail, and the paths of the errors. */
async function post(url: string, path: string, headers: Headers, body: string | Buffer) {
  const { status, answer } = await ask(url, 'POST', path, { 'content-type': 'application/json', ...headers }, body);
  const { detail, errors = [] } = JSON.parse(answer) as { detail: string; errors?: { path: string }[] };
  return { status, detail, paths: errors.map((each) => each.path) };
}

const large = Buffer.alloc(6 * 1024 * 1024, ' ');

it.each<[string, number, Headers, string | Buffer]>([
  ['a foreign host name', 403, { host: 'evil.example' }, '{}'],
  ['a host name that begins like this machine’s', 403, { host: '127.0.0.1.evil.example' }, '{}'],
  ['a foreign origin', 403, { origin: 'https://evil.example' }, '{}'],
  ['the origin null', 403, { origin: 'null' }, '{}'],
  ['a site beside it', 403, { 'sec-fetch-site': 'same-site' }, '{}'],
  ['a foreign site', 403, { 'sec-fetch-site': 'cross-site' }, '{}'],
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
  'Console and sandbox refuse %s alike: %i, the same sentence and the same places (threat 1.1, 1.2)',
  async (_, status, headers, body) => {
    const { url } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    const sandbox = await serviceSandbox();
    const ofConsole = await post(url, '/api/batchpayments', headers, body);
    const ofSandbox = await post(sandbox.url, endpoints.batches, headers, body);
    expect(ofConsole.status).toBe(status);
    expect({ ...ofSandbox, detail: ofSandbox.detail.replace('sandbox', 'console') }).toEqual(ofConsole);
  },
);

it.each([
  ['the origin of its public URL, although a proxy replaces the host name', 'https://sandbox.example', 400],
  ['another scheme of its public URL', 'http://sandbox.example', 403],
  ['another port of its public URL', 'https://sandbox.example:8443', 403],
])('The sandbox takes a write from %s with %s: %i', async (_, origin, status) => {
  const sandbox = await serviceSandbox({ publicUrl: 'https://sandbox.example' });
  expect(await post(sandbox.url, '/sandbox/reset', { origin }, '{}')).toMatchObject({ status });
});
