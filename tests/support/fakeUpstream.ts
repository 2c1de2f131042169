import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { endpoints } from '#tests/support/endpoints.ts';
import { listening } from './listen.ts';

export interface Asked {
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Writes the answer; may be slow, or never answer. */
export type Script = (response: ServerResponse, asked: Asked) => void | Promise<void>;

export const answering =
  (body: unknown, status = 200): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** The body of a refusal in the strict shape (wire 4.4). */
export const refusal = (status: number, detail = 'No such thing') => ({ title: 'No', status, code: 'No', detail });

/** A JWT with an invalid signature, because no test verifies it. `life` is in seconds. */
export function unsignedJwt(life = 1200, claims: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part({ exp: Math.floor(Date.now() / 1000) + life, ...claims })}.signature`;
}

/**
 * A service with scripted answers by path prefix; the longest matching prefix decides, unknown paths return 404. It
 * issues tokens unless a script overrides this.
 */
export async function fakeUpstream(scripts: Record<string, Script>) {
  const asked: Asked[] = [];
  const all: Record<string, Script> = {
    [endpoints.accessToken]: (response, request) => answering({ jwt: unsignedJwt() })(response, request),
    ...scripts,
  };
  const url = await listening((request, response) => {
    void text(request).then(async (body) => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body });
      const [prefix] = Object.keys(all)
        .filter((each) => path.startsWith(each))
        .sort((a, b) => b.length - a.length);
      await (prefix === undefined ? answering(refusal(404), 404) : all[prefix]!)(response, asked.at(-1)!);
    });
  });
  const askedFor = (prefix: string) => asked.filter(({ path }) => path.startsWith(prefix));
  return { url, asked, askedFor, scripts: all };
}
