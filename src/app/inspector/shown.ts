import { parse, stringify } from '#contract/json.ts';
import { baseString } from '#contract/requests/baseString.ts';
import { header } from '#contract/requests/endpoints.ts';
import { headersOf, type Service, type ServiceRequest } from '#contract/requests/requests.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { keyWord, type CodeRequest } from './code/request.ts';

/** A request as the inspector shows it: one that is to be sent, or one that was. */
export interface ShownRequest extends CodeRequest {
  /** Without the service's address. */
  path: string;
  baseString: string;
}

/** Made anew for each request, so nobody knows it before. */
const nonceWord = '$NONCE';

/** Where a value of a secret or of something that is still to be made stands, what is said instead. */
const said: Readonly<Record<string, string>> = {
  authorization: 'Bearer $TOKEN',
  [header.apiKey]: '$API_KEY',
};

/** A request before it is sent, as it will be, with words in place of secrets and of what is made when it is sent. */
export function shownBefore(request: ServiceRequest, service: Service): ShownRequest {
  const { method, host, path, body, token, proof } = request;
  const url = service[host] + path;
  const text = body === undefined ? '' : stringify(body);
  const isSigned = proof === 'applicationSignature' || proof === 'organisationSignature';
  const signed = baseString({ method, url, nonce: nonceWord, ...(text && { body: text }) });
  return {
    method,
    url,
    path: new URL(url).pathname + new URL(url).search,
    headers: headersOf(request, {
      applicationId: service.applicationId,
      apiKey: '$API_KEY',
      nonce: nonceWord,
      signature: '$SIGNATURE',
      ...(token && { token: '$TOKEN' }),
    }),
    body: text,
    baseString: isSigned ? signed.replace(encodeURIComponent(nonceWord), nonceWord) : '',
  };
}

/** The path of an address with its query; what is no address stays as it is. */
export function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
}

/** A request that was sent, as the record has it. */
export const shownAfter = ({ method, url, request, baseString: signed }: TimelineEntry): ShownRequest => ({
  method,
  url,
  path: pathOf(url),
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, said[name] ?? value])),
  body: request.body,
  baseString: signed,
  cut: new TextEncoder().encode(request.body).length < request.bytes,
});

/** What a header of a request that is to be sent is said to be. */
const laterSaid: Readonly<Record<string, string>> = {
  [nonceWord]: 'made when it is sent',
  [keyWord]: 'made when it is sent',
};

export const headerText = (value: string): string => laterSaid[value] ?? value;

/** A body as JSON, or as it is: the answers of proxies are none, and a long one is cut short. */
export function bodyOf(text: string): { json: unknown } | { text: string } {
  try {
    return { json: parse(text) };
  } catch {
    return { text };
  }
}

const units = ['B', 'kB', 'MB'] as const;

/** e.g. "4.1 kB". */
export function sizeText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}
