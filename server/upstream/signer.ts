import { stringify } from '#contract/json.ts';
import type { UpstreamConfig } from './config.ts';
import type { Outgoing } from './http.ts';
import { baseString, sign } from './signature.ts';
import { header } from './wire.ts';

interface ToSign {
  method?: 'GET' | 'POST';
  path: string;
  key: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Signer {
  /** A signed request to the auth service with a fresh nonce; every attempt needs a new one (wire, section 2.2). */
  signed(request: ToSign): Outgoing;
}

export const createSigner = (config: UpstreamConfig, newId: () => string): Signer => ({
  signed({ method = 'POST', path, key, body, headers }) {
    const url = config.authUrl + path;
    const nonce = newId();
    const content = body === undefined ? {} : { body: stringify(body) };
    const toSign = { method, url, nonce, ...content };
    return {
      method,
      url,
      ...content,
      secrets: [key],
      baseString: baseString(toSign),
      headers: {
        'content-type': 'application/json',
        [header.application]: config.applicationId,
        [header.nonce]: nonce,
        [header.signature]: sign({ ...toSign, key }),
        ...headers,
      },
    };
  },
});
