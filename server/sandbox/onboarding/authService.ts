import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import type { Context } from 'koa';
import { sign } from '#server/upstream/signature.ts';
import { mistakeAmong } from '#server/upstream/signatureMistakes.ts';
import { endpoints, header, wire } from '#server/upstream/wire.ts';
import { issuers } from './callers.ts';
import { noteSignature, noteWrong, otherAddresses } from '../http/observedCalls.ts';
import { headerProblem, parse, Problem } from '../http/problem.ts';
import type { Services } from '../services.ts';

const longestNonce = 200;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The auth service (wire, section 2.2): organisations, companies, their tokens, and the key set. */
export function authRoutes({ config, credentials, storage, tokens, callers, idempotency, newId }: Services): Router {
  const router = new Router();

  /**
   * Rejects with a problem unless the call is signed with the key and its nonce is new. Only a valid signature consumes the
   * nonce.
   */
  async function checkSignature(ctx: Context, key: string): Promise<void> {
    const nonce = ctx.get(header.nonce);
    if (nonce === '' || nonce.length > longestNonce)
      throw headerProblem(header.nonce, `a unique value of 1 to ${longestNonce} characters is required`);
    const { method, URL } = ctx;
    const body = ctx.request.rawBody ?? ''; // undefined for a call without a body, contrary to its type
    const given = ctx.get(header.signature);
    // A program signs the address that it calls; that is the console's if the console forwards the call.
    const toSign = (address: string) => ({
      ...{ method, url: address + URL.pathname, query: [...URL.searchParams], body, nonce, key },
    });
    const own = toSign(URL.origin + credentials.path);
    const requests = [own, ...[config.publicUrl, ...otherAddresses()].map(toSign)] as const;
    if (given === '') noteWrong(`Header ${header.signature} is missing`);
    if (!requests.some((each) => timingSafeEqual(sha256(given), sha256(sign(each))))) {
      const mistake = mistakeAmong(given, requests, { 'the application’s key': credentials.signingKey });
      if (given !== '') noteWrong(mistake.words);
      noteSignature(mistake.expected, mistake.signed);
      throw new Problem(401, `Header ${header.signature}: the signature does not match the request`);
    }
    if (!(await storage.add('nonce', nonce, true)))
      throw new Problem(401, `Header ${header.nonce}: the nonce was used before`);
  }

  router.post(endpoints.createOrganisation, async (ctx) => {
    const applicationId = callers.application(ctx);
    await checkSignature(ctx, credentials.signingKey);
    const body = parse(wire.organisationRequest, ctx.request.body);
    await idempotency(ctx, applicationId, async () => {
      const organisationId = newId();
      const primarySigningKey = randomBytes(32).toString('base64url');
      await storage.add('organisation', organisationId, { organisationId, applicationId, primarySigningKey });
      return { status: 201, body: { ...body, organisationId, primarySigningKey } };
    });
  });

  router.post(endpoints.createCompany, async (ctx) => {
    const { organisationId, primarySigningKey } = await callers.organisation(ctx);
    // The public pages require only the token (wire, section 2.2); if a signature is sent, it must be valid.
    if (ctx.get(header.signature) !== '') await checkSignature(ctx, primarySigningKey);
    const body = parse(wire.companyRequest, ctx.request.body);
    await idempotency(ctx, organisationId, async () => {
      const companyId = newId();
      await storage.add('company', companyId, { companyId, organisationId, name: body.name ?? '' });
      return { status: 201, body: { ...body, companyId, organisationId } };
    });
  });

  /** Public pages disagree between GET and POST (wire, section 2.2), so both are supported. */
  router.register(endpoints.accessToken, ['GET', 'POST'], async (ctx: Context) => {
    callers.application(ctx);
    const organisationId = ctx.get(header.organisation);
    if (organisationId === '') throw headerProblem(header.organisation, 'an organisation id is required');
    const organisation = await storage.find('organisation', organisationId);
    if (!organisation) throw new Problem(401, `Header ${header.organisation}: unknown organisation`);
    await checkSignature(ctx, organisation.primarySigningKey);

    const companyId = ctx.get(header.company);
    if (companyId !== '' && (await storage.find('company', companyId))?.organisationId !== organisationId)
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
