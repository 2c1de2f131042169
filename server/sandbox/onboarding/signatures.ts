import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { baseString } from '#contract/requests/baseString.ts';
import { sign } from '#server/upstream/signature.ts';
import { mistakeAmong, type ReceivedToSign } from '#server/upstream/signatureMistakes.ts';
import { header } from '#server/upstream/wire.ts';
import type { SandboxConfig } from '../config.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { headerProblem, Problem } from '../http/problem.ts';
import { notesOf } from '../records/call.ts';
import type { Collections } from '../store/tenantStore.ts';
import { nonceRecords } from './records.ts';

const maximumNonceLength = 200;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl'>;
  credentials: Pick<SandboxCredentials, 'path' | 'signingKey' | 'apiKey'>;
  store: Collections;
}

/**
 * Returns a function that rejects with a problem unless the call is signed with the key and its nonce is new (wire, section
 * 2.2). Only a valid signature consumes the nonce.
 */
export function createSignatures({ config, credentials, store }: Deps) {
  const nonces = nonceRecords(store);
  return async (ctx: Context, key: string, otherKeys: Readonly<Record<string, string>> = {}): Promise<void> => {
    const nonce = ctx.get(header.nonce);
    if (nonce === '' || nonce.length > maximumNonceLength)
      throw headerProblem(header.nonce, `a unique value of 1 to ${maximumNonceLength} characters is required`);
    const { method, URL } = ctx;
    const { bytes: body = Buffer.alloc(0), text: content = '' } = ctx.request;
    const signature = ctx.get(header.signature);
    // A program signs the address that it calls; that is the console's if the console forwards the call.
    const toSign = (address: string): ReceivedToSign => ({
      method,
      url: address + URL.pathname,
      query: [...URL.searchParams],
      body,
      content,
      nonce,
      key,
    });
    const own = toSign(URL.origin + credentials.path);
    const requests = [own, ...[config.publicUrl, ...notesOf(ctx).addresses].map(toSign)] as const;
    if (signature === '') {
      notesOf(ctx).expected = baseString(own);
      throw new Problem(401, `Header ${header.signature}: the signature is missing`);
    }
    if (!requests.some((each) => timingSafeEqual(sha256(signature), sha256(sign(each))))) {
      const mistake = mistakeAmong(signature, requests, {
        'the application’s key instead of the organisation’s': credentials.signingKey,
        'the API key': credentials.apiKey,
        ...otherKeys,
      });
      Object.assign(notesOf(ctx), { expected: mistake.expected, signed: mistake.signed });
      throw new Problem(401, `Header ${header.signature}: the signature does not match the request. ${mistake.words}`);
    }
    if (!(await nonces.add(nonce, true)))
      throw new Problem(401, `Header ${header.nonce}: the nonce was used before: make a new one for each call`);
  };
}

export type Signatures = ReturnType<typeof createSignatures>;
