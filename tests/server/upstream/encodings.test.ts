import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { clientOf } from '#tests/support/client.ts';
import { fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

type Encode = (text: string) => Buffer;
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
];

const refusal = { error: { code: 'BadRequest', message: 'Der Betrag „ü“ fehlt'.replaceAll(/[„“]/g, '"') } };
const health = { status: 'Up', version: '1', branch: 'Überweisung', name: 'n' };

/** A console whose service writes its JSON in a way. */
async function consoleOf(type: string, encode: Encode) {
  const answering =
    (body: unknown, status: number): Script =>
    (response) =>
      void response.writeHead(status, { 'content-type': type }).end(encode(JSON.stringify(body)));
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

  it('has its payment files kept byte for byte, with their byte order mark', async () => {
    const bytes = Buffer.from('\ufeffÜberweisung\r\n');
    const service = await fakeUpstream({
      '/files': (response) => void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(bytes),
    });
    const file = await clientOf(service.url).paymentFile(`${service.url}/files/1`);
    expect(Buffer.from(file.bytes)).toEqual(bytes);
  });
});
