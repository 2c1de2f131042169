import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '#server/verify/main.ts';
import { openPayouts } from '#tests/support/payouts.ts';

/** The time that a verification may take on a busy machine, in ms. */
const patience = 240_000;
const folderOf = 'examples/another-service';

interface Report {
  checks: { id: string; verdict: string; reason?: string }[];
}

async function workFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'against-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Verifies the example's program, in which texts are replaced, at a fake of its service. */
async function verify(changes: readonly [string, string][], mapped: object = {}, ...more: string[]) {
  const [folder, { url }] = [await workFolder(), await openPayouts()];
  const example = JSON.parse(await readFile(`${folderOf}/mapping.json`, 'utf8')) as object;
  const mapping = join(folder, 'mapping.json');
  await writeFile(mapping, JSON.stringify({ ...example, url, ...mapped }));
  let source = await readFile(`${folderOf}/pay.mjs`, 'utf8');
  for (const [before, after] of changes) {
    expect(source).toContain(before);
    source = source.replaceAll(before, after);
  }
  await writeFile(join(folder, 'pay.mjs'), source);
  const report = join(folder, 'report.json');
  const [printed, complained]: [string[], string[]] = [[], []];
  const status = await main(
    ['--against', mapping, '--report', report, ...more, '--', 'node', join(folder, 'pay.mjs')],
    { env: { ...process.env, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'client-secret-1' } },
    { print: (line) => printed.push(line), complain: (line) => complained.push(line) },
  );
  const text = await readFile(report, 'utf8').catch(() => '{"checks":[]}');
  const { checks } = JSON.parse(text) as Report;
  const of = (verdict: string) => checks.filter((each) => each.verdict === verdict).map(({ id }) => id);
  return { status, printed, complained, checks, failed: of('failed').sort(), passed: of('passed') };
}

describe('a program of another service behind a proxy with faults', () => {
  it(
    'passes each check that can be judged there, and the others say why they are not (behaviour 10.21.15)',
    async () => {
      const { status, failed, passed, checks, printed } = await verify([]);
      expect([status, failed]).toEqual([0, []]);
      expect(passed).toEqual([
        'request-token-reused',
        'request-token-renewed',
        'request-secret-in-address',
        'request-secret-in-output',
        'request-redirect',
        'write-key',
        'write-key-form',
        'write-same-key',
        'write-same-body',
        'write-new-key',
        'write-backoff',
        'write-retry-after',
        'write-refused',
        'write-paid',
        'write-lost-response',
        'write-timeout',
        'write-restart',
        'write-instances',
        'write-once',
        'write-settled',
        'reading-polls',
        'truth-paid',
        'truth-failed',
        'truth-unknown',
        'truth-ends',
        'truth-result',
      ]);
      const others = checks.filter(({ verdict }) => verdict !== 'passed');
      expect(others.filter(({ reason = '' }) => reason === '')).toEqual([]);
      expect(printed.join('\n')).toContain('webhook-forged             the mapping has no webhooks');
    },
    patience,
  );

  it.each<[string, [string, string][], string[]]>([
    ['remembers its invoices', [], []],
    [
      'clears its memory when all is paid',
      [
        ['import { link, ', 'import { rm, link, '],
        [
          'process.exitCode =',
          `if (result.every(({ outcome }) => outcome === 'paid'))
  for (const name of await readdir(PAYMENTS_STATE)) await rm(join(PAYMENTS_STATE, name));
process.exitCode =`,
        ],
      ],
      ['write-once', 'write-paid'],
    ],
  ])(
    'is judged by invoices that a later file repeats where it %s (behaviour 10.21.19)',
    async (_, changes, failed) => {
      const found = await verify(changes, {}, '--only', 'works,repeated-invoices,repeated-unknown');
      expect([found.failed, found.complained]).toEqual([failed, []]);
    },
    patience,
  );

  it.each<[string, [string, string][], string[]]>([
    [
      'sends each attempt as a new payout',
      [
        [
          "response = bearer === '' ? null : await call(method, path, headers, body);",
          `fresh = randomUUID();
    if (method === 'POST') headers['PayPal-Request-Id'] = fresh;
    const response = bearer === '' ? null : await call(method, path, headers, body?.replace(/(?<="sender_batch_id":")[^"]*/, fresh));`,
        ],
      ],
      ['write-instances', 'write-lost-response', 'write-once', 'write-restart', 'write-same-key', 'write-timeout'],
    ],
    [
      'takes PENDING for paid, and puts its secret into an address',
      [
        ["{ SUCCESS: 'paid' }", "{ SUCCESS: 'paid', PENDING: 'paid' }"],
        ["'/v1/oauth2/token',", '`/v1/oauth2/token?client_secret=${PAYPAL_CLIENT_SECRET}`,'],
      ],
      ['request-secret-in-address', 'truth-paid'],
    ],
  ])(
    'fails if it %s (behaviour 10.21.15)',
    async (_, changes, expected) => {
      const { status, failed } = await verify(changes);
      expect([failed, status]).toEqual([expected, 1]);
    },
    patience,
  );

  it.each<[string, object, RegExp]>([
    [
      'a service that does not exist',
      { url: 'http://127.0.0.1:9' },
      /^The service http:\/\/127\.0\.0\.1:9 cannot be reached: /,
    ],
    [
      'writes that no call matches',
      {
        writes: [
          { call: 'POST /v2/payouts', payments: 'items', identifiedBy: ['sender_item_id'], answer: { id: 'id' } },
        ],
      },
      /^The service created nothing: .* The program called .*POST \/v1\/payments\/payouts \(201\).*Correct writes/,
    ],
    [
      'an id that no answer has',
      {
        writes: [
          {
            call: 'POST /v1/payments/payouts',
            payments: 'items',
            identifiedBy: ['sender_item_id'],
            answer: { id: 'payout.id' },
          },
        ],
      },
      /^The answer to POST \/v1\/payments\/payouts has no payout\.id: correct writes, answer, id/,
    ],
    [
      'members that identify nothing',
      {
        writes: [
          {
            call: 'POST /v1/payments/payouts',
            payments: 'items',
            identifiedBy: ['note'],
            answer: { id: 'batch_header.payout_batch_id' },
          },
        ],
      },
      /names an invoice in note: .* correct identifiedBy/,
    ],
  ])(
    'is not judged with %s: one sentence says what is wrong (behaviour 10.21.16)',
    async (_, mapped, sentence) => {
      const { status, complained } = await verify([], mapped, '--only', 'works');
      expect([status, complained]).toEqual([2, [expect.stringMatching(sentence)]]);
    },
    patience,
  );

  const hooks = {
    path: '/hooks',
    secretVariable: 'HOOK_SECRET',
    type: 'PAYOUT.UPDATED',
    body: { id: '{id}', event_type: '{type}', resource: { payout_batch_id: '{batch}', batch_status: '{status}' } },
    signature: { header: 'X-Hook-Signature', signs: '{timestamp}.{body}', value: 't={timestamp},v1={signature}' },
  };
  const listening: [string, string][] = [
    [
      'const { invoices } = await readJson(PAYMENTS_INVOICES);',
      `const { createHmac } = await import('node:crypto');
       const { createServer } = await import('node:http');
       const { buffer } = await import('node:stream/consumers');
       createServer(async (request, response) => {
         const body = await buffer(request);
         const [, time = '', given] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(request.headers['x-hook-signature'] ?? '') ?? [];
         const own = createHmac('sha256', process.env.HOOK_SECRET).update(time + '.').update(body).digest('hex');
         const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
         response.writeHead(given === own && isFresh ? 204 : 401).end();
       }).listen(Number(process.env.PAYMENTS_WEBHOOK_PORT), '127.0.0.1');
       const { invoices } = await readJson(PAYMENTS_INVOICES);`,
    ],
    ['process.exitCode =', 'setTimeout(() => process.exit(), 3000); process.exitCode ='],
  ];

  it.each<[string, [string, string][], string[]]>([
    ['passes if it verifies them', [], []],
    ['fails if it ignores their time', [['< 300', '< 1e9']], ['webhook-old']],
    [
      'fails if it signs what it has parsed',
      [['.update(body).digest', '.update(JSON.stringify(JSON.parse(body))).digest']],
      ['webhook-bytes'],
    ],
  ])(
    'that listens for webhooks of the mapping %s (behaviour 10.21.15)',
    async (_, changes, expected) => {
      const { failed, passed } = await verify([...listening, ...changes], { webhooks: hooks }, '--only', 'webhooks');
      expect(failed).toEqual(expected);
      const arose = [
        'webhook-answered',
        'webhook-forged',
        'webhook-altered',
        'webhook-unknown-type',
        'webhook-duplicate',
      ];
      expect(passed.filter((id) => arose.includes(id))).toEqual(arose);
    },
    patience,
  );

  it('is the example of the repository with the address of a public sandbox', async () => {
    const { url } = JSON.parse(await readFile(resolve(folderOf, 'mapping.json'), 'utf8')) as { url: string };
    expect(url).toBe('https://api-m.sandbox.paypal.com');
  });
});
