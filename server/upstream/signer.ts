import { stringify } from '#contract/json.ts';
import { headersOf, type ServiceRequest } from '#contract/requests/requests.ts';
import { serviceOf, type UpstreamConfig } from './config.ts';
import type { Outgoing } from './http.ts';
import { baseString } from '#contract/requests/baseString.ts';
import { header } from '#contract/requests/headers.ts';
import { visibleText } from '#server/escapeId.ts';
import { Failure } from '#server/failure.ts';
import { sign } from './signature.ts';

/** Makes requests with the console's credentials. Throws `invalid-request` for a value that no header can hold. */
export interface Signer {
  /** Returns an unsigned request, with `bearer` as its token if given. */
  plain(request: ServiceRequest, bearer?: string): Outgoing;
  /**
   * Returns a request signed with a fresh nonce; call this for every attempt, because each needs a new nonce (wire,
   * section 2.2).
   */
  signed(request: ServiceRequest, key: string, bearer?: string): Outgoing;
}

/** Whose id a header has, which is shown if it cannot be sent; what others have may be a secret. */
const owners: Readonly<Record<string, string>> = { [header.organisation]: 'organisation', [header.company]: 'company' };

/** Maximum number of characters shown of an id. */
const maximumShown = 200;

/** Returns headers that HTTP can carry. Throws `invalid-request` for a character that it does not allow (RFC 9110, section 5.5). */
function sendable(headers: Record<string, string>): Record<string, string> {
  const [name, value = ''] = Object.entries(headers).find(([, each]) => !/^[\t -~\x80-\xff]*$/.test(each)) ?? [];
  if (name === undefined) return headers;
  const what = owners[name]
    ? `The id of the ${owners[name]}, ${visibleText(value.slice(0, maximumShown))},`
    : 'A value';
  throw new Failure(
    'invalid-request',
    `${what} cannot be sent in the header ${name}: it has a character that no header can have. Nothing was sent.`,
  );
}

export function createSigner(config: UpstreamConfig, newId: () => string): Signer {
  const service = serviceOf(config);
  const { applicationId, apiKey } = config;
  const credentials = (bearer?: string) => ({ applicationId, apiKey, ...(bearer !== undefined && { token: bearer }) });
  const plain = (request: ServiceRequest, bearer?: string) => ({
    method: request.method,
    operation: request.operation,
    url: service[request.host] + request.path,
    ...(request.body !== undefined && { body: stringify(request.body) }),
    headers: sendable(headersOf(request, credentials(bearer))),
  });
  return {
    plain,
    signed(request, key, bearer) {
      const outgoing = plain(request, bearer);
      const toSign = { ...outgoing, nonce: newId() };
      return {
        ...outgoing,
        secrets: [key],
        baseString: baseString(toSign),
        headers: headersOf(request, {
          ...credentials(bearer),
          nonce: toSign.nonce,
          signature: sign({ ...toSign, key }),
        }),
      };
    },
  };
}
