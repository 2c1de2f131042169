import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { baseString } from '#contract/requests/baseString.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { sign } from '#server/upstream/signature.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testSandbox } from './harness.ts';

const document = await readFile('docs/first-payment.md', 'utf8');

/** The exchanges of the document: the request's head and body, the response's status and body. */
const blocks = [...document.matchAll(/^```http\n(.*?)^```$/gms)].map(([, text = '']) => {
  const [head = '', ...rest] = text.trimEnd().split('\n\n');
  const [first = '', ...headers] = head.split('\n');
  const [method = '', path = ''] = first.split(' ');
  const at = rest.findIndex((part) => /^\d{3}$/.test(part));
  return {
    method,
    path,
    headers: headers.map((line) => line.split(': ') as [string, string]),
    body: rest.slice(0, at === -1 ? undefined : at).join('\n\n'),
    ...(at !== -1 && { status: Number(rest[at]), answer: rest.slice(at + 1).join('\n\n') }),
  };
});
const exchanges = blocks.filter(({ status }) => status !== undefined);

/**
 * Compares a response with the document's: `…` is any text, `$NAME` a text that is learned under this name, and members
 * that the document leaves out are not compared.
 */
function learn(documented: unknown, real: unknown, known: Map<string, string>, at: string): void {
  if (typeof documented === 'string' && documented.startsWith('$')) {
    expect(real, at).toEqual(expect.any(String));
    known.set(documented.slice(1), real as string); // checked above
  } else if (documented === '…') expect(real, at).toEqual(expect.any(String));
  else if (typeof documented === 'object' && documented !== null)
    for (const [name, member] of Object.entries(documented))
      learn(member, (real as Record<string, unknown> | undefined)?.[name], known, `${at}.${name}`);
  else expect(real, at).toEqual(documented);
}

describe('docs/first-payment.md', () => {
  it('shows calls that lead from nothing to a paid batch when they are sent to the sandbox in this order', async () => {
    const sandbox = await testSandbox({}, catalogue);
    const { applicationId, apiKey, signingKey } = sandbox.credentials;
    const known = new Map<string, string>([
      ['APPLICATION_ID', applicationId] as const,
      ['API_KEY', apiKey] as const,
      ['DEBTOR_ID', randomUUID()] as const,
      ['CREDITOR_ID', randomUUID()] as const,
      ['EXECUTION_DATE', executionDate] as const, // prettier-ignore
    ]);
    const filled = (text: string): string => text.replace(/\$([A-Z_]+)/g, (_, name: string) => known.get(name) ?? `no ${name}`); // prettier-ignore
    const advance = async () => {
      for (let step = 0; step < 3; step++) {
        sandbox.clock.increment(1000);
        await sandbox.settled();
      }
    };
    expect(exchanges).toHaveLength(10);
    for (const { method, path, headers, body, status, answer } of exchanges) {
      if (method === 'GET') await advance();
      const url = sandbox.url() + filled(path);
      const nonce = randomUUID();
      known.set('KEY', randomUUID()).set('NONCE', nonce).set('INTERACTION_ID', randomUUID());
      const text = filled(body);
      const key = known.get('PRIMARY_SIGNING_KEY') ?? signingKey;
      known.set('SIGNATURE', sign({ method, url, body: text, nonce, key }));
      const response = await fetch(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, filled(value)]),
        ...(text && { body: text }),
      });
      const received = await response.text();
      expect([path, response.status, received]).toEqual([path, status, received]);
      if (answer) learn(JSON.parse(answer), JSON.parse(received), known, path);
      if (known.has('AUTHORISE_LINK') && path.startsWith('/v3/subscriptions/$')) {
        const form = { 'content-type': 'application/x-www-form-urlencoded', origin: sandbox.url() };
        const link = authorisePath(known.get('SUBSCRIPTION_ID') ?? '');
        await sandbox.call('POST', link, { body: new URLSearchParams({ decision: 'approve' }), headers: form });
      }
      if (path.startsWith('/api-msg-v1/')) await advance();
    }

    const sent = sandbox.received.findLast(({ webhook }) => webhook.type === 'batchUpdated');
    const documented = blocks.find(({ path }) => path === '/notifications');
    expect(documented?.headers.map(([name]) => name).filter((name) => !sent?.headers[name])).toEqual([]);
    learn(JSON.parse(filled(documented?.body ?? '')), JSON.parse(sent?.text ?? ''), known, 'webhook');
  });

  it('gives the text and the signature of its two signed calls', () => {
    const cell = (row: string) =>
      document.match(new RegExp(`^\\| ${row} +\\| \`(.*?)\` +\\| \`(.*?)\``, 'm'))?.slice(1);
    const calls = cell('call')?.map((call) => call.split(' ')) ?? [];
    const signed = calls.map(([method = '', url = ''], index) => ({
      method,
      url,
      nonce: 'n-1',
      key: 'secret',
      body: index === 0 ? '{"a":1}' : '',
    }));
    expect(signed.map(baseString)).toEqual(cell('text'));
    expect(signed.map(sign)).toEqual(cell('signature'));
  });
});
