import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodedText, isJsonType, mediaType } from '#server/http/receivedBody.ts';
import { parse } from '#contract/json.ts';
import { calls } from '#contract/calls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { here, temporaryFile, testStorage } from '#tests/support/storage.ts';

const text = '{"name":"Zoë €"}';
const utf16 = (order: 'le' | 'be', mark = ''): Buffer => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const json = (charset: string) => `application/json; ${charset}`;

describe('the content codings of a body', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['X-Gzip ', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    [' , ', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity,Gzip', gzipSync(text)],
    ['gzip', Buffer.concat([gzipSync(text.slice(0, 5)), gzipSync(text.slice(5))])],
  ])('are removed in reverse order, in any letter case: %s', async (coding, bytes) => {
    expect(await decodedText(bytes, { 'content-encoding': coding }, 1000)).toBe(text);
  });

  it.each([
    ['zstd', 415, 'its Content-Encoding is zstd: send gzip, deflate, br or none'],
    ['compress', 415, 'its Content-Encoding is compress'],
    ['gzip, snappy', 415, 'its Content-Encoding is snappy'],
    ['gzip;q=1', 415, 'its Content-Encoding is gzip;q=1'],
    ['br, br, br, br', 415, 'it has 4 content codings'],
    ['br, gzip', 400, 'it is not compressed as Content-Encoding says (br)'],
    ['deflate', 400, 'it is not compressed as Content-Encoding says (deflate)'],
  ])('are refused if they are unknown, too many or wrong: %s', async (coding, status, message) => {
    await expect(decodedText(gzipSync(text), { 'content-encoding': coding }, 1000)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message) as string,
      ...(status === 415 && { headers: { 'accept-encoding': 'gzip, deflate, br' } }),
    });
  });

  it.each([
    ['gzip', gzipSync('x'.repeat(1001))],
    ['br', brotliCompressSync('x'.repeat(1001))],
    ['deflate', deflateSync('x'.repeat(1001))],
    ['br, gzip', gzipSync(brotliCompressSync('x'.repeat(1001)))],
  ])('are refused with 413 if the content is larger than the limit: %s', async (coding, bytes) => {
    const asked = decodedText(bytes, { 'content-encoding': coding }, 1000);
    await expect(asked).rejects.toMatchObject({ status: 413, message: 'it is larger than 1000 bytes' });
  });

  it('are refused if the body is cut', async () => {
    const asked = decodedText(gzipSync(text).subarray(0, -4), { 'content-encoding': 'gzip' }, 1000);
    await expect(asked).rejects.toMatchObject({ status: 400 });
  });
});

describe('the charset of a body', () => {
  it.each([
    ['none', '', Buffer.from(text)],
    ['none, with a byte order mark', '', Buffer.from(`\ufeff${text}`)],
    ['UTF-8 in capitals', 'Charset=UTF-8', Buffer.from(text)],
    ['UTF-8 in quotes', 'charset="utf-8"', Buffer.from(text)],
    ['UTF-8 beside another parameter', 'profile="a"; charset = utf8 ; v=1', Buffer.from(text)],
    ['UTF-16 with a mark', 'charset=utf-16', utf16('le', '\ufeff')],
    ['UTF-16 big-endian with a mark', 'charset=UTF-16', utf16('be', '\ufeff')],
    ['UTF-16 without a mark', 'charset=utf-16', utf16('le')],
    ['UTF-16 big-endian without a mark', 'charset=utf-16', utf16('be')],
    ['UTF-16LE', 'charset=utf-16le', utf16('le')],
    ['UTF-16BE', 'charset=utf-16be', utf16('be')],
    ['UTF-16 that is not named', '', utf16('be')],
    ['UTF-16 with a mark that is not named', '', utf16('le', '\ufeff')],
  ])('decodes it: %s', async (_, charset, bytes) => {
    expect(await decodedText(bytes, { 'content-type': json(charset) }, 1000)).toBe(text);
  });

  it.each(['latin1', 'ISO-8859-1', 'windows-1252', '"iso-8859-1"'])(
    'decodes one byte a character: %s',
    async (charset) => {
      const bytes = Buffer.from('{"name":"Zoë"}', 'latin1');
      expect(await decodedText(bytes, { 'content-type': json(`charset=${charset}`) }, 1000)).toBe('{"name":"Zoë"}');
    },
  );

  it.each([
    ['', Buffer.from('{"name":"Zoë"}', 'latin1'), 400, 'it is not UTF-8 from byte 12 on'],
    ['charset=utf-8', Buffer.from([0x22, 0xe2, 0x82]), 400, 'it is not UTF-8 from byte 2 on'],
    ['charset=utf-8', utf16('le', '\ufeff'), 400, 'it is not UTF-8 from byte 1 on'],
    ['charset=utf-16le', Buffer.from([0x22]), 400, 'it is not in the charset utf-16le'],
    ['charset=utf-7', Buffer.from(text), 415, 'its charset utf-7 is not known: send UTF-8'],
    ['charset=utf-32', Buffer.from(text), 415, 'its charset utf-32 is not known'],
  ])('that the body is not in is refused with its place: %s', async (charset, bytes, status, message) => {
    const asked = decodedText(bytes, { 'content-type': json(charset) }, 1000);
    await expect(asked).rejects.toMatchObject({ status, message: expect.stringContaining(message) as string });
  });
});

it.each([
  ['application/json', true],
  ['Application/JSON;charset=UTF-8', true],
  ['application/json ;', true],
  ['application/cloudevents+json', true],
  ['application/vnd.api+json; ext="x"', true],
  ['model/gltf+json', true],
  ['application/jsonp', false],
  ['application/json+xml', false],
  ['text/json', false],
  ['application/+json', false],
  ['text/plain; application/json', false],
  ['', false],
])('a body is taken for JSON by its media type: %s', (contentType, isJson) => {
  expect(isJsonType(mediaType(contentType))).toBe(isJson);
});

/** Numbers that JavaScript would change. */
const numbers = '{"large":9007199254740993,"amount":120.50,"small":1e-7,"list":[12345678901234567890,-0]}';

const numbersText =
  (body: string, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const answers = {
  [`${endpoints.providers}/p`]: `{"data":{"providerId":"p","name":"n","country":["GB"],"accountType":{"validationRules":[]},"more":${numbers}}}`,
  [endpoints.localInstruments]: `{"data":[{"localInstrumentId":"l","name":"n","validationRules":[],"more":${numbers}}]}`,
  [endpoints.subscriptions]: `{"data":{"subscriptionId":"s","providerId":"p","status":"Authorised","more":${numbers}}}`,
  [endpoints.consumerStatus]: `{"version":"1","branch":"b","name":"n","more":${numbers}}`,
};

async function connected() {
  const service = await fakeUpstream(
    Object.fromEntries(Object.entries(answers).map(([path, body]) => [path, numbersText(body)])),
  );
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  return { service, server };
}

describe('Numbers in responses of the service', () => {
  it.each(['/api/providers/p', calls.getLocalInstruments.path, '/api/subscription/s', calls.getConsumerHealth.path])(
    'reach the page with all digits: %s',
    async (path) => {
      const { server } = await connected();
      const response = await fetch(server.url + path);
      expect(await response.text()).toContain(`"more":${numbers}`);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it('are stored with all digits, in messages and in responses for replay', async () => {
    const { service, server } = await connected();
    const { messages } = server.store;
    const data = parse(`{"id":"s","properties":${numbers}}`) as { id: string }; // an object
    await messages.put('s', keptMessage({ data }));
    expect((await messages.get('s'))?.data).toEqual(data);
    expect((await messages.list())[0]?.data).toEqual(data);
    const { writes } = await testStorage(await temporaryFile());
    const claimed = { ...here, key: 'key', call: 'createBatch', fingerprint: 'print', serviceKey: 's' };
    const row = await writes.claim({ ...claimed, serviceTime: undefined, body: data });
    await writes.end(row!, { answer: data });
    expect(await writes.bodyOf(row!)).toEqual(data);
    expect((await writes.doneOf(row!))?.answer).toEqual(data);
    expect(service.asked).toEqual([]);
  });
});

describe('Numbers in requests to the console', () => {
  const send = (url: string, { method, path }: { method: string; path: string }, body: string) =>
    fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body });

  it.each(['60000', '60000.0', '6e4', '6.0E+4'])('are read in any JSON notation: %s', async (move) => {
    const { url } = await consoleWithSandbox();
    const response = await send(url, calls.changeClock, `{"move":${move}}`);
    expect([response.status, await response.json()]).toMatchObject([200, { data: { offset: 60_000 } }]);
  });

  it.each(['1', '1.10', '1e400'])('are reported as numbers where a string is required: %s', async (value) => {
    const { server } = await connected();
    const response = await send(server.url, calls.setSetting, `{"key":"useMock","value":${value}}`);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toBe('The body is not valid. value: a text, not a number');
  });
});
