import { createHash, createHmac } from 'node:crypto';
import { header } from '#server/upstream/wire.ts';
import type { SandboxConfig } from '../config.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import type { Handlers } from '../http/serviceRoutes.ts';
import type { Collections } from '../store/tenantStore.ts';
import { issuers } from './callers.ts';
import { companyRecords, organisationRecords } from './records.ts';
import type { Tokens } from './tokens.ts';

interface Services {
  config: Pick<SandboxConfig, 'tokenLife'>;
  credentials: Pick<SandboxCredentials, 'signingKey'>;
  store: Collections;
  tokens: Pick<Tokens, 'issue' | 'keySet'>;
  newId: () => string;
}

/** The auth service (wire, section 2.2): organisations, companies, their tokens, and the key set. */
export function authHandlers({ config, credentials, store, tokens, newId }: Services) {
  const organisations = organisationRecords(store);
  const companies = companyRecords(store);

  return {
    async createOrganisation({ body, caller: { applicationId } }) {
      const organisationId = newId();
      const primarySigningKey = createHmac('sha256', credentials.signingKey).update(newId()).digest('base64url');
      await organisations.add(organisationId, { organisationId, applicationId, primarySigningKey });
      return { ...body, organisationId, primarySigningKey };
    },

    async createCompany({ body, caller: { organisationId } }) {
      const companyId = newId();
      await companies.add(companyId, { companyId, organisationId, name: body.name ?? '' });
      return { ...body, companyId, organisationId };
    },

    async accessToken({ ctx, caller: { organisationId, primarySigningKey } }) {
      const companyId = ctx.get(header.company);
      if (companyId !== '' && (await companies.find(companyId))?.organisationId !== organisationId)
        throw new Problem(404, `Header ${header.company}: the organisation has no such company`);
      const claims = {
        ccVersion: '1.0.0.0',
        organisationId,
        ...(companyId !== '' && { companyId }),
        kid: createHash('sha256').update(primarySigningKey).digest('hex'),
        channel: 'cloud-channel',
        serviceId: 'wpb-auth-service',
      };
      return { jwt: await tokens.issue(issuers.auth, claims, config.tokenLife) };
    },

    keySet: () => tokens.keySet,
  } satisfies Partial<Handlers>;
}
