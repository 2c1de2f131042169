/** The signed parts of a request. `url` has no query; `body` is the exact text to be sent. */
export interface ToSign {
  method: string;
  url: string;
  query?: Iterable<readonly [string, string]>;
  body?: string;
  nonce: string;
}

/** Percent-encodes by RFC 3986: unlike encodeURIComponent, also ! ' ( ) * (wire, section 2.2). */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Base64 of the text's UTF-8 bytes. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/**
 * The text that X-Signature signs: method in upper case, URL in lower case, parameters and nonce, each percent-encoded,
 * joined by exactly three `&` (wire, section 2.2). The body is a parameter `body` with its Base64.
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
