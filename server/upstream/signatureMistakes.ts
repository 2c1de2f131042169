import { createHmac } from 'node:crypto';
import { baseString, type ToSign } from '#contract/requests/baseString.ts';

interface Mistake {
  /** The mistake, in words. */
  words: string;
  /** The text that was signed. */
  signed: string;
}

const hmac = (key: string, text: string) => createHmac('sha1', key).update(text);

/** Returns the base string with its parameters encoded only once. */
function encodedOnce(right: string): string {
  const [method = '', url = '', parameters = '', nonce = ''] = right.split('&');
  return [method, url, decodeURIComponent(parameters), nonce].join('&');
}

/**
 * Finds the common mistake that produces a given signature: another text than the base string, or another key. Returns
 * undefined if none does.
 */
function mistakeIn(
  given: string,
  { key, ...request }: ToSign & { key: string },
  otherKeys: Readonly<Record<string, string>>,
): Mistake | undefined {
  const right = baseString(request);
  const { url, query = [], body = '' } = request;
  const search = new URLSearchParams([...query].map(([name, value]) => [name, value])).toString();
  const [method = '', , parameters = '', nonce = ''] = right.split('&');
  const texts: [string, string][] = [
    ['the URL was not put in lower case', [method, encodeURIComponent(url), parameters, nonce].join('&')],
    ['the query was left in the URL', baseString({ ...request, url: `${url}?${search}` })],
    ['the body was left out', baseString({ ...request, body: '' })],
    ['the parameters were percent-encoded once instead of twice', encodedOnce(right)],
    ['only the path was signed instead of the whole URL', baseString({ ...request, url: new URL(url).pathname })],
    ['the method was not put in upper case', right.replace(method, method.toLowerCase())],
    [
      'the body was signed as it is instead of its Base64',
      baseString({ ...request, body: '', query: [...query, ['body', body]] }),
    ],
    ['the nonce was left out', right.slice(0, right.lastIndexOf('&') + 1)],
  ];
  const fits = (text: string, withKey: string) => hmac(withKey, text).digest('base64') === given;
  const other = texts.find(([, text]) => fits(text, `${key}&null`));
  if (other) return { words: other[0], signed: other[1] };
  if (fits(right, key)) return { words: '“&null” was not appended to the key', signed: right };
  if (hmac(`${key}&null`, right).digest('hex') === given.toLowerCase())
    return { words: 'the signature was written in hexadecimal digits instead of Base64', signed: right };
  const wrongKey = Object.entries(otherKeys).find(([, one]) => fits(right, `${one}&null`));
  return wrongKey && { words: `it was signed with ${wrongKey[0]}`, signed: right };
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
  requests: readonly [ToSign & { key: string }, ...(ToSign & { key: string })[]],
  otherKeys: Readonly<Record<string, string>>,
): Unfit {
  for (const request of requests) {
    const mistake = mistakeIn(given, request, otherKeys);
    if (mistake)
      return {
        words: `The signature is that of another text or key: ${mistake.words}`,
        expected: baseString(request),
        signed: mistake.signed,
      };
  }
  return {
    words: 'No usual mistake gives this signature: compare what was signed with what is expected, and the key',
    expected: baseString(requests[0]),
    signed: '',
  };
}
