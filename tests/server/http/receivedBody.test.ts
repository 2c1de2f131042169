import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodedText, isJsonType, mediaType } from '#server/http/receivedBody.ts';

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
