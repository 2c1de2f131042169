import type { ServiceRequest } from '#contract/requests/requests.ts';
import { proofs } from '#contract/serviceCalls.ts';
import { Failure } from '#server/failure.ts';
import type { UpstreamConfig } from './config.ts';
import type { Http, Reply } from './http.ts';
import { requireSuccess } from './replies.ts';
import type { Signer } from './signer.ts';
import type { Company, Organisation, Tokens } from './tokens.ts';

/** For whom an example is sent; each is asked for only where its operation needs it. */
export interface ExampleOwner {
  organisation: () => Organisation;
  company: () => Company;
  userJwt: () => Promise<string>;
}

interface Deps {
  http: Http;
  signer: Signer;
  tokens: Tokens;
  config: UpstreamConfig;
}

/**
 * Sends a request to the sandbox with the credentials that its operation asks for, and resolves with whatever is answered. Throws
 * `not-found` if the console uses another service, and the failure of a sandbox that answers with 5xx.
 */
export async function sendExample(
  { http, signer, tokens, config }: Deps,
  { organisation, company, userJwt }: ExampleOwner,
  request: ServiceRequest,
): Promise<Reply> {
  if (!config.lab)
    throw new Failure('not-found', 'Examples are sent to the sandbox, and this console uses another service.');
  const { by, token = '' }: { by: string; token?: string } = proofs[request.proof];
  const key =
    by === 'applicationSignature' ? config.signingKey : by === 'organisationSignature' ? organisation().signingKey : '';
  const send = (bearer?: string) =>
    http.send(key === '' ? signer.plain(request, bearer) : signer.signed(request, key, bearer));
  const reply =
    token === 'user'
      ? await send(await userJwt())
      : token === ''
        ? await send()
        : await tokens.asOwner(token === 'company' ? company() : organisation(), send);
  if (reply.status >= 500) requireSuccess(reply);
  return reply;
}
