import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { clientOf } from '#tests/support/client.ts';
import { fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

type Encode = (text: string) => Buffer;
/** UTF-32, little-endian. */
function utf32(text: string): Buffer {
  const bytes = Buffer.alloc([...text].length * 4);
  [...text].forEach((letter, at) => bytes.writeUInt32LE(letter.codePointAt(0)!, at * 4));
  return bytes;
}
const bigEndian: Encode = (text) => Buffer.from(text, 'utf16le').swap16();

/** Ways to write a JSON body: its encoding, and the content type that goes with it. */
const ways: [string, string, Encode][] = [
  ['UTF-8 with a byte order mark', 'application/json', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-8 with a byte order mark and white space', 'application/json', (text) => Buffer.from(`\ufeff\r\n ${text}\r\n`)],
  [
    'UTF-8 with a mark, of another charset',
    'application/json; charset=iso-8859-1',
    (text) => Buffer.from(`\ufeff${text}`),
  ],
  ['UTF-8, of another charset', 'application/json; charset=iso-8859-1', (text) => Buffer.from(text)],
  ['UTF-8, of an unknown charset', 'application/json;charset="none"', (text) => Buffer.from(text)],
  ['UTF-16 with a mark', 'application/json', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without one', 'application/json', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 big-endian with a mark', 'application/json; charset=UTF-16', (text) => bigEndian(`\ufeff${text}`)],
  ['Latin-1', 'application/json; charset="ISO-8859-1"', (text) => Buffer.from(text, 'latin1')],
  ['UTF-32 with a mark', 'application/json', (text) => utf32(`\ufeff${text}`)],
  ['UTF-32 without one', 'application/json; charset=utf-32', utf32],
  ['UTF-32 big-endian with a mark', 'application/json', (text) => utf32(`\ufeff${text}`).swap32()],
  ['UTF-32 big-endian without one', 'application/json', (text) => utf32(text).swap32()],
];

/** Ways that a proxy adds; a refusal in them may be of the proxy. */
const ofProxies: [string, Record<string, string>, Encode][] = [
  ['compressed by gzip', { 'content-encoding': 'gzip' }, (text) => gzipSync(text)],
  ['compressed by x-gzip, in capitals', { 'content-encoding': 'X-GZIP' }, (text) => gzipSync(text)],
  ['compressed by deflate', { 'content-encoding': 'deflate' }, (text) => deflateSync(text)],
  ['compressed by deflate without its frame', { 'content-encoding': 'deflate' }, (text) => deflateRawSync(text)],
  ['compressed by Brotli', { 'content-encoding': 'br' }, (text) => brotliCompressSync(text)],
  ['compressed twice', { 'content-encoding': 'gzip, br' }, (text) => brotliCompressSync(gzipSync(text))],
  ['compressed without a word', {}, (text) => gzipSync(text)],
  [
    'compressed, in UTF-16',
    { 'content-encoding': 'gzip' },
    (text) => gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')),
  ],
  ['with two byte order marks', {}, (text) => Buffer.from(`\ufeff\ufeff${text}`)],
  ['with a mark after blanks', {}, (text) => Buffer.from(`  \ufeff${text}`)],
  ['after other white space', {}, (text) => Buffer.from(`\u00a0\v\f\u2028${text}`)],
  [
    'in UTF-16, called UTF-8',
    { 'content-type': 'text/plain; charset=utf-8' },
    (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  ],
  ['called compressed, and not', { 'content-encoding': 'gzip' }, (text) => Buffer.from(text)],
  [
    'called compressed by a coding that nobody knows, and not',
    { 'content-encoding': 'aws-chunked' },
    (text) => Buffer.from(text),
  ],
  ['before a NUL', {}, (text) => Buffer.from(`${text}\0\0`)],
  ['before a Control-Z', {}, (text) => Buffer.from(`${text}\r\n\x1a`)],
  ['before a byte order mark', {}, (text) => Buffer.from(`${text}\ufeff`)],
  ['before a comment', {}, (text) => Buffer.from(`${text}\n<!-- 12 ms, node 3 -->`)],
  ['before a brace too many', {}, (text) => Buffer.from(`${text}}`)],
  ['before bytes that are no text', {}, (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0x80])])],
];

const refusal = { error: { code: 'BadRequest', message: 'Der Betrag „ü“ fehlt'.replaceAll(/[„“]/g, '"') } };
const health = { status: 'Up', version: '1', branch: 'Überweisung', name: 'n' };

/** A console whose service writes its JSON in a way. */
async function consoleOf(type: string, encode: Encode, headers: Record<string, string> = {}) {
  const answering =
    (body: unknown, status: number): Script =>
    (response) =>
      void response.writeHead(status, { 'content-type': type, ...headers }).end(encode(JSON.stringify(body)));
  let answered = answering(refusal, 400);
  const service = await fakeUpstream({
    [endpoints.accessToken]: answering({ jwt: unsignedJwt() }, 201),
    [endpoints.consumerStatus]: answering(health, 200),
    [endpoints.batches]: (...exchange) => answered(...exchange),
    [`${endpoints.batches}/`]: answering({ data: { batchId: 'Ü-1', status: 'Completed' } }, 200),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 'subscription-1',
  });
  const acceptBatches = () => void (answered = answering({ data: { batchId: 'Ü-1', status: 'Received' } }, 201));
  return { ...server, acceptBatches };
}

describe('A service that writes its JSON', () => {
  it.each(ways)('as %s is read: its answers, writes and refusals (wire 5.6.1)', async (_, type, encode) => {
    const { done, refused, acceptBatches } = await consoleOf(type, encode);
    expect(await done('getConsumerHealth')).toMatchObject({ data: health });
    const body = { ...batch, fileFormatId: 'f' };
    expect(await refused('createBatch', { body, key: 'one' })).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining(refusal.error.message) as string,
    });
    acceptBatches();
    expect(await done('createBatch', { body, key: 'two' })).toMatchObject({ data: { batchId: 'Ü-1' } });
    expect(await done('getBatch', { params: { batchId: 'Ü-1' } })).toMatchObject({ data: { status: 'Completed' } });
    const { data } = await done('getTimeline', { query: { kind: 'service' } });
    const [recorded] = data.filter(({ method, url }) => method === 'GET' && url.includes('status'));
    expect(recorded?.response).toMatchObject({ body: expect.stringContaining('"Überweisung"') as string });
    expect(recorded?.response).not.toHaveProperty('encoding');
  });

  it.each(ofProxies)('is read where it comes %s: what was done is done (wire 5.6.1)', async (_, headers, encode) => {
    const { done, refused, acceptBatches } = await consoleOf('application/json', encode, headers);
    expect(await done('getConsumerHealth')).toMatchObject({ data: health });
    const body = { ...batch, fileFormatId: 'f' };
    expect(await refused('createBatch', { body, key: 'one' })).toMatchObject({ outcome: 'unknown' });
    acceptBatches();
    expect(await done('createBatch', { body, key: 'one' })).toMatchObject({ data: { batchId: 'Ü-1' } });
    expect(await done('getBatch', { params: { batchId: 'Ü-1' } })).toMatchObject({ data: { status: 'Completed' } });
  });

  it.each<[string, string]>([
    ['another object', '{"data":{"batchId":"2"}}'],
    ['another list', ' []'],
    ['a page with a script', '<script>({})</script>'],
  ])('does not say what was done if %s follows', async (_, more) => {
    const { refused, acceptBatches } = await consoleOf('application/json', (text) =>
      Buffer.from(text.includes('batchId') ? text + more : text),
    );
    acceptBatches();
    const body = { ...batch, fileFormatId: 'f' };
    expect(await refused('createBatch', { body, key: 'one' })).toMatchObject({ outcome: 'unknown' });
  });

  it.each<[string, number, string]>([
    ['no body', 200, ''],
    ['no body', 201, ''],
    ['blanks', 200, ' \r\n'],
    ['a byte order mark', 202, '\ufeff'],
    ['null', 200, 'null'],
    ['a text', 201, 'Accepted'],
  ])('has done a message that it answers with %s and status %i', async (_, status, text) => {
    const service = await fakeUpstream({
      [endpoints.messaging]: (response) => void response.writeHead(status).end(text),
      [`${endpoints.subscriptions}/`]: (response) => void response.writeHead(status).end(text),
    });
    const company = { organisationId: 'o', companyId: 'c', signingKey: 'k' };
    const client = clientOf(service.url);
    await expect(client.send(company, 'creditorputs', { a: 1 }, 'key')).resolves.toBeTypeOf('string');
    await expect(
      client.patchSubscription(company, 's', { data: { suspendedByConsumer: true } }),
    ).resolves.toBeUndefined();
  });
});
