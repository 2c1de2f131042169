import { parse, stringify } from '#contract/json.ts';
import { baseString } from '#contract/requests/baseString.ts';
import { proofs } from '#contract/serviceCalls.ts';
import { headersOf, type Service, type ServiceRequest } from '#contract/requests/requests.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { wholeEntries } from '#rules/wholeEntries.ts';
import { pathOf } from '#rules/url.ts';
import { keyWord, withoutMarks, type CodeRequest } from '#app/journey/inspector/code/request.ts';

/** A sent or pending request as the inspector shows it. */
export interface ShownRequest extends CodeRequest {
  /** Path and query, without the service's address. */
  path: string;
  baseString: string;
}

/** Placeholder of the nonce, which is created for each request. */
const nonceWord = '$NONCE';

/** An authorization header as a request shows it; one without a scheme was recorded by an earlier release. */
const authorizationOf = (value: string): string => (value === '$TOKEN' ? 'Bearer $TOKEN' : value);

/** A request as it will be sent, with placeholders for secrets and for values that are created on sending. */
export function shownBefore(request: ServiceRequest, service: Service): ShownRequest {
  const { method, host, path, body } = request;
  const proof: { by: string; token?: string } = proofs[request.proof];
  const url = service[host] + path;
  const marked = body === undefined ? '' : stringify(body);
  const text = withoutMarks(marked);
  const isSigned = proof.by.endsWith('Signature');
  const signed = baseString({ method, url, nonce: nonceWord, ...(text && { body: text }) });
  const headers = headersOf(request, {
    applicationId: service.applicationId,
    apiKey: '$API_KEY',
    nonce: nonceWord,
    signature: '$SIGNATURE',
    ...(proof.token && { token: '$TOKEN' }),
  });
  return {
    method,
    url,
    path: pathOf(url),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        [nonceWord, keyWord].includes(value) ? 'Generated on send' : withoutMarks(value),
      ]),
    ),
    body: text,
    pending: { headers, body: marked },
    baseString: isSigned ? signed.replace(encodeURIComponent(nonceWord), nonceWord) : '',
  };
}

/** A request that was sent, from its timeline entry. */
export const shownAfter = ({ method, url, request, baseString: signed }: TimelineEntry): ShownRequest => ({
  method,
  url,
  path: pathOf(url),
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      name === 'authorization' ? authorizationOf(value) : value,
    ]),
  ),
  body: request.body,
  baseString: signed,
  truncated: request.truncated,
  secretAs: request.secretAs,
});

/** A signing key is recorded as the placeholder of a token: it is shown as what the examples of code call it. */
const withKeyNames = (text: string): string =>
  text.replace(/("\w*signing[-_]?key"\s*:\s*)"\$TOKEN"/gi, '$1"$$SIGNING_KEY"');

/**
 * A parsed JSON body, or the plain text if it is not JSON, such as a proxy's error page. A truncated body is parsed up to
 * its last whole entry.
 */
export function parsedBody(text: string, truncated = false): { json: unknown } | { text: string } {
  try {
    return { json: parse(withKeyNames(truncated ? wholeEntries(text) : text)) };
  } catch {
    return { text };
  }
}

const units = ['B', 'kB', 'MB'] as const;

/** A size in bytes in words, for example "4.1 kB". */
export function sizeText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}
