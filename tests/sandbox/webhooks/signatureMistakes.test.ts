import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkSignature } from '#server/sandbox/webhooks/signature.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const { webhookSecret: secret } = sandboxCredentials;
const now = Date.parse('2026-03-01T12:00:00.000Z');
const [id, timestamp] = ['msg_1', String(now / 1000)];
const body = '{"type":"batchUpdated","data":{"name":"Zoë"}}';
const right = `${id}.${timestamp}.${body}`;
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');

it.each<[words: string, signed: string, by?: string | Buffer, hash?: string]>([
  ['not decoded from Base64, and its prefix whsec_ was not removed', right, secret],
  ['the secret was not decoded from Base64', right, secret.slice('whsec_'.length)],
  ['the prefix whsec_ was not removed from the secret', right, Buffer.from(secret, 'base64')],
  ['the key was written in hexadecimal digits', right, key.toString('hex')],
  ['HMAC-SHA-1 instead of HMAC-SHA256', right, key, 'sha1'],
  ['HMAC-SHA-512 instead of HMAC-SHA256', right, key, 'sha512'],
  ['key and text of HMAC were exchanged', key.toString('latin1'), right],
  ['only the body was signed, without id and timestamp', body],
  ['the id was left out', `${timestamp}.${body}`],
  ['the timestamp was left out', `${id}.${body}`],
  ['the timestamp was signed before the id', `${timestamp}.${id}.${body}`],
  ['joined without dots', `${id}${timestamp}${body}`],
  ['joined by line breaks', `${id}\n${timestamp}\n${body}`],
  ['joined by colons', `${id}:${timestamp}:${body}`],
  ['the timestamp was signed in milliseconds', `${id}.${timestamp}000.${body}`],
  ['the timestamp was signed as a date', `${id}.${timestamp}.${body}`.replace(timestamp, '2026-03-01T12:00:00.000Z')],
  ['parsed and written again, in several lines', `${id}.${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`],
  ['with other characters than ASCII as \\u escapes', right.replace('ë', '\\u00eb')],
  ['with its members sorted by name', `${id}.${timestamp}.{"data":{"name":"Zoë"},"type":"batchUpdated"}`],
  ['a line break was signed after the body', `${right}\n`],
  ['a byte order mark was signed before the body', `${id}.${timestamp}.\ufeff${body}`],
  ['the body was signed as a JSON string', `${id}.${timestamp}.${JSON.stringify(body)}`],
])('the wrong signature of a webhook is explained: %s', async (words, signed, by = key, hash = 'sha256') => {
  const text = words.startsWith('key and text') ? Buffer.from(signed, 'latin1') : signed;
  const signature = `v1,${createHmac(hash, by).update(text).digest('base64')}`;
  const { problems } = await checkSignature({ id, timestamp, body }, signature, secret, now);
  expect(problems).toEqual([expect.stringMatching(/^webhook-signature: not made as it should be: /)]);
  expect(problems[0]).toContain(words);
});
