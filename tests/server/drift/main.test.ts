import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
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

  it('ends with 1 for a difference, and says what it means (behaviour 10.24.2)', async () => {
    const { status, printed } = await drift([
      '--har',
      await archive(entry({ ...health, name: 1 }), entry({ ...health, name: 2 })),
    ]);
    expect(status).toBe(1);
    expect(printed).toContain('consumerStatus name: expected a text, came a number (2 times); the console still works');
  });

  it.each([
    [
      'an answer',
      'consumerStatus',
      entry(health),
      entry('', { response: { ...entry(health).response, truncated: true } }),
    ],
  ])(
    'does not take a call as compared of which %s was recorded in part (behaviour 10.24.2)',
    async (_, call, whole, cut) => {
      const banks = entry({ data: [] }, { url: 'https://service.example/v3/banks' });
      const partly = await drift(['--har', await archive(banks, cut)]);
      expect(partly.status).toBe(2);
      expect(partly.printed).toContain(`not recorded whole: ${call} (recorded in part)`);
      expect((await drift(['--har', await archive(banks, cut, whole)])).status).toBe(0);
      const junit = await drift(['--har', await archive(banks, cut), '--report', 'junit']);
      expect(junit.printed).toContain(`${call} was not compared: recorded in part`);
    },
  );

  it.each<[string, TimelineEntry[]]>([
    ['no answer', [entry('', { status: 0 })]],
    ['a refusal of the credentials', [entry(health, { status: 401 })]],
    ['no entry', []],
    ['a call of the page', [entry(health, { kind: 'call' })]],
    ['another service', [entry(health, { url: 'https://service.example/other' })]],
    [
      'an answer that was recorded in part',
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
  });

  it.each<[string, unknown, string]>([
    [
      'without a reason',
      [{ call: 'a', path: 'b', expected: 'c', came: 'd' }],
      '0.reason: is missing: say why it is accepted',
    ],
    ['with an empty reason', [{ call: 'a', path: 'b', expected: 'c', came: 'd', reason: ' ' }], '0.reason: is empty'],
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
  async function listen(handle: RequestListener): Promise<string> {
    const server = createServer(handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
  }
  const environment = (url: string, apiKey = 'key', applicationId = 'app') => ({
    ...{ UPSTREAM: 'live', UPSTREAM_URL: url, UPSTREAM_AUTH_URL: url, UPSTREAM_SIGNING_KEY: 'signing-key' },
    ...{ UPSTREAM_APPLICATION_ID: applicationId, UPSTREAM_API_KEY: apiKey, IDENTITY_PROVIDER_URL: url },
    ...{
      IDENTITY_CLIENT_ID: 'c',
      PROVIDER_URL: url,
      TRANSFER_URL: url,
      WEBHOOK_HEADER_NAME: 'x-a',
      WEBHOOK_HEADER_VALUE: 'b',
    },
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

  it('ends with 1 if the service answers otherwise than described (behaviour 10.24.2)', async () => {
    const url = await listen((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url === '/v3/status' ? '{"version":1}' : '{"data":[]}');
    });
    expect((await drift([], environment(url))).status).toBe(1);
  });
});

it(
  'drift with a console finds nothing in what its own sandbox has answered, and names what was recorded in part (behaviour 10.24.1, 10.24.2)',
  { timeout: 60_000 },
  async () => {
    const { walker, server } = await walkerOn();
    await walker.guided();
    const { status, printed } = await drift(['--console', server.url]);
    expect(printed).not.toContain('expected');
    // Its list of providers is longer than what the timeline records of a body.
    expect([status, printed]).toEqual([2, expect.stringContaining('not recorded whole: providers (recorded in part)')]);
    expect(printed).not.toContain('No drift');
  },
);
