/** The signed parts of a request. `url` has no query; `body` is the exact text sent. */
export interface ToSign {
  method: string;
  url: string;
  query?: Iterable<readonly [string, string]>;
  body?: string;
  nonce: string;
}

/** RFC 3986 strict: unlike encodeURIComponent it encodes ! ' ( ) * as well (wire, section 2.2). */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Base64 of a text's UTF-8. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/**
 * The text under X-Signature: METHOD, lower-cased URL, parameters and nonce, each percent-encoded and joined by
 * exactly three `&` (wire, section 2.2). The body counts as a parameter `body` holding its Base64.
 */
export function baseString({ method, url, query = [], body, nonce }: ToSign): string {
  const parameters = body ? [...query, ['body', base64(body)] as const] : [...query];
  const parameterString = parameters
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map((pair) => pair.join('='))
    .join('&');
  return [method.toUpperCase(), encode(url.toLowerCase()), encode(parameterString), encode(nonce)].join('&');
}
