import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import { main } from '#server/drift/main.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { harOf } from '#server/timeline/har.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

async function drift(args: readonly string[], env: Record<string, string> = {}) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const status = await main(
    args,
    { env },
    { print: (text) => printed.push(text), complain: (line) => complained.push(line) },
  );
  return { status, printed: printed.join(''), complained: complained.join('\n') };
}

async function fileOf(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drift-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'file.json');
  await writeFile(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
}

/** An entry of the console for a read of the consumer API's status. */
const entry = (body: unknown, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  ...timelineEntry({ id: '1', kind: 'service', method: 'GET', url: 'https://service.example/v3/status', status: 200 }),
  response: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), bytes: 1 },
  ...more,
});
const archive = (...entries: TimelineEntry[]) => fileOf(harOf(entries, 'http://console', '1'));
const health = { version: '1', branch: 'b', name: 'n' };

describe('drift with an HTTP archive', () => {
  it('ends with 0 if everything is as described (behaviour 10.24.2)', async () => {
    const { status, printed } = await drift(['--har', await archive(entry(health))]);
    expect([status, printed]).toEqual([0, expect.stringMatching(/1 answer of 1 call compared[^]*No drift\.\n$/)]);
  });

  it('lets no name of a member begin a line or command a service that runs jobs (threat 3.34)', async () => {
    const names = ['a\n::error title=x::forged', 'b\r\nNo drift.', '##[error]c', '##vso[task.complete]d'];
    const file = await archive(entry({ ...health, ...Object.fromEntries(names.map((name) => [name, 1])) }));
    for (const options of [[], ['--report', 'junit'], ['--report', 'json']]) {
      const { printed } = await drift(['--har', file, ...options]);
      expect(printed).toContain('forged');
      expect(printed).not.toMatch(/^\s*::|^No drift\.\r?$|##\w*\[/m);
    }
  });

  it('ends with 1 for a difference, and says what it means (behaviour 10.24.2)', async () => {
    const { status, printed } = await drift([
      '--har',
      await archive(entry({ ...health, name: 1 }), entry({ ...health, name: 2 })),
    ]);
    expect(status).toBe(1);
    expect(printed).toContain('consumerStatus name: expected a text, came a number (2 times); the console still works');
  });

  it('names an answer of which no whole body was recorded, and judges what was compared (behaviour 10.24.7)', async () => {
    const banks = entry({ data: [] }, { url: 'https://service.example/v3/banks' });
    const cut = entry('', { response: { ...entry(health).response, body: 'x'.repeat(32 * 1024), truncated: true } });
    const partly = await drift(['--har', await archive(banks, cut, cut)]);
    expect(partly.status).toBe(0);
    expect(partly.printed).toContain(
      'Not compared: consumerStatus (2 times): the recorded body was cut at 32 kB.\nNo drift in what was compared.',
    );
    expect((await drift(['--har', await archive(cut)])).status).toBe(2);
    const wrong = entry({ ...health, name: 1 });
    expect((await drift(['--har', await archive(cut, wrong)])).status).toBe(1);
    const junit = await drift(['--har', await archive(banks, cut), '--report', 'junit']);
    expect(junit.printed).toContain('<skipped message="the recorded body was cut at 32 kB"/>');
    expect(junit.printed).toContain('failures="0"');
  });

  const json = JSON.stringify(health);
  const odd = JSON.stringify({ ...health, name: '?>?>~~ÿÿ' });
  const base64 = (bytes: Buffer | string) => ({ text: Buffer.from(bytes).toString('base64'), encoding: 'base64' });
  const coded = (coding: string) => [{ name: 'Content-Encoding', value: coding }];
  it.each<[string, object, number, string]>([
    ['Base64', { content: base64(json) }, 0, 'No drift.'],
    ['Base64 of gzip', { content: base64(gzipSync(json)), headers: coded('gzip') }, 0, 'No drift.'],
    ['Base64 of Brotli', { content: base64(brotliCompressSync(json)), headers: coded('br') }, 0, 'No drift.'],
    ['Base64 without the coding that is named', { content: base64(json), headers: coded('gzip') }, 0, 'No drift.'],
    ['text without the coding that is named', { content: { text: json }, headers: coded('gzip') }, 0, 'No drift.'],
    [
      'bytes in a coding that nobody knows',
      { content: base64(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), headers: coded('zstd') },
      2,
      'the recorded body is compressed (zstd)',
    ],
    ['bytes that are no text', { content: base64(Buffer.from([0xff, 0xfe, 0x80, 1])) }, 1, 'a text that is not JSON'],
    ['text with a byte order mark', { content: { text: `\ufeff${json}` } }, 0, 'No drift.'],
    ['Base64 of text with a byte order mark', { content: base64(`\ufeff${json}`) }, 0, 'No drift.'],
    ['Base64 of UTF-16', { content: base64(Buffer.from(`\ufeff${json}`, 'utf16le')) }, 0, 'No drift.'],
    [
      'Base64 in lines',
      { content: { text: base64(json).text.replace(/.{9}/g, '$&\r\n'), encoding: 'BASE64' } },
      0,
      'No drift.',
    ],
    [
      'Base64 of the alphabet for URLs, unpadded',
      { content: { text: Buffer.from(odd).toString('base64url'), encoding: 'base64' } },
      0,
      'No drift.',
    ],
    [
      'Base64 named base64url',
      { content: { text: Buffer.from(odd).toString('base64url'), encoding: 'base64url' } },
      0,
      'No drift.',
    ],
    ['Base64 named with blanks', { content: { ...base64(json), encoding: ' base64 ' } }, 0, 'No drift.'],
    [
      'Base64 as an address of data',
      { content: { text: `data:application/json;base64,${base64(json).text}`, encoding: 'base64' } },
      0,
      'No drift.',
    ],
    ['Base64 of gzip without the coding', { content: base64(gzipSync(json)) }, 0, 'No drift.'],
    [
      'Base64 of UTF-32',
      { content: base64(Buffer.from([...json].flatMap((each) => [each.charCodeAt(0), 0, 0, 0]))) },
      0,
      'No drift.',
    ],
    ['Base64 of text before NULs', { content: base64(`${json}\0\0`) }, 0, 'No drift.'],
    ['text before a comment', { content: { text: `${json}<!-- 3 ms -->` } }, 0, 'No drift.'],
    ['text with two marks and blanks', { content: { text: `\ufeff \ufeff\n${json}\n` } }, 0, 'No drift.'],
    ['true, named Base64', { content: { text: 'true', encoding: 'base64' } }, 1, 'expected an object'],
    ['plain text that is named Base64', { content: { text: json, encoding: 'base64' } }, 0, 'No drift.'],
    [
      'plain text and a mark, named Base64',
      { content: { text: `\ufeff\n${json}`, encoding: 'base64' } },
      0,
      'No drift.',
    ],
    ['plain text in a list, named Base64', { content: { text: '[]', encoding: 'base64' } }, 1, 'expected an object'],
    ['a body that was left out', { content: { size: 900 } }, 2, 'the archive has no body of it'],
    ['no content at all', {}, 2, 'the archive has no body of it'],
    ['an empty body', { content: { size: 0 } }, 1, 'came no body'],
    ['nothing that is new', { status: 304, content: { size: 0 } }, 2, 'nothing changed (status 304)'],
    ['a redirect', { status: 302, content: { size: 0 } }, 1, 'expected status 200, came status 302'],
    ['a masked member', { content: { text: '{"version":"$TOKEN","branch":"b","name":"n"}' } }, 0, 'No drift.'],
  ])('reads of another program’s archive %s (behaviour 10.24.7)', async (_, response, status, says) => {
    const request = { method: 'GET', url: 'https://a.example/p/v3/status' };
    const headers = [...('headers' in response ? (response.headers as object[]) : [])];
    const whole = {
      status: 200,
      ...response,
      headers: [...headers, { name: 'content-type', value: 'application/json' }],
    };
    const found = await drift(['--har', await fileOf({ log: { entries: [{ request, response: whole }] } })]);
    expect([found.status, found.printed]).toEqual([status, expect.stringContaining(says)]);
  });

  it('finds a compression that the console has not asked for, and can read', async () => {
    const compressed = entry(health, { request: { headers: { 'accept-encoding': 'identity' }, body: '', bytes: 0 } });
    compressed.response.headers['content-encoding'] = 'gzip';
    const { status, printed } = await drift(['--har', await archive(compressed)]);
    expect(status).toBe(1);
    expect(printed).toContain(
      'expected no content coding, came the content coding gzip (once); the console still works',
    );
  });

  it.each<[string, TimelineEntry[]]>([
    ['no answer', [entry('', { status: 0 })]],
    ['a refusal of the credentials', [entry(health, { status: 401 })]],
    ['no entry', []],
    ['a call of the page', [entry(health, { kind: 'call' })]],
    ['another service', [entry(health, { url: 'https://service.example/other' })]],
    [
      'only an answer that was recorded in part',
      [{ ...entry(health), response: { headers: {}, body: '{', bytes: 9, truncated: true } }],
    ],
    [
      'a call that got none, besides one that did',
      [entry(health), entry('', { status: 503, url: 'https://service.example/v3/banks' })],
    ],
  ])('ends with 2 if there is nothing to tell: %s (behaviour 10.24.2)', async (_, entries) => {
    const { status, printed } = await drift(['--har', await archive(...entries)]);
    expect([status, printed]).toEqual([2, expect.stringContaining('This says nothing about drift')]);
  });

  it('reads webhooks of the console, and archives of other programs with encoded bodies (behaviour 10.24.1)', async () => {
    const webhook = entry({}, { kind: 'webhook', method: 'POST', url: '/notifications' });
    webhook.request = { headers: {}, body: '{"type":"new"}', bytes: 1 };
    expect((await drift(['--har', await archive(webhook)])).printed).toContain(
      'webhook type: expected a type that is described',
    );
    const content = {
      mimeType: 'application/json',
      encoding: 'base64',
      text: Buffer.from('{"version":1}').toString('base64'),
    };
    const foreign = {
      request: { method: 'GET', url: 'https://a.example/p/v3/status' },
      response: { status: 200, content },
    };
    expect((await drift(['--har', await fileOf({ log: { entries: [foreign] } })])).printed).toContain(
      'version: expected a text, came a number',
    );
  });

  it.each<[string, (text: string) => Buffer]>([
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('reads archives and baselines in %s', async (_, encode) => {
    const har = encode(JSON.stringify(harOf([entry(health)], 'http://console', '1')));
    const args = ['--har', await fileOf(har), '--baseline', await fileOf(encode('[]'))];
    expect(await drift(args)).toMatchObject({ status: 0, complained: '' });
  });

  it('refuses an archive that is no text', async () => {
    expect(await drift(['--har', await fileOf(Buffer.from([0x80, 0xff]))])).toMatchObject({
      status: 2,
      complained: expect.stringContaining('is not encoded in UTF-8') as string,
    });
  });

  it('accepts what the baseline lists with a reason, and nothing else (behaviour 10.24.3)', async () => {
    const har = await archive(entry({ ...health, name: 1 }));
    const accepted = {
      call: 'consumerStatus',
      path: 'name',
      expected: 'a text',
      came: 'a number',
      reason: 'Known since May',
    };
    const known = await drift(['--har', har, '--baseline', await fileOf([accepted])]);
    expect([known.status, known.printed]).toEqual([0, expect.stringContaining('Known since May')]);
    const other = await drift(['--har', har, '--baseline', await fileOf([{ ...accepted, came: 'null' }])]);
    expect([other.status, other.printed]).toEqual([1, expect.stringContaining('Accepted, but it came no more')]);
    const elsewhere = await drift([
      '--har',
      har,
      '--baseline',
      await fileOf([accepted, { ...accepted, call: 'banks' }]),
    ]);
    expect([elsewhere.status, elsewhere.printed]).toEqual([
      0,
      expect.stringContaining('Accepted, but its call was not compared: banks name: expected a text, came a number.'),
    ]);
    expect(elsewhere.printed).not.toContain('came no more');
  });

  it.each<[string, unknown, string]>([
    [
      'without a reason',
      [{ call: 'a', path: 'b', expected: 'c', came: 'd' }],
      '0.reason: give a text that says why it is accepted',
    ],
    [
      'with an empty reason',
      [{ call: 'a', path: 'b', expected: 'c', came: 'd', reason: ' ' }],
      '0.reason: give a text that says why it is accepted',
    ],
    ['that is no list', {}, 'It is a list of findings'],
    ['that is not JSON', '[', 'is not JSON'],
  ])('refuses a baseline %s (behaviour 10.24.3)', async (_, baseline, says) => {
    const { status, complained } = await drift([
      '--har',
      await archive(entry(health)),
      '--baseline',
      await fileOf(baseline),
    ]);
    expect([status, complained]).toEqual([2, expect.stringContaining(says)]);
  });

  it('prints reports: JSON, and JUnit with a failure for each difference (behaviour 10.24.2)', async () => {
    const har = await archive(entry({ ...health, name: 1 }));
    const json = JSON.parse((await drift(['--har', har, '--report', 'json'])).printed) as object;
    expect(json).toMatchObject({
      status: 1,
      fresh: [{ call: 'consumerStatus', path: 'name', times: 1, effect: 'works' }],
    });
    const { printed } = await drift(['--har', har, '--report', 'junit']);
    expect(printed).toContain('failures="1"');
    expect(printed).toContain('<testcase classname="consumerStatus" name="name: a text, not a number"');
  });

  it.each<[string[], string]>([
    [['--har', '/nowhere.har'], 'cannot be read'],
    [['--unknown'], '--unknown'],
    [['--har', 'a', '--console', 'http://b'], 'not both'],
    [['--report', 'html', '--har', 'a'], 'give junit or json'],
    [['--console', 'somewhere'], 'give the address of a console'],
    [['--console', 'http://127.0.0.1:9'], 'is unreachable'],
    [['--har', 'a', '--batch', 'b'], 'leave out --har'],
    [[], 'No service is configured'],
  ])('refuses %j with what is wrong (behaviour 10.24.2)', async (args, says) => {
    const { status, complained, printed } = await drift(args);
    expect([status, complained, printed]).toEqual([2, expect.stringContaining(says), '']);
  });

  it.each<[string, RequestListener, string]>([
    [
      'of a page',
      (_, response) => void response.setHeader('content-type', 'text/html').end('<html>'),
      'text/html, not with JSON',
    ],
    [
      'that redirects',
      (_, response) => void response.writeHead(302, { location: '/login' }).end(),
      'that needs no sign-in',
    ],
    [
      'that breaks off',
      (_, response) => void response.writeHead(200, { 'content-length': '9' }).write('{'),
      'is unreachable',
    ],
    ['of another API', (_, response) => void response.end('{}'), 'is not an HTTP archive'],
    [
      'that refuses',
      (_, response) => void response.writeHead(401).end('{"detail":"Sign in first."}'),
      'Sign in first.',
    ],
  ])('refuses the address %s with what is wrong (behaviour 10.24.2)', async (_, handle, says) => {
    const url = await listen((request, response) => {
      handle(request, response);
      setTimeout(() => request.socket.destroy(), 100);
    });
    expect(await drift(['--console', url])).toMatchObject({
      status: 2,
      complained: expect.stringContaining(says) as unknown,
    });
    const secret = await drift(['--console', url.replace('//', '//user:pass-word@')]);
    expect([secret.status, secret.complained]).toEqual([2, expect.stringContaining('leave out user and password')]);
    expect(secret.complained).not.toContain('pass-word');
  });

  it('refuses a file that is no archive, and says where (behaviour 10.24.2)', async () => {
    expect(await drift(['--har', await fileOf('{')])).toMatchObject({
      status: 2,
      complained: expect.stringContaining('is not JSON') as unknown,
    });
    const wrong = await fileOf({ log: { entries: [{ request: {} }] } });
    expect((await drift(['--har', wrong])).complained).toContain('log.entries.0.request.method');
  });
});

describe('drift with the live service', () => {
  const environment = (url: string, apiKey = 'key', applicationId = 'app') => ({
    UPSTREAM: 'live',
    UPSTREAM_URL: url,
    UPSTREAM_AUTH_URL: url,
    UPSTREAM_SIGNING_KEY: 'signing-key',
    UPSTREAM_APPLICATION_ID: applicationId,
    UPSTREAM_API_KEY: apiKey,
    IDENTITY_PROVIDER_URL: url,
    IDENTITY_CLIENT_ID: 'c',
    PROVIDER_URL: url,
    TRANSFER_URL: url,
    WEBHOOK_HEADER_NAME: 'x-a',
    WEBHOOK_HEADER_VALUE: 'b',
  });

  it('finds none between description and sandbox, and only reads (behaviour 10.24.4)', async () => {
    const sandbox = await createSandbox({ seed: 1, port: 0 });
    onTestFinished(() => sandbox.close());
    const { token, subscriptionId, batchId } = await sandbox.prepare('batch-partly-failed');
    const { applicationId, apiKey } = sandbox.credentials;
    const env = { ...environment(sandbox.url, apiKey, applicationId), PAYMENTS_COMPANY_TOKEN: token };
    const { status, printed, complained } = await drift(['--subscription', subscriptionId, '--batch', batchId], env);
    expect([status, complained]).toEqual([0, '']);
    expect(printed).toContain('9 answers of 9 calls compared');
    expect(sandbox.calls().map(({ method }) => method)).toEqual(sandbox.calls().map(() => 'GET'));
    expect(printed).not.toContain(token);
  });

  it('ends with 2 if the service is unreachable or refuses the credentials, without a secret (behaviour 10.24.2)', async () => {
    const gone = await drift([], environment('http://127.0.0.1:9', 'secret-api-key'));
    expect([gone.status, gone.printed]).toEqual([2, expect.stringContaining('providers (no answer)')]);
    expect(gone.printed).not.toContain('secret-api-key');
    const url = await listen((_, response) => response.writeHead(403).end());
    expect((await drift([], environment(url))).status).toBe(2);
  });

  it.each<[string, number, RequestListener]>([
    ['a redirect to a sign-in', 1, (_, response) => void response.writeHead(302, { location: '/login' }).end()],
    [
      'a page of HTML',
      1,
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    ],
    ['an empty answer', 1, (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end()],
    ['no HTTP', 2, (request) => void request.socket.end('nonsense\r\n\r\n')],
    [
      'an answer that breaks off',
      2,
      (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{'),
    ],
  ])('ends for %s with %i (behaviour 10.24.2)', async (_, status, handle) => {
    const url = await listen((request, response) => {
      handle(request, response);
      setTimeout(() => request.socket.destroy(), 100);
    });
    const found = await drift([], environment(url, 'secret-api-key'));
    expect(found.status).toBe(status);
    expect(found.printed).not.toMatch(/No drift|secret-api-key/);
  });

  it('reads a compressed answer, which is a difference (behaviour 10.24.7)', async () => {
    const url = await listen((_, response) => {
      response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip');
      response.end(gzipSync('{"data":[]}'));
    });
    const { status, printed } = await drift([], environment(url));
    expect([status, printed]).toEqual([1, expect.stringContaining('providers: expected no content coding, came')]);
    expect(printed).not.toContain('expected JSON');
  });

  it('ends with 1 if the service answers otherwise than described (behaviour 10.24.2)', async () => {
    const url = await listen((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url === '/v3/status' ? '{"version":1}' : '{"data":[]}');
    });
    expect((await drift([], environment(url))).status).toBe(1);
  });
});

it(
  'drift with a console finds nothing in what its own sandbox has answered, and names what was recorded in part (behaviour 10.24.1, 10.24.7)',
  { timeout: 60_000 },
  async () => {
    const { walker, server } = await walkerOn();
    await walker.guided();
    const { status, printed } = await drift(['--console', server.url]);
    expect(printed).not.toContain('expected');
    // Its list of providers is longer than what the timeline records of a body.
    expect([status, printed]).toEqual([
      0,
      expect.stringMatching(/Not compared: providers \(\w+( times)?\): the recorded body was cut at 32 kB\.\n/),
    ]);
    expect(printed).toContain('No drift in what was compared.');
  },
);
