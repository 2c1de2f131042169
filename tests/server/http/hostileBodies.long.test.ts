import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { maximumElements } from '#server/http/json.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { watchStalls } from '#tests/support/stalls.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const consoleAlone = async () => testConsole({ upstreamUrl: (await fakeUpstream({})).url });

const post = (address: string, body: string) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key' },
    body,
  });

const listOf = (element: string, bytes: number) => `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`;
const membersOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')}}`;
const batch = (payments: string) =>
  `{"externalId":"e","requestedExecutionDateTime":"${executionDate}","payments":${payments}}`;
const paying = (more: string) =>
  `{"instructedAmount":{"amount":"1.00","currency":"GBP"},"creditor":{"name":"n","more":${more}}}`;
const put = (member: string) =>
  `{"data":{"creditorId":"0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55","subscriptionId":"s",${member}}}`;

const [batches, puts, settings] = ['/api/batchpayments', '/api-msg-v1/creditorputs', '/api/settings'];

describe('A large invalid request body', () => {
  it.each([
    ['4.8 MB of payments that are numbers', batches, batch(listOf('0', 4_800_000))],
    ['4.8 MB of payments that are empty', batches, batch(listOf('{}', 4_800_000))],
    ['as many wrong payments as may come', batches, batch(listOf('{}', 3 * (maximumElements - 1)))],
    ['as many wrong amounts as may come', batches, batch(listOf('{"instructedAmount":{"amount":"x"}}', 2_000_000))],
    ['an object with 90,000 members', puts, put(`"more":${membersOf(90_000)}`)],
    ['a name of 900,000 characters', puts, put(`"${'n'.repeat(900_000)}":1`)],
    ['a wrong value of 900,000 characters', settings, `{"key":"${'k'.repeat(900_000)}","value":1}`],
    ['nesting without end', puts, put(`"more":${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['900 kB in other calls', settings, `{"key":"useMock","value":${listOf('"false"', 900_000)}}`],
    ['more payments than a batch may have', batches, batch(listOf(paying('1'), 2000 * (paying('1').length + 1)))],
    ['no JSON', settings, 'x'.repeat(900_000)],
    ['a list for an object', settings, listOf('[]', 290_000)],
  ])('is refused with a short 400 response and nothing is stored: %s (threat 6.14)', async (_, path, body) => {
    const { url, store } = await consoleAlone();
    const answer = await post(url + path, body);
    const text = await answer.text();
    expect(answer.status, text).toBe(400);
    expect(text.length).toBeLessThan(8000);
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid-request' });
    expect(await store.messages.list()).toEqual([]);
  });

  it('does not block the server when five arrive concurrently (threat 6.14)', async () => {
    const { url } = await consoleAlone();
    const body = batch(listOf('0', 4_800_000));
    const answers = await Promise.all([...Array(5).keys()].map(() => post(url + batches, body)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe('A compressed request body', () => {
  const send = (url: string, body: Buffer) =>
    fetch(url, {
      method: 'POST',
      body: Uint8Array.from(body),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });

  it('is refused with 400 if it is corrupt, with 413 if it exceeds the limit when decompressed (threat 6.15)', async () => {
    const { url } = await consoleAlone();
    const bomb = gzipSync('x'.repeat(6_000_000));
    for (const path of [settings, batches]) {
      const statuses = [Buffer.alloc(100, 255), bomb].map(async (body) => (await send(url + path, body)).status);
      expect(await Promise.all(statuses), path).toEqual([400, 413]);
    }
    expect((await send(url + settings, gzipSync('{"key":"useMock","value":"true"}'))).status).toBe(200);
    // A webhook is decompressed only after its signature has been verified.
    expect((await send(`${url}/notifications`, bomb)).status).toBe(403);
  });
});

describe('A request body of the maximum size', () => {
  const half = listOf('-0', 3 * (maximumElements - 1));
  const much = `[${half},${listOf('{}', 3 * 10_000)},${listOf('""', 3 * 20_000)}]`;
  const whole = `[${half},${half},${half}]`;
  it.each([
    ['a put', puts, put(`"more":${much}`), 413],
    ['a put that is as long as one may be', puts, put(`"more":${listOf('-0', 30_000)}`), 200],
    ['a batch', batches, batch(`[${paying(whole)}]`), 200],
    ['a batch’s data', batches, `${batch(`[${paying('1')}]`).slice(0, -1)},"additionalData":${whole}}`, 200],
    [
      'a review',
      '/api/paymentattempts',
      `{"requestedExecutionDateTime":"${executionDate}","payments":[${paying(much)}]}`,
      200,
    ],
    ['settings', settings, `{"key":"useMock","value":"${'\\n'.repeat(500_000)}"}`, 400],
  ])('blocks the event loop for less than a second: %s (threat 6.16)', async (_, path, body, status) => {
    const service = await fakeUpstream({
      '/v3/batchpayments': answering({ data: { batchId: 'b' } }, 201),
      '/api-msg-v1': answering({}, 202),
    });
    const { url, store, done } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const stalls = watchStalls();
    for (let times = 0; times < 2; times += 1) {
      const answer = await post(url + path, body);
      expect((await answer.text()).length).toBeLessThan(2 * body.length);
      expect(answer.status).toBe(status);
      expect(stalls.longest()).toBeLessThan(1000);
    }
    await done('getFacts');
    expect(stalls.longest()).toBeLessThan(1000);
  });
});

describe('Request bodies', () => {
  const odd = [
    '\\u0000',
    '\\u0008',
    '\\u001b',
    '\\u007f',
    '\\u009b',
    '\\u202d',
    '\\u202e',
    '\\ud800',
    '\\udc00\\ud800',
  ];
  const names = ['__proto__', 'constructor', 'toJSON', 'toString', 'hasOwnProperty', '\\u005f_proto__', 'a\\u0000'];
  const bodies = [
    ...odd.flatMap((text) => [put(`"creditor":{"name":"a${text}b"}`), put(`"more":[["${text}"]]`)]),
    ...names.flatMap((name) => [put(`"creditor":{"${name}":{"name":"n"}}`), put(`"${name}":1`)]),
    put('"creditorId":"a\\u0000b"'),
  ];

  it('with control characters, lone surrogates or special member names are refused (threat 6.18)', async () => {
    const { url, store } = await consoleAlone();
    for (const body of bodies) {
      const answer = await post(url + puts, body);
      const { code, errors } = (await answer.json()) as Problem;
      expect([answer.status, code], body).toEqual([400, 'invalid-request']);
      expect(errors?.[0]?.path, body).toMatch(/^[\x20-\x7e]+$/);
    }
    expect(await store.messages.list()).toEqual([]);
  });
});

describe('A URL with a control character', () => {
  it.each([
    '/api/providers/a%00b',
    '/api/messages/a%0Ab',
    '/api/subscription/%1B',
    '/api/translation/%C2%9B',
    '/api/providers?country=%00',
    '/api/invoices?count=1%00',
  ])('is refused with 400: %s (threat 6.18)', async (path) => {
    const { url } = await consoleAlone();
    const answer = await fetch(url + path);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain('\\u0000');
  });
});
