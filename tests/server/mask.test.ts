import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { maskOf, maskOfAnswers, maskTokens } from '#server/mask.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { clientOf, company, problemOf } from '#tests/support/client.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';

const secret = 'k/ey+42=a"b%c&d\\e';
const hex = (text: string) => text.charCodeAt(0).toString(16).padStart(2, '0');
const each = (write: (character: string) => string) => (text: string) => [...text].map(write).join('');

const ways: Record<string, (text: string) => string> = {
  plainly: (text) => text,
  'as JSON': (text) => JSON.stringify(text).slice(1, -1),
  'as JSON with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
  'as JSON escapes': each((character) => `\\u00${hex(character)}`),
  'as JSON escapes in upper case': each((character) => `\\u00${hex(character).toUpperCase()}`),
  'as JSON escapes in JSON': each((character) => `\\\\u00${hex(character)}`),
  'in an address': encodeURIComponent,
  'in an address, in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'in an address in an address': (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  'with every character percent-encoded': each((character) => `%${hex(character)}`),
  'percent-encoded, the percent sign escaped': each((character) => `\\u0025${hex(character)}`),
  'escaped, the backslash percent-encoded': each((character) => `%5Cu00${hex(character)}`),
  'in a page': each((character) => `&#x${hex(character)};`),
  'in a page, in decimals': each((character) => `&#${character.charCodeAt(0)};`),
  'in a page, without semicolons': each((character) => `&#x${hex(character)}`),
  'in a page, in decimals without semicolons': each((character) => `&#${character.charCodeAt(0)}`),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 behind other things': (text) => Buffer.from(`user:${text}:more`).toString('base64'),
  'in Base64 for addresses': (text) => Buffer.from(`x${text}`).toString('base64url'),
  'in Base64, percent-encoded': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

describe('Masking of secrets in a text', () => {
  it.each(Object.entries(ways))('masks a secret in this encoding: %s', (_, write) => {
    const written = write(secret);
    const masked = maskOf([secret])(`before ${written} after ${written}`);
    expect(masked).toContain(secretIsSet);
    expect(masked).toMatch(/^before .{8,24} after .{8,24}$/su);
  });

  it.each<[string, (text: string) => string]>([
    ['with a character without width within', (text) => `${text.slice(0, 5)}\u200b${text.slice(5)}`],
    ['with such characters in JSON', (text) => text.replace(/.{3}/g, '$&\\u2060')],
    ['over several lines', (text) => text.replace(/.{6}/g, '$&\r\n  ')],
    ['over several lines in JSON', (text) => JSON.stringify(text.replace(/.{6}/g, '$&\n')).slice(1, -1)],
    ['in quoted-printable', (text) => text.replaceAll('=', '=3D').replaceAll('+', '=2B')],
    ['in quoted-printable lines', (text) => text.replaceAll('=', '=3D').replace(/^.{7}/, '$&=\r\n')],
    ['in Base64 in lines', (text) => Buffer.from(text).toString('base64').replace(/.{16}/g, '$&\n')],
    ['in Base64 in lines in JSON', (text) => Buffer.from(text).toString('base64').replace(/.{16}/g, '$&\\r\\n')],
    ['without padding', (text) => text.replace(/=+$/, '')],
    ['in an address without padding', (text) => encodeURIComponent(text.replace(/=+$/, ''))],
    ['with "+" read as a blank', (text) => text.replaceAll('+', ' ')],
    ['in the alphabet for addresses', (text) => text.replaceAll('+', '-').replaceAll('/', '_')],
    [
      'in hexadecimal of mixed case',
      (text) =>
        Buffer.from(text)
          .toString('hex')
          .replace(/[a-c]/g, (d) => d.toUpperCase()),
    ],
    ['as its bytes in hexadecimal', (text) => Buffer.from(text, 'base64').toString('hex')],
    [
      'in hexadecimal with colons',
      (text) =>
        Buffer.from(text)
          .toString('hex')
          .replace(/..(?=.)/g, '$&:'),
    ],
    ['as JSON in lines', (text) => JSON.stringify({ a: text.slice(0, 9) + '\n' + text.slice(9) })],
  ])('masks a key in Base64 that is written so: %s (threat 3.5)', (_, write) => {
    for (const key of ['Q+cd/0123456789+abcdEF/ghijklmn0123456789o==', 'zzz/ABCDEFGHIJKLMNOP+QRSTUVWXYZ=']) {
      const masked = maskOf([key])(`before ${write(key)} after`);
      expect(masked).toContain(secretIsSet);
      for (const part of [key.slice(0, 6), key.slice(9, 15), key.slice(-8, -2)]) expect(masked).not.toContain(part);
      expect(masked).toMatch(/^before .* after$/su);
    }
  });

  it('masks a secret whose characters are each escaped differently (threat 3.5)', () => {
    const key = 'k/ey+42=ab-c_d.e';
    const writes = [
      ways['plainly']!,
      ways['as JSON escapes']!,
      ways['in an address in an address']!,
      ways['in a page']!,
    ];
    const pick = fc.array(fc.nat(writes.length - 1), { minLength: key.length, maxLength: key.length });
    fc.assert(
      fc.property(pick, (picked) => {
        const written = [...key].map((character, index) => writes[picked[index]!]!(character)).join('');
        expect(maskOf([key])(`<${written}>`)).toBe(`<${secretIsSet}>`);
      }),
    );
  });

  it('leaves partial secrets, long escapes and secrets of two characters unchanged', () => {
    const mask = maskOf([secret, 'another secret']);
    for (const text of ['', 'key', 'k/ey+42', '\\'.repeat(50_000), '%25'.repeat(50_000), 'k/'.repeat(50_000)])
      expect(mask(text)).toBe(text);
    expect(maskOf(['', 'ab'])('ab')).toBe('ab');
  });

  it('masks any bearer token', () => {
    expect(maskTokens(`Bearer ${unsignedJwt()}, eyJustText`)).toBe(`Bearer ${secretIsSet}, eyJustText`);
  });
});

/** The secrets of a request, as its headers and its signature hold them. */
const secretsOf = (headers: IncomingHttpHeaders): string[] =>
  [headers[header.apiKey], headers['authorization'], company.signingKey].map((each) =>
    String(each).replace('Bearer ', ''),
  );

describe('A service that repeats the console’s secrets in a refusal', () => {
  it.each(Object.entries(ways))('has them masked in the problem response: %s (threat 3.5)', async (_, write) => {
    const jwt = unsignedJwt();
    const service = await fakeUpstream({
      [endpoints.accessToken]: answering({ jwt }),
      [endpoints.subscriptions]: (response, { headers }) => {
        const shown = secretsOf(headers).map(write);
        response.writeHead(400, { 'content-type': `text/${headers[header.apiKey] as string}` });
        response.end(`{"title":"no","status":400,"detail":"${shown[0]}","errors":[{"path":"${shown[1]}",
          "message":"${shown[2]}"}]}`);
      },
    });
    const problem = await problemOf(clientOf(service.url).subscription(company, 's'));
    const { apiKey } = upstreamAt(service.url);
    expect(problem.upstream?.body).toContain(secretIsSet);
    const problems = JSON.stringify(problem);
    for (const each of [apiKey, jwt, company.signingKey])
      for (const shown of [write(each), each]) expect(problems).not.toContain(shown);
  });
});

describe('A service that repeats the console’s secrets in a response', () => {
  it.each(Object.entries(ways))('has them masked: %s (threat 3.6)', async (_, write) => {
    const jwt = unsignedJwt();
    const service = await fakeUpstream({
      [endpoints.accessToken]: answering({ jwt }),
      [endpoints.subscriptions]: (response, { headers }) => {
        const shown = secretsOf(headers).map(write);
        const data = { subscriptionId: 's', providerId: 'p', status: 'Authorised', more: shown };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      },
    });
    const read = JSON.stringify(await clientOf(service.url).subscription(company, 's'));
    expect(read).toContain(secretIsSet);
    expect(read).toContain('Authorised');
    const { apiKey } = upstreamAt(service.url);
    for (const each of [apiKey, jwt, company.signingKey])
      for (const shown of [write(each), each]) expect(read).not.toContain(JSON.stringify(shown).slice(1, -1));
  });

  it('keeps all other text, including short secrets and escapes', () => {
    const mask = maskOfAnswers([secret, 'short']);
    const text = `${'"\\u0041\\/%25" '.repeat(10_000)} short`;
    expect(mask(text)).toBe(text);
    expect(mask(`${'x'.repeat(1_000_000)}${secret}`)).toBe(`${'x'.repeat(1_000_000)}${secretIsSet}`);
  });
});
