import { createHash } from 'node:crypto';
import { baseString, parameterString, percentEncode, type ToSign } from '#contract/requests/baseString.ts';
import { otherBodies } from './otherBodies.ts';
import { hmac, longestExplained, mistakesIn, type Bytes, type Mistake } from './wrongSignature.ts';

/** A signed call as it was received. */
export interface ReceivedToSign extends ToSign {
  /** The bytes of the body as received, and its decoded text. */
  body: Buffer;
  content: string;
  key: string;
}

type Text = readonly [words: string, text: string];

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Other addresses than the right one, which programs sign by mistake. */
function otherUrls(url: string): [string, string][] {
  const { protocol, hostname, host, port, pathname, origin } = new URL(url);
  const isSecure = protocol === 'https:';
  return [
    url.endsWith('/')
      ? ['the “/” at the end of the URL was left out', url.slice(0, -1)]
      : ['a “/” was signed at the end of the URL', `${url}/`],
    port === ''
      ? ['the default port was signed', url.replace(host, `${hostname}:${isSecure ? 443 : 80}`)]
      : ['the port was left out of the URL', url.replace(host, hostname)],
    [`the URL was signed with ${isSecure ? 'http' : 'https'}`, url.replace(protocol, isSecure ? 'http:' : 'https:')],
    ['only the path was signed instead of the whole URL', pathname],
    ['the URL was signed without its scheme', url.slice(protocol.length + 2)],
    ['only scheme and host were signed instead of the whole URL', origin],
    ['the URL was signed with “//” in its path', url.replace(origin, `${origin}/`)],
  ];
}

/** Other texts than the base string, which programs sign by mistake. */
function otherTexts(request: ReceivedToSign): Text[] {
  const { url, query = [], body, content, nonce } = request;
  const sent = [...query];
  const method = request.method.toUpperCase();
  const of = (change: Partial<ToSign>) => baseString({ ...request, ...change });
  const right = of({});
  const [, address = '', parameters = '', last = ''] = right.split('&');
  const joined = (...parts: string[]) => parts.join('&');
  /** The base string with these parameters, already encoded. */
  const withParameters = (text: string) => joined(method, address, text, last);
  /** The base string with another value for the parameter of the body. */
  const withBody = (value: string) => of({ body: '', query: [...sent, ['body', value]] });
  const base64 = body.toString('base64');
  const all = [...sent, ...(body.length > 0 ? [['body', base64] as const] : [])];
  const plain = all.map((pair) => pair.join('=')).join('&');
  const once = decodeURIComponent(parameters);
  const search = new URLSearchParams(sent.map(([name, value]) => [name, value])).toString();
  const inOrder = (pairs: typeof all) => percentEncode(pairs.map((pair) => parameterString([pair])).join('&'));
  const withNonce = (text: string) => joined(method, address, parameters, text);
  const withUrl = (text: string) => joined(method, text, parameters, last);
  const { host } = new URL(url);

  return [
    ['the method was not put in upper case', joined(method.toLowerCase(), address, parameters, last)],
    ...methods.map((other): Text => [`the method ${other} was signed instead of ${method}`, of({ method: other })]),
    ['the URL was not put in lower case', withUrl(percentEncode(url))],
    ['the URL was not put in lower case', withUrl(percentEncode(url.replace(host, host.toUpperCase())))],
    ['the URL was not percent-encoded', withUrl(url.toLowerCase())],
    ['the URL was percent-encoded twice', withUrl(percentEncode(address))],
    ['the query was left in the URL', of({ url: `${url}?${search}` })],
    ['the query was left in the URL', of({ url: `${url}?${search}`, query: [] })],
    ...otherUrls(url).map(([words, other]): Text => [words, of({ url: other })]),
    ['the query was left out', of({ query: [] })],
    ['the parameters were not sorted by name', withParameters(inOrder(all))],
    ['the parameters were sorted in descending order', withParameters(inOrder([...all].sort().reverse()))],
    ['the parameters were percent-encoded once instead of twice', withParameters(once)],
    ['the parameters were percent-encoded once instead of twice', withParameters(percentEncode(plain))],
    ['the parameters were not percent-encoded', withParameters(plain)],
    ['the parameters were percent-encoded three times', withParameters(percentEncode(parameters))],
    [
      'blanks of parameters were encoded as “+” instead of “%20”',
      withParameters(percentEncode(once.replaceAll('%20', '+'))),
    ],
    [
      "! ' ( ) * were not percent-encoded",
      right.replace(/%(25)?(21|27|28|29|2A)/g, (_, __, code: string) => decodeURIComponent(`%${code}`)),
    ],
    ['the percent-encoding has lower-case digits', right.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ['the body was left out', of({ body: '' })],
    ['the body was signed as it is instead of its Base64', withBody(content)],
    ['the body was signed in hexadecimal digits instead of Base64', withBody(body.toString('hex'))],
    ['the body was signed in the URL-safe alphabet of Base64', withBody(body.toString('base64url'))],
    [
      'the body was signed in the URL-safe alphabet of Base64',
      withBody(base64.replaceAll('+', '-').replaceAll('/', '_')),
    ],
    ['the Base64 of the body was signed without the “=” at its end', withBody(base64.replace(/=+$/, ''))],
    ['the Base64 of the body was broken into lines', withBody(base64.replace(/.{76}(?=.)/g, '$&\r\n'))],
    ['the Base64 of the body was broken into lines', withBody(base64.replace(/.{76}(?=.)/g, '$&\n'))],
    ['the Base64 of the body was broken into lines', withBody(`${base64.replace(/.{76}(?=.)/g, '$&\n')}\n`)],
    [
      'the Base64 of the body was signed without the name “body” before it',
      withParameters(percentEncode(percentEncode(base64))),
    ],
    ...(body.length > 0 ? otherBodies(body, content).map(([words, other]): Text => [words, of({ body: other })]) : []),
    ...['{}', 'null', '""'].map((other): Text => [
      `the body ${other} was signed, but no body was sent`,
      of({ body: other }),
    ]),
    ['the nonce was left out', withNonce('')],
    ['the nonce was left out', joined(method, address, parameters)],
    ['the nonce was not percent-encoded', withNonce(nonce)],
    ['the nonce was percent-encoded twice', withNonce(percentEncode(last))],
    ['“+” in the nonce was signed as a blank', of({ nonce: nonce.replaceAll('+', ' ') })],
    ['blanks in the nonce were encoded as “+” instead of “%20”', withNonce(last.replaceAll('%20', '+'))],
    ['the nonce was put in lower case', of({ nonce: nonce.toLowerCase() })],
    ['the nonce was signed without its hyphens', of({ nonce: nonce.replaceAll('-', '') })],
    ['one of the three “&” is missing where there are no parameters', joined(method, address, last)],
    ['the parts were joined by line breaks instead of “&”', right.replaceAll('&', '\n')],
    ['the parts were joined without “&”', right.replaceAll('&', '')],
    ['the “&” between the parts were percent-encoded', right.replaceAll('&', '%26')],
    ['a line break was signed after the text', `${right}\n`],
    ['the whole text was put in lower case', right.toLowerCase()],
  ].filter((each): each is [string, string] => each[1] !== right);
}

/** Other keys than the right one, which programs sign with by mistake. */
function otherKeys(key: string, known: Readonly<Record<string, string>>): [string, Bytes][] {
  const foreign = Object.entries(known).filter(([, other]) => other !== key);
  return [
    ['“&null” was not appended to the key', key],
    ['“&” was appended to the key instead of “&null”', `${key}&`],
    ['“null” was appended to the key without “&”', `${key}null`],
    ['“&undefined” was appended to the key instead of “&null”', `${key}&undefined`],
    ['“&null” was written before the key', `null&${key}`],
    [
      'the key was decoded from Base64; its text is the key',
      Buffer.concat([Buffer.from(key, 'base64'), Buffer.from('&null')]),
    ],
    ['the key was decoded from Base64, and “&null” was not appended', Buffer.from(key, 'base64')],
    ['the key was written in Base64; its text is the key', `${Buffer.from(key).toString('base64')}&null`],
    ['the key and “&null” were percent-encoded', percentEncode(`${key}&null`)],
    ['a line break follows the key, perhaps from a file', `${key}\n&null`],
    ['the key stands in quotes', `"${key}"&null`],
    ['the key was put in lower case', `${key.toLowerCase()}&null`],
    ['the key was put in upper case', `${key.toUpperCase()}&null`],
    ...foreign.flatMap(([name, other]): [string, Bytes][] => [
      [`it was signed with ${name}`, `${other}&null`],
      [`it was signed with ${name}, to which “&null” was not appended`, other],
    ]),
  ];
}

/** Other ways to compute a digest of the right text than HMAC-SHA1. */
function otherAlgorithms(key: string, text: string): Mistake[] {
  const hash = (...parts: string[]) => createHash('sha1').update(parts.join('')).digest();
  return [
    ...['sha256', 'sha512', 'md5'].map((name) => ({
      words: `it was made by HMAC-${name.toUpperCase().replace(/^SHA/, 'SHA-')} instead of HMAC-SHA1`,
      text,
      digest: () => hmac(name, key, text),
    })),
    { words: 'the key and the text of HMAC were exchanged', text, digest: () => hmac('sha1', text, key) },
    { words: 'it is a plain SHA-1 without a key', text, digest: () => hash(text) },
    { words: 'it is a plain SHA-1 of key and text instead of HMAC', text, digest: () => hash(key, text) },
    { words: 'it is a plain SHA-1 of text and key instead of HMAC', text, digest: () => hash(text, key) },
  ];
}

/** Finds the mistakes that produce a given signature. Returns undefined if no common one does. */
function mistakeIn(given: string, request: ReceivedToSign, known: Readonly<Record<string, string>>) {
  const text = baseString(request);
  const key = `${request.key}&null`;
  if (text.length > longestExplained) return undefined;
  return mistakesIn(given, { text, digest: () => hmac('sha1', key, text) }, [
    ...otherTexts(request).map(([words, other]) => ({ words, text: other, digest: () => hmac('sha1', key, other) })),
    ...otherKeys(request.key, known).map(([words, other]) => ({
      words,
      text,
      digest: () => hmac('sha1', other, text),
    })),
    ...otherAlgorithms(key, text),
  ]);
}

/** A wrong signature: the text to sign, and the text that was probably signed ('' if unknown). */
interface Unfit {
  words: string;
  expected: string;
  signed: string;
}

/**
 * Explains a signature that fits none of the requests; these differ only in the service's address as the caller knows
 * it, and the first has the service's own.
 */
export function mistakeAmong(
  given: string,
  requests: readonly [ReceivedToSign, ...ReceivedToSign[]],
  known: Readonly<Record<string, string>>,
): Unfit {
  for (const request of requests) {
    const mistake = mistakeIn(given, request, known);
    if (mistake)
      return {
        words: `The signature is not made as it should be: ${mistake.words}`,
        expected: baseString(request),
        signed: String(mistake.text),
      };
  }
  const expected = baseString(requests[0]);
  const why =
    expected.length > longestExplained
      ? `The signature does not match, and the call is too long to look for the mistake: try one with a short body`
      : 'No usual mistake gives this signature: compare what was signed with what is expected, and the key';
  return { words: why, expected, signed: '' };
}
