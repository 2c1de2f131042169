import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { baseString } from '#contract/requests/baseString.ts';
import { sign } from '#server/upstream/signature.ts';
import { mistakeAmong, type ReceivedToSign } from '#server/upstream/signatureMistakes.ts';
import { endpoints, header, wire } from '#server/upstream/wire.ts';
import type { SandboxConfig } from '../config.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { headerProblem, parse, Problem } from '../http/problem.ts';
import { notesOf } from '../records/call.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { Collections } from '../store/tenantStore.ts';
import { issuers, type Callers } from './callers.ts';
import { companyRecords, nonceRecords, organisationRecords } from './records.ts';
import type { Tokens } from './tokens.ts';

const maximumNonceLength = 200;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'tokenLife'>;
  credentials: Pick<SandboxCredentials, 'path' | 'signingKey' | 'apiKey'>;
  store: Collections;
  tokens: Pick<Tokens, 'issue' | 'keySet'>;
  callers: Pick<Callers, 'application' | 'organisation'>;
  idempotency: Idempotency;
  newId: () => string;
}

/** The auth service (wire, section 2.2): organisations, companies, their tokens, and the key set. */
export function authRoutes({ config, credentials, store, tokens, callers, idempotency, newId }: Deps): Router {
  const router = new Router();
  const organisations = organisationRecords(store);
  const companies = companyRecords(store);
  const nonces = nonceRecords(store);

  /**
   * Rejects with a problem unless the call is signed with the key and its nonce is new. Only a valid signature consumes the
   * nonce.
   */
  async function checkSignature(
    ctx: Context,
    key: string,
    otherKeys: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const nonce = ctx.get(header.nonce);
    if (nonce === '' || nonce.length > maximumNonceLength)
      throw headerProblem(header.nonce, `a unique value of 1 to ${maximumNonceLength} characters is required`);
    const { method, URL } = ctx;
    const { bytes: body = Buffer.alloc(0), text: content = '' } = ctx.request;
    const signature = ctx.get(header.signature);
    // A program signs the address that it calls; that is the console's if the console forwards the call.
    const toSign = (address: string): ReceivedToSign => ({
      ...{ method, url: address + URL.pathname, query: [...URL.searchParams], body, content, nonce, key },
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
  }

  router.post(endpoints.createOrganisation, async (ctx) => {
    const applicationId = callers.application(ctx);
    const [latest] = await organisations.latest(1);
    await checkSignature(ctx, credentials.signingKey, latest && { 'the organisation’s key': latest.primarySigningKey });
    const body = parse(ctx, wire.organisationRequest, ctx.request.body);
    await idempotency(ctx, applicationId, async () => {
      const organisationId = newId();
      const primarySigningKey = createHmac('sha256', credentials.signingKey).update(newId()).digest('base64url');
      await organisations.add(organisationId, { organisationId, applicationId, primarySigningKey });
      return { status: 201, body: { ...body, organisationId, primarySigningKey } };
    });
  });

  router.post(endpoints.createCompany, async (ctx) => {
    const { organisationId, primarySigningKey } = await callers.organisation(ctx);
    // The public pages require only the token (wire, section 2.2); if a signature is sent, it must be valid.
    if (ctx.get(header.signature) !== '') await checkSignature(ctx, primarySigningKey);
    const body = parse(ctx, wire.companyRequest, ctx.request.body);
    await idempotency(ctx, organisationId, async () => {
      const companyId = newId();
      await companies.add(companyId, { companyId, organisationId, name: body.name ?? '' });
      return { status: 201, body: { ...body, companyId, organisationId } };
    });
  });

  /** Public pages disagree between GET and POST (wire, section 2.2), so both are supported. */
  router.register(endpoints.accessToken, ['GET', 'POST'], async (ctx: Context) => {
    callers.application(ctx);
    const organisationId = ctx.get(header.organisation);
    if (organisationId === '') throw headerProblem(header.organisation, 'an organisation id is required');
    const organisation = await organisations.find(organisationId);
    if (!organisation) throw new Problem(401, `Header ${header.organisation}: unknown organisation`);
    await checkSignature(ctx, organisation.primarySigningKey);

    const companyId = ctx.get(header.company);
    if (companyId !== '' && (await companies.find(companyId))?.organisationId !== organisationId)
      throw new Problem(404, `Header ${header.company}: the organisation has no such company`);
    const claims = {
      ccVersion: '1.0.0.0',
      organisationId,
      ...(companyId !== '' && { companyId }),
      kid: sha256(organisation.primarySigningKey).toString('hex'),
      channel: 'cloud-channel',
      serviceId: 'wpb-auth-service',
    };
    ctx.body = { jwt: await tokens.issue(issuers.auth, claims, config.tokenLife) };
  });

  router.get(endpoints.keySet, (ctx) => {
    ctx.body = tokens.keySet;
  });

  return router;
}
