import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { connectTo, hasFailed, request, urlOf, type RequestFailure } from '#app/api/http.ts';
import { listening } from '#tests/support/listen.ts';

afterEach(() => connectTo(null));

const json = { 'content-type': 'application/json; charset=utf-8' };
const answerWith = (answer: (response: ServerResponse) => unknown) => async () => {
  const origin = await listening((_, response) => void answer(response));
  connectTo({ origin, headers: { 'x-of': 'the program' } });
};
type Config = Partial<Parameters<typeof request>[0]>;
const get = (more: Config = {}) => request({ method: 'GET', url: '/', ...more });
const failureOf = (more?: Config) => get(more).then(() => null, (error: unknown) => error as RequestFailure); // prettier-ignore

it.each([
  ['JSON is parsed', (to: ServerResponse) => to.writeHead(200, json).end('{"a":[1]}'), {}, { a: [1] }],
  ['JSON of a problem is parsed', (to: ServerResponse) => to.writeHead(200, { 'content-type': 'application/problem+json' }).end('{}'), {}, {}], // prettier-ignore
  ['text stays text', (to: ServerResponse) => to.writeHead(200, { 'content-type': 'text/plain' }).end('{"a":1}'), {}, '{"a":1}'], // prettier-ignore
  ['no body is an empty text', (to: ServerResponse) => to.writeHead(204).end(), {}, ''],
  ['an accepted status is an answer', (to: ServerResponse) => to.writeHead(304).end(), { accepts: 304 }, ''],
] as const)('of a response, %s', async (_, answer, more, data) => {
  await answerWith(answer)();
  expect(await get(more)).toMatchObject({ data });
});

it('a file is bytes even if it looks like JSON, and its refusal is JSON', async () => {
  await answerWith((to) => to.writeHead(200, json).end('{"a":1}'))();
  expect(new TextDecoder().decode((await get({ isFile: true })).data as ArrayBuffer)).toBe('{"a":1}');
  await answerWith((to) => to.writeHead(410, json).end('{"code":"gone"}'))();
  expect((await failureOf({ isFile: true }))?.response).toEqual({ status: 410, data: { code: 'gone' } });
});

it.each([
  ['another status than 2xx', (to: ServerResponse) => to.writeHead(422, json).end('{"title":"No"}'), { status: 422, data: { title: 'No' } }], // prettier-ignore
  ['a 304 that nobody expects', (to: ServerResponse) => to.writeHead(304).end(), { status: 304, data: '' }],
  ['JSON that is none', (to: ServerResponse) => to.writeHead(200, json).end('<html>'), { status: 200, data: undefined }], // prettier-ignore
  ['a connection that closes before the response', (to: ServerResponse) => to.destroy(), undefined],
  ['a body that is cut', (to: ServerResponse) => { to.writeHead(200, { ...json, 'content-length': '99' }); to.write('{'); setTimeout(() => to.destroy(), 20); }, undefined], // prettier-ignore
  ['a time limit', () => undefined, undefined],
] as const)('a request fails by %s, with the response if there was one', async (name, answer, response) => {
  await answerWith(answer)();
  const failure = await failureOf(name === 'a time limit' ? { timeout: 30 } : {});
  expect(hasFailed(failure)).toBe(true);
  expect(failure?.response).toEqual(response);
});

it.each([{}, { timeout: 5000 }])('a request that its caller ends has not failed: %j', async (more) => {
  await answerWith(() => undefined)();
  const ending = new AbortController();
  const failure = failureOf({ ...more, signal: ending.signal });
  ending.abort();
  expect(hasFailed(await failure)).toBe(false);
});

it('a request without a body has no content type, one with a body is JSON, and both have the given headers', async () => {
  const seen: (string | undefined)[][] = [];
  const origin = await listening(({ headers, method }, response) => {
    seen.push([method, headers['content-type'], headers['x-own'], headers['x-of']].map(String));
    response.end();
  });
  connectTo({ origin, headers: { 'x-of': 'the program' } });
  await get({ headers: { 'x-own': '1' } });
  await request({ method: 'POST', url: '/', data: {}, headers: { 'x-own': '2' } });
  expect(seen).toEqual([
    ['GET', 'undefined', '1', 'the program'],
    ['POST', 'application/json', '2', 'the program'],
  ]);
});

it.each([
  ['/api/x', undefined, '/api/x'],
  ['/api/x', { a: undefined }, '/api/x'],
  ['/api/x', { q: 'a b&c', empty: '', none: undefined }, '/api/x?q=a+b%26c&empty='],
])('the URL of %s with %j is %s', (url, params, expected) => {
  expect(urlOf(url, params)).toBe(expected);
});
