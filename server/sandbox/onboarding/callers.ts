import type { Context } from 'koa';
import { header } from '#server/upstream/wire.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import type { Collections } from '../store/tenantStore.ts';
import {
  companyRecords,
  organisationRecords,
  userRecords,
  type Company,
  type Organisation,
  type User,
} from './records.ts';
import type { Tokens } from './tokens.ts';

/**
 * Issuers of tokens: `auth` for organisations and companies (wire, section 2.2), `idp` for users, `files` for links to
 * payment files.
 */
export const issuers = { auth: 'wpb-auth', idp: 'sandbox-idp', files: 'sandbox-files' } as const;

function bearer(ctx: Context): string {
  const [, token] = /^Bearer (\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token === undefined)
    throw new Problem(401, 'Header authorization: a bearer token is required', [], { 'www-authenticate': 'Bearer' });
  return token;
}

interface Deps {
  store: Collections;
  tokens: Pick<Tokens, 'verify'>;
  credentials: Pick<SandboxCredentials, 'applicationId' | 'apiKey'>;
}

/**
 * Identifies callers by the credentials of each call (wire, section 2.1). All functions throw a 401 problem for missing
 * or unknown credentials.
 */
export function createCallers({ store, tokens, credentials }: Deps) {
  const organisations = organisationRecords(store);
  const companies = companyRecords(store);
  const users = userRecords(store);
  const claims = async (ctx: Context, issuer: string) => tokens.verify(issuer, bearer(ctx));

  const application = (ctx: Context): string => {
    const id = ctx.get(header.application);
    if (id !== credentials.applicationId)
      throw new Problem(
        401,
        `Header ${header.application}: ${id ? 'unknown application' : 'an application id is required'}`,
      );
    return id;
  };

  return {
    application,
    /** Checks the application id and its API key. */
    client(ctx: Context): void {
      application(ctx);
      if (ctx.get(header.apiKey) !== credentials.apiKey)
        throw new Problem(401, `Header ${header.apiKey}: missing or unknown API key`);
    },
    async organisation(ctx: Context): Promise<Organisation> {
      const { organisationId = '' } = await claims(ctx, issuers.auth);
      const organisation = await organisations.find(organisationId);
      if (!organisation) throw new Problem(401, 'The organisation of this token does not exist');
      return organisation;
    },
    /**
     * Returns the company of the token. Payments need a company's token; an organisation's is refused (wire, section
     * 2.1).
     */
    async company(ctx: Context): Promise<Company> {
      const { companyId } = await claims(ctx, issuers.auth);
      if (companyId === undefined)
        throw new Problem(401, 'This token is for an organisation; a company token is required');
      const company = await companies.find(companyId);
      if (!company) throw new Problem(401, 'The company of this token does not exist');
      return company;
    },
    async user(ctx: Context): Promise<User> {
      const { sub = '' } = await claims(ctx, issuers.idp);
      const user = await users.find(sub);
      if (!user) throw new Problem(401, 'The user of this token does not exist');
      return user;
    },
  };
}

export type Callers = ReturnType<typeof createCallers>;
