import { createHmac, randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { notificationsPath } from '#server/http/paths.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { timelineOf } from '#tests/support/knownRecords.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const { webhookSecret, webhookHeader } = sandboxCredentials;
const text = JSON.stringify({ type: 'creditorlistqueryresponses', subscriptionId, data: { name: 'Zoë' } });
const marked = Buffer.from(`\ufeff${text}`);
const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64');

/** A console, and how to send it bytes; `over`: the bytes that are signed, by default those that are sent. */
async function receiving() {
  const { server, unread } = await notified();
  const send = async (bytes: Buffer, headers: Record<string, string> = {}, over = bytes) => {
    const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(over).digest('base64');
    const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    const answer = await fetch(server.url + notificationsPath, {
      method: 'POST',
      body: Uint8Array.from(bytes),
      headers: { 'content-type': 'application/json', ...signed, [webhookHeader.name]: webhookHeader.value, ...headers },
    });
    const { detail = '' } = (answer.status === 204 ? {} : await answer.json()) as { detail?: string };
    return { status: answer.status, detail, headers: answer.headers };
  };
  const refused = async () =>
    [...(await timelineOf(server)).values()].filter(({ kind, status }) => kind === 'webhook' && status !== 204);
  return { send, unread, refused };
}

describe('the signature of a webhook', () => {
  it.each<[string, Buffer, Record<string, string>]>([
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }],
    ['GZIP', gzipSync(text), { 'content-encoding': 'GZIP' }],
    ['deflate', deflateSync(text), { 'content-encoding': 'deflate' }],
    ['br', brotliCompressSync(text), { 'content-encoding': 'br' }],
    ['two codings', brotliCompressSync(gzipSync(text)), { 'content-encoding': 'gzip, br' }],
    ['a byte order mark', marked, {}],
    ['Latin-1', Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), { 'content-type': 'application/json; Charset="UTF-16"' }],
    ['an event type of its own', Buffer.from(text), { 'content-type': 'application/cloudevents+json' }],
  ])('is checked over the bytes as received, which are then decoded: %s (wire 6.3.7)', async (_, bytes, headers) => {
    const { send, unread } = await receiving();
    expect(await send(bytes, headers)).toMatchObject({ status: 204, detail: '' });
    expect(await unread()).toMatchObject([{ data: { name: 'Zoë' } }]);
  });

  it.each<[string, Buffer, Record<string, string>, Buffer, string]>([
    ['a mark', marked, {}, Buffer.from(text), 'the byte order mark before the body was left out'],
    ['compression', gzipSync(text), { 'content-encoding': 'gzip' }, Buffer.from(text), 'before it was compressed'],
    ['a line break', Buffer.from(`${text}\n`), {}, Buffer.from(text), 'the line break after the body was left out'],
    ['nothing', Buffer.from(text), {}, Buffer.from(`${text} `), 'made from another base string'],
  ])('over other bytes is refused with the difference: %s', async (_, bytes, headers, over, words) => {
    const { send, unread } = await receiving();
    expect(await send(bytes, headers, over)).toMatchObject({
      status: 403,
      detail: expect.stringContaining(words) as string,
    });
    expect(await unread()).toEqual([]);
  });

  it.each<[string, Buffer, Record<string, string>, number, string]>([
    [
      'no gzip',
      Buffer.from(text),
      { 'content-encoding': 'gzip' },
      400,
      'it is not compressed as Content-Encoding says (gzip)',
    ],
    ['zstd', Buffer.from(text), { 'content-encoding': 'zstd' }, 415, 'its Content-Encoding is zstd'],
    ['not UTF-8', Buffer.from(text, 'latin1'), {}, 400, 'it is not UTF-8 from byte'],
    [
      'an unknown charset',
      Buffer.from(text),
      { 'content-type': 'application/json; charset=utf-7' },
      415,
      'its charset utf-7 is not known',
    ],
    ['a bomb', gzipSync(Buffer.alloc(6_000_000)), { 'content-encoding': 'gzip' }, 413, 'larger than its call accepts'],
  ])(
    'of a body that cannot be decoded is valid, and the reason is recorded: %s',
    async (_, bytes, headers, status, words) => {
      const { send, refused } = await receiving();
      const answer = await send(bytes, headers);
      expect(answer).toMatchObject({ status, detail: expect.stringContaining(words) as string });
      expect(answer.headers.get('accept-encoding')).toBe(
        headers['content-encoding'] === 'zstd' ? 'gzip, deflate, br' : null,
      );
      expect(await refused()).toMatchObject([
        { status, signature: 'valid', reason: expect.stringMatching(/^The body cannot be read: it is|its/) as string },
      ]);
    },
  );

  it('is checked before the body is decompressed (threat 5.1)', async () => {
    const { send } = await receiving();
    const bomb = gzipSync(Buffer.alloc(6_000_000));
    expect((await send(bomb, { 'content-encoding': 'gzip' }, Buffer.from('other'))).status).toBe(403);
  });
});
