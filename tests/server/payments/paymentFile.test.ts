import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nameOffered } from '#contract/disposition.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { paymentForm } from '#rules/field.ts';
import { fileNameIn } from '#server/upstream/fileName.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { company } from '#tests/support/client.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { batchIn, pay, walk } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const MB = 1024 * 1024;

/** Downloads a file of a service through the console. */
async function download(
  answer: (response: ServerResponse) => unknown,
  limits: Parameters<typeof testConsole>[0]['limits'] = {},
) {
  const service = await fakeUpstream({
    '/files': answer as Script,
    [endpoints.batches]: (response) => {
      const links = { paymentFile: `${service.url}/files/1` };
      void answering({ data: { batchId: 'b', status: 'PaymentFileAvailable' }, links })(response, service.asked[0]!);
    },
  });
  const server = await testConsole({ upstreamUrl: service.url, limits: { backOff: 1, ...limits } });
  await server.store.settings.writeAll({
    organisationId: company.organisationId,
    companyId: company.companyId,
    companySigningKey: company.signingKey,
  });
  const path = `/api/downloadpaymentfile/${encodeURIComponent(`${service.url}/files/1`)}?batchId=b`;
  return { ...server, response: await fetch(server.url + path) };
}

const entryOf = async ({ done }: Pick<Awaited<ReturnType<typeof testConsole>>, 'done'>, kind: 'call' | 'service') =>
  eventually(async () => {
    const { data } = await done('getTimeline', { query: { kind } });
    const entry = data.find(({ url }) => !url.includes(endpoints.batches) && !url.includes(endpoints.accessToken));
    expect(entry).toBeDefined();
    return entry!; // as expected
  });

describe('A large payment file', () => {
  it('is returned whole, and the timeline records its beginning and its length (behaviour 3.12)', async () => {
    const line = 'é€😀 0123456789\n';
    const text = line.repeat(Math.ceil((2 * MB) / Buffer.byteLength(line)));
    const bytes = Buffer.from(text);
    const downloaded = await download(async (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write(bytes.subarray(0, MB + 1));
      await wait(50);
      response.end(bytes.subarray(MB + 1));
    });
    const { headers } = downloaded.response;
    expect(Buffer.from(await downloaded.response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(bytes.length),
      'content-disposition': "attachment; filename=payment-file_b.txt; filename*=UTF-8''payment-file_b.txt",
      'x-content-type-options': 'nosniff',
    });
    for (const kind of ['service', 'call'] as const) {
      const recorded = (await entryOf(downloaded, kind)).response;
      expect(recorded).toMatchObject({ truncated: true, bytes: bytes.length });
      expect(recorded.body.length).toBeLessThanOrEqual(32 * 1024);
      expect(text.startsWith(recorded.body)).toBe(true);
    }
  });

  it('contains no secret of the console, wherever its chunks begin', async () => {
    const { apiKey } = sandboxCredentials;
    const [before, after] = ['x'.repeat(MB), 'y'.repeat(MB)];
    const { response } = await download(async (answer) => {
      answer.write(before + apiKey.slice(0, 5));
      await wait(50);
      answer.write(apiKey.slice(5, 9));
      await wait(50);
      answer.end(apiKey.slice(9) + after + apiKey);
    });
    expect((await response.text()) === before + secretIsSet + after + secretIsSet).toBe(true);
  });

  it.each<[string, string, number, (answer: ServerResponse) => unknown]>([
    ['breaks off', 'upstream-invalid', 502, (answer) => answer.write('x'.repeat(MB), () => answer.destroy())],
    ['exceeds the limit of its size', 'upstream-invalid', 502, (answer) => answer.end('x'.repeat(17 * MB))],
    ['stalls', 'upstream-timeout', 504, (answer) => answer.write('x'.repeat(MB))],
  ])('that %s is reported as failed, not as a shorter file (behaviour 3.12)', async (_, code, status, answer) => {
    const downloaded = await download(answer, { patience: { body: 300 } });
    expect(downloaded.response.status).toBe(status);
    const problem = (await downloaded.response.json()) as { detail: string };
    expect(problem).toMatchObject({ code });
    expect(await entryOf(downloaded, 'service')).toMatchObject({ status: 0, reason: problem.detail });
  });
});

it.each([MB / 4])(
  'A payment file that is compressed although identity was requested is given as it was: %i bytes',
  async (length) => {
    const text = randomBytes(length).toString('hex');
    const { response } = await download((answer) => {
      expect(answer.req.headers['accept-encoding']).toBe('identity');
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync(text));
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
  },
);

it.each(['identity', 'utf-8'])('A payment file is accepted with the Content-Encoding %s', async (encoding) => {
  const { response } = await download((answer) => answer.writeHead(200, { 'content-encoding': encoding }).end('é'));
  expect(await response.text()).toBe('é');
});

describe('A payment file’s bytes', () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x53, 0xf8, 0x00, 0x0d, 0x0a, 0xff, 0xfe, 0xd8, 0x00, 0x80, 0x1a]);
  it.each(['text/plain; charset=iso-8859-1', 'application/xml; charset=ISO-8859-1'])(
    'reach the client unchanged with their type: %s (behaviour 5.12)',
    async (type) => {
      const { response } = await download((answer) => answer.writeHead(200, { 'content-type': type }).end(bytes));
      expect(response.headers.get('content-type')).toBe(type);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('of every value reach the client unchanged without a type (behaviour 5.12)', async () => {
    const all = Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index >> 8) ^ index));
    const { response } = await download((answer) => answer.end(all));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(await response.arrayBuffer()).equals(all)).toBe(true);
  });

  it.each([
    ['attachment; filename="credits.aba"', 'credits.aba'],
    ["attachment; filename=old.txt; filename*=UTF-8''Cr%C3%A9dits%20%C3%A9t%C3%A9.txt", 'Crédits été.txt'],
    ["inline; filename*=iso-8859-1'fr'd%E9bit.txt", 'débit.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    [String.raw`attachment; filename="C:\Bank\pay.txt"`, 'pay.txt'],
    [String.raw`attachment; filename="a \"quoted\" name.txt"`, 'a quoted name.txt'],
    ['attachment; filename="Cr\u00c3\u00a9dits.txt"', 'Crédits.txt'],
    ["attachment; filename*=UTF-8''%zz; filename=plain.txt", 'plain.txt'],
    ["attachment; filename*=UTF-8''..%2F%00a%0D%0Ab%E2%80%AEtxt.exe", 'abtxt.exe'],
    ['attachment; filename="con.txt"', 'con_.txt'],
    [`attachment; filename="${'x'.repeat(500)}.txt"`, `${'x'.repeat(116)}.txt`],
    ['attachment; filename=""', ''],
    ["attachment; filename*=UTF-8''%ZZ%FF", ''],
    ['attachment', ''],
  ])('have the name of the service made safe: %s (behaviour 5.12)', (disposition, name) => {
    expect(fileNameIn(disposition)).toBe(name);
  });

  it.each([
    ["attachment; filename*=UTF-8''Cr%C3%A9dits%20%22.txt", 'Crédits .txt'],
    ['attachment', 'payment-file_b.txt'],
  ])('are offered under the name of the service, or another one: %s (behaviour 5.12)', async (disposition, name) => {
    const { response } = await download((answer) =>
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-disposition': disposition }).end('x'),
    );
    expect(nameOffered(response.headers.get('content-disposition') ?? '')).toBe(name);
  });
});

it('A payment file without a name is named by format and batch (behaviour 5.12)', async () => {
  const server = await consoleWithSandbox();
  const { subscriptionId } = await walk(server);
  const format = (await server.done('getFileFormats')).data.find(({ name }) => name === 'Bacs Standard 18')!;
  const batchId = await pay(server, subscriptionId, paymentForm([], format.specification.rules), format.fileFormatId);
  const { links } = await batchIn(server, 'PaymentFileAvailable', batchId);
  const { name, type, bytes } = await server.done('downloadPaymentFile', { params: { link: links!.paymentFile! } });
  expect(name).toBe(`bacs-18_${batchId.slice(0, 8)}.txt`);
  expect(type).toBe('text/plain; charset=utf-8');
  expect(Buffer.from(bytes).toString()).toMatch(/^VOL1/);
});
