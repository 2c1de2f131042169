/** The signed parts of a request. `url` has no query; `body` is exactly what is sent, a text as UTF-8. */
export interface ToSign {
  method: string;
  url: string;
  query?: Iterable<readonly [string, string]>;
  body?: string | Uint8Array;
  nonce: string;
}

/** Percent-encodes by RFC 3986: unlike encodeURIComponent, also ! ' ( ) * (wire, section 2.2). */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Base64 of bytes, or of a text's bytes in UTF-8. */
const base64 = (body: string | Uint8Array): string =>
  btoa(
    Array.from(typeof body === 'string' ? new TextEncoder().encode(body) : body, (byte) =>
      String.fromCharCode(byte),
    ).join(''),
  );

/** Parameters by name, each percent-encoded, joined by `&`. */
export const parameterString = (parameters: readonly (readonly [string, string])[]): string =>
  parameters
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map((pair) => pair.join('='))
    .join('&');

/**
 * The text that X-Signature signs: method in upper case, URL in lower case, parameters and nonce, each percent-encoded,
 * joined by exactly three `&` (wire, section 2.2). The body is a parameter `body` with its Base64.
 */
export function baseString({ method, url, query = [], body, nonce }: ToSign): string {
  const parameters = body && body.length > 0 ? [...query, ['body', base64(body)] as const] : [...query];
  return [method.toUpperCase(), url.toLowerCase(), parameterString(parameters), nonce]
    .map((part, at) => (at === 0 ? part : percentEncode(part)))
    .join('&');
}
