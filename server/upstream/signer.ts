import { stringify } from '#contract/json.ts';
import { headersOf, type ServiceRequest } from '#contract/requests/requests.ts';
import { serviceOf, type UpstreamConfig } from './config.ts';
import type { Outgoing } from './http.ts';
import { baseString } from '#contract/requests/baseString.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import { sign } from './signature.ts';

export interface Signer {
  /** Returns an unsigned request, with `bearer` as its token if given. */
  plain(request: ServiceRequest, bearer?: string): Outgoing;
  /**
   * Returns a request signed with a fresh nonce; call this for every attempt, because each needs a new nonce (wire,
   * section 2.2).
   */
  signed(request: ServiceRequest, key: string, bearer?: string): Outgoing;
}

export function createSigner(config: UpstreamConfig, newId: () => string): Signer {
  const service = serviceOf(config);
  const { applicationId, apiKey } = config;
  const credentials = (bearer?: string) => ({ applicationId, apiKey, ...(bearer !== undefined && { token: bearer }) });
  const plain = (request: ServiceRequest, bearer?: string) => ({
    method: request.method,
    operation:
      request.host === 'userInfo'
        ? ('userInfo' as const)
        : (operationOf(request.method, request.path) ?? ('other' as const)),
    url: service[request.host] + request.path,
    ...(request.body !== undefined && { body: stringify(request.body) }),
    headers: headersOf(request, credentials(bearer)),
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
