import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mistakeAmong, type ReceivedToSign } from '#server/upstream/signatureMistakes.ts';
import { secretAddress } from '#server/upstream/secretAddress.ts';

const json = '{"name":"Zoë & Co","z":1.50,"a":"x/y"}\n';
const key = 'T3JnYW5pc2F0aW9uLUtleQ==';
const applicationKey = 'Application-Key';
const call = {
  method: 'POST',
  url: 'https://api.example.com/auth-v1/Things',
  query: [
    ['z', 'it is (1)*'],
    ['a', '2'],
  ] as [string, string][],
  nonce: 'N-1+2 3/é',
};

/** RFC 3986, written here once more, so that the mistakes do not come from the program. */
const enc = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const base64 = (body: string | Buffer) => Buffer.from(body as string).toString('base64');

/** What a program signs: each part can be made wrongly. */
interface Parts {
  method?: string;
  url?: string;
  /** The parameters before they are encoded as a whole. */
  parameters?: string;
  address?: string;
  nonce?: string;
  body?: string | Buffer;
  query?: [string, string][];
}
const pair = ([name, value]: readonly [string, string]) => `${enc(name)}=${enc(value)}`;
function text({ body = json, query = call.query, ...parts }: Parts = {}): string {
  const pairs: [string, string][] = [
    ...query,
    ...(body.length > 0 ? [['body', base64(body)] as [string, string]] : []),
  ];
  const parameters =
    parts.parameters ??
    enc(
      pairs
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(pair)
        .join('&'),
    );
  const address = parts.address ?? enc((parts.url ?? call.url).toLowerCase());
  return [parts.method ?? call.method, address, parameters, parts.nonce ?? enc(call.nonce)].join('&');
}
const hmac = (signed: string, by: string | Buffer = `${key}&null`, hash = 'sha1') =>
  createHmac(hash, by).update(signed);
const sign = (parts: Parts = {}) => hmac(text(parts)).digest('base64');
const of = (signed: string) => hmac(signed).digest('base64');
const right = text();
const value = JSON.parse(json) as Record<string, unknown>;
const sorted = { a: value['a'], name: value['name'], z: value['z'] };
const python = '{"name": "Zo\\u00eb & Co", "z": 1.5, "a": "x/y"}';
const inOrder = [...call.query, ['body', base64(json)] as [string, string]];
const withBody = (written: string) => {
  const pairs: [string, string][] = [
    ['a', '2'],
    ['body', written],
    ['z', 'it is (1)*'],
  ];
  return sign({ parameters: enc(pairs.map(pair).join('&')) });
};

const explain = (given: string, change: Partial<ReceivedToSign> = {}) =>
  mistakeAmong(given, [{ ...call, body: Buffer.from(json), content: json, key, ...change }], {
    'the application’s key': applicationKey,
  });

const mistakes: [sentence: string, given: string][] = [
  ['the method was not put in upper case', sign({ method: 'post' })],
  ['the method GET was signed instead of POST', sign({ method: 'GET' })],
  ['the URL was not put in lower case', sign({ address: enc(call.url) })],
  ['the URL was not put in lower case', sign({ address: enc('https://API.EXAMPLE.COM/auth-v1/Things') })],
  ['the URL was not percent-encoded', sign({ address: call.url.toLowerCase() })],
  ['the URL was percent-encoded twice', sign({ address: enc(enc(call.url.toLowerCase())) })],
  ['a “/” was signed at the end of the URL', sign({ url: `${call.url}/` })],
  ['the default port was signed', sign({ url: call.url.replace('.com', '.com:443') })],
  ['the URL was signed with http', sign({ url: call.url.replace('https', 'http') })],
  ['only the path was signed instead of the whole URL', sign({ url: '/auth-v1/Things' })],
  ['the URL was signed without its scheme', sign({ url: 'api.example.com/auth-v1/Things' })],
  ['only scheme and host were signed', sign({ url: 'https://api.example.com' })],
  ['with “//” in its path', sign({ url: 'https://api.example.com//auth-v1/Things' })],
  ['the query was left in the URL', sign({ url: `${call.url}?z=it+is+%281%29*&a=2` })],
  ['the query was left in the URL', sign({ url: `${call.url}?z=it+is+%281%29*&a=2`, query: [] })],
  ['the query was left out', sign({ query: [] })],
  ['the parameters were not sorted by name', sign({ parameters: enc(inOrder.map(pair).join('&')) })],
  ['sorted in descending order', sign({ parameters: enc([...inOrder].sort().reverse().map(pair).join('&')) })],
  ['percent-encoded once instead of twice', sign({ parameters: [...inOrder].sort().map(pair).join('&') })],
  ['percent-encoded once instead of twice', sign({ parameters: enc(inOrder.map((each) => each.join('=')).join('&')) })],
  ['the parameters were not percent-encoded', sign({ parameters: inOrder.map((each) => each.join('=')).join('&') })],
  ['percent-encoded three times', sign({ parameters: enc(enc([...inOrder].sort().map(pair).join('&'))) })],
  [
    'encoded as “+” instead of “%20”',
    sign({ parameters: enc([...inOrder].sort().map(pair).join('&').replaceAll('%20', '+')) }),
  ],
  [
    "! ' ( ) * were not percent-encoded",
    of(right.replace(/%25(28|29|2A)/g, (_, code: string) => decodeURIComponent(`%${code}`))),
  ],
  ['the percent-encoding has lower-case digits', of(right.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))],
  ['the body was left out', sign({ body: '' })],
  ['the body was signed as it is instead of its Base64', withBody(json)],
  ['the body was signed in hexadecimal digits', withBody(Buffer.from(json).toString('hex'))],
  ['the body was signed in the URL-safe alphabet', withBody(Buffer.from(json).toString('base64url'))],
  ['was broken into lines', withBody(`${base64(json)}\n`)],
  ['without the name “body”', sign({ parameters: enc(enc(base64(json))) })],
  ['the body was parsed and written again', sign({ body: JSON.stringify(value) })],
  ['in several lines', sign({ body: JSON.stringify(value, null, 2) })],
  ['in several lines', sign({ body: JSON.stringify(value, null, '\t') })],
  ['with other characters than ASCII as \\u escapes', sign({ body: python })],
  ['with a blank after each comma and colon', sign({ body: python.replace('\\u00eb', 'ë') })],
  ['with “\\/” for “/”', sign({ body: JSON.stringify(value).replace('/', '\\/') })],
  ['with its members sorted by name', sign({ body: JSON.stringify(sorted) })],
  ['a byte order mark was signed before the body', sign({ body: `\ufeff${json}` })],
  ['a line break was signed after the body', sign({ body: `${json}\n` })],
  ['the line break after the body was left out', sign({ body: json.trim() })],
  ['as CR LF instead of LF', sign({ body: json.replace('\n', '\r\n') })],
  ['in Latin-1 instead of its bytes', sign({ body: Buffer.from(json, 'latin1') })],
  ['as a JSON string', sign({ body: JSON.stringify(json) })],
  ['the SHA-256 of the body', sign({ body: createHash('sha256').update(json).digest('hex') })],
  ['the nonce was left out', sign({ nonce: '' })],
  ['the nonce was left out', of(right.slice(0, right.lastIndexOf('&')))],
  ['the nonce was not percent-encoded', sign({ nonce: call.nonce })],
  ['the nonce was percent-encoded twice', sign({ nonce: enc(enc(call.nonce)) })],
  ['“+” in the nonce was signed as a blank', sign({ nonce: enc(call.nonce.replace('+', ' ')) })],
  ['blanks in the nonce were encoded as “+”', sign({ nonce: enc(call.nonce).replace('%20', '+') })],
  ['the nonce was put in lower case', sign({ nonce: enc(call.nonce.toLowerCase()) })],
  ['the nonce was signed without its hyphens', sign({ nonce: enc(call.nonce.replace('-', '')) })],
  ['joined by line breaks instead of “&”', of(right.replaceAll('&', '\n'))],
  ['joined without “&”', of(right.replaceAll('&', ''))],
  ['a line break was signed after the text', of(`${right}\n`)],
  ['the whole text was put in lower case', of(right.toLowerCase())],
  ['“&null” was not appended to the key', hmac(right, key).digest('base64')],
  ['“&” was appended to the key instead of “&null”', hmac(right, `${key}&`).digest('base64')],
  ['“null” was appended to the key without “&”', hmac(right, `${key}null`).digest('base64')],
  ['“&null” was written before the key', hmac(right, `null&${key}`).digest('base64')],
  ['decoded from Base64, and “&null” was not appended', hmac(right, Buffer.from(key, 'base64')).digest('base64')],
  ['the key was decoded from Base64', hmac(right, 'Organisation-Key&null').digest('base64')],
  ['the key was written in Base64', hmac(right, `${base64(key)}&null`).digest('base64')],
  ['a line break follows the key', hmac(right, `${key}\n&null`).digest('base64')],
  ['the key stands in quotes', hmac(right, `"${key}"&null`).digest('base64')],
  ['it was signed with the application’s key', hmac(right, `${applicationKey}&null`).digest('base64')],
  ['application’s key, to which “&null” was not appended', hmac(right, applicationKey).digest('base64')],
  ['HMAC-SHA-256 instead of HMAC-SHA1', hmac(right, `${key}&null`, 'sha256').digest('base64')],
  ['HMAC-MD5 instead of HMAC-SHA1', hmac(right, `${key}&null`, 'md5').digest('base64')],
  ['a plain SHA-1 without a key', createHash('sha1').update(right).digest('base64')],
  ['a plain SHA-1 of key and text', createHash('sha1').update(`${key}&null${right}`).digest('base64')],
  ['the key and the text of HMAC were exchanged', hmac(`${key}&null`, right).digest('base64')],
  ['written in hexadecimal digits instead of Base64', hmac(right).digest('hex')],
  ['written in hexadecimal digits instead of Base64', hmac(right).digest('hex').toUpperCase()],
  ['the “=” at the end of its Base64 are missing', of(right).replace('=', '')],
  ['the Base64 of hexadecimal digits', base64(hmac(right).digest('hex'))],
  ['it is written in Base64 twice', base64(of(right))],
  ['it is percent-encoded', encodeURIComponent(of(right))],
  ['something else stands beside it', `sha1=${of(right)}`],
  ['something else stands beside it', `"${of(right)}"`],
];

describe('the explanation of a wrong X-Signature', () => {
  it.each(mistakes)('names the mistake: %s (behaviour 7.11)', (sentence, given) => {
    const { words, expected, signed } = explain(given);
    expect(words).toContain(sentence);
    expect(expected).toBe(right);
    expect(signed).not.toBe('');
  });

  it('names two mistakes if the signature is also written wrongly', () => {
    const given = hmac(right, key).digest('hex');
    expect(explain(given).words).toContain('“&null” was not appended to the key; it is written in hexadecimal digits');
  });

  it.each([
    ['the “/” at the end of the URL was left out', 'https://api.example.com/a/', 'https://api.example.com/a'],
    ['the port was left out of the URL', 'http://localhost:4000/a', 'http://localhost/a'],
    ['the URL was signed with https', 'http://localhost:4000/a', 'https://localhost:4000/a'],
  ])('knows the address as it was called: %s', (sentence, url, signedUrl) => {
    expect(explain(sign({ url: signedUrl }), { url }).words).toContain(sentence);
  });

  it('names the URL-safe alphabet', () => {
    const nonce = Array.from({ length: 100 }, (_, at) => `n${at}`).find((each) => /[+/]/.test(sign({ nonce: each })))!; // one in two signatures has such a character
    const given = sign({ nonce }).replaceAll('+', '-').replaceAll('/', '_');
    expect(explain(given, { nonce }).words).toContain('URL-safe alphabet');
    expect(explain(given.replace('=', ''), { nonce }).words).toContain('and without “=” at its end');
  });

  it('names bytes that were compressed or marked after they had been signed', () => {
    const zipped = { body: gzipSync(json), content: json };
    expect(explain(sign(), zipped).words).toContain('signed before it was compressed');
    const marked = { body: Buffer.from(`\ufeff${json}`), content: json };
    expect(explain(sign(), marked).words).toContain('the byte order mark before the body was left out');
  });

  it('names what was signed for a call without body and query', () => {
    const none = { body: Buffer.alloc(0), content: '', query: [], method: 'GET' };
    const bare = text({ method: 'GET', body: '', query: [] });
    expect(explain(of(bare.replace('&&', '&')), none).words).toContain('one of the three “&” is missing');
    expect(explain(sign({ method: 'GET', body: '{}', query: [] }), none).words).toContain(
      'the body {} was signed, but no body',
    );
    expect(explain(sign({ body: '', query: [] }), none).words).toContain('the method POST was signed instead of GET');
  });

  it('says so if no usual mistake gives it, or the call is too long', () => {
    expect(explain('c29tZXRoaW5n').words).toMatch(/^No usual mistake gives this signature/);
    const long = Buffer.alloc(200_000, 'x');
    expect(explain('c29tZXRoaW5n', { body: long, content: String(long) }).words).toContain('too long to look for');
  });
});

const batch = '5b0c91de-0000-4000-8000-0000000077a1';

it.each([
  [`/files/${batch}?token=abcdefghij`, `/files/${batch}?token=$TOKEN`, ['abcdefghij']],
  ['/files/another-00000-1?token=abcdefghij', '/files/$TOKEN?token=$TOKEN', ['another-00000-1', 'abcdefghij']],
  ['/v3/payment-files/Xy3kQ9pLm2/file.txt', '/v3/payment-files/$TOKEN/file.txt', ['Xy3kQ9pLm2']],
  ['/b/f?X-Expires=60&X-Signature=ab%2Fcd%2Fef%3D', '/b/f?X-Expires=$TOKEN&X-Signature=$TOKEN', ['ab%2Fcd%2Fef%3D']],
  ['/f?abcdefghijk', '/f?$TOKEN', ['abcdefghijk']],
  ['/correcthorsebatterystaple', '/$TOKEN', ['correcthorsebatterystaple']],
  ['/', '/', []],
])('the address of a link is shown without what may be its secret: %s (behaviour 10.25.8)', (path, shown, parts) => {
  const link = new URL(`https://files.example${path}`);
  expect(secretAddress(link, [batch])).toEqual({
    shown: `https://files.example${shown}`,
    secrets: [path.slice(1), ...parts],
  });
});
