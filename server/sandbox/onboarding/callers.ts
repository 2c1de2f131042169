import type { Context } from 'koa';
import type { Proof } from '#contract/serviceCalls.ts';
import { header } from '#server/upstream/wire.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { headerProblem, Problem } from '../http/problem.ts';
import type { Collections } from '../store/tenantStore.ts';
import {
  companyRecords,
  organisationRecords,
  userRecords,
  type Company,
  type Organisation,
  type User,
} from './records.ts';
import type { Signatures } from './signatures.ts';
import type { Tokens } from './tokens.ts';

/**
 * Issuers of tokens: `auth` for organisations and companies (wire, section 2.2), `idp` for users, `files` for links to
 * payment files.
 */
export const issuers = { auth: 'wpb-auth', idp: 'sandbox-idp', files: 'sandbox-files' } as const;

/** Who makes a call, by what it is authenticated with. */
export interface CallerOf extends Record<Proof, unknown> {
  none: undefined;
  link: undefined;
  application: Pick<Organisation, 'applicationId'>;
  owner: Organisation;
  organisation: Organisation;
  client: undefined;
  lookup: undefined;
  company: Company;
  payer: Company;
  user: User;
  identity: User;
}

/** Identifies the caller by each kind of proof. */
export type Callers = { [Each in Proof]: (ctx: Context) => CallerOf[Each] | Promise<CallerOf[Each]> };

function bearer(ctx: Context): string {
  const [, token] = /^Bearer (\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (token === undefined)
    throw new Problem(401, 'Header authorization: a bearer token is required', [], { 'www-authenticate': 'Bearer' });
  return token;
}

interface Deps {
  store: Collections;
  tokens: Pick<Tokens, 'verify'>;
  credentials: Pick<SandboxCredentials, 'applicationId' | 'apiKey' | 'signingKey'>;
  checkSignature: Signatures;
}

/**
 * Returns a function that identifies the caller of a call by its credentials (wire, section 2.1), and by whose id its keys
 * are kept apart; that function throws a 400 or 401 problem for missing or unknown credentials.
 */
export function createCallers({ store, tokens, credentials, checkSignature }: Deps): Callers {
  const organisations = organisationRecords(store);
  const companies = companyRecords(store);
  const users = userRecords(store);
  const claims = async (ctx: Context, issuer: string) => tokens.verify(issuer, bearer(ctx));

  function requireApplication(ctx: Context): void {
    const id = ctx.get(header.application);
    if (id !== credentials.applicationId)
      throw new Problem(
        401,
        `Header ${header.application}: ${id ? 'unknown application' : 'an application id is required'}`,
      );
  }
  function requireClient(ctx: Context): void {
    requireApplication(ctx);
    if (ctx.get(header.apiKey) !== credentials.apiKey)
      throw new Problem(401, `Header ${header.apiKey}: missing or unknown API key`);
  }
  /** The company of the token. Payments need a company's token; an organisation's is refused (wire, section 2.1). */
  async function company(ctx: Context): Promise<Company> {
    const { companyId } = await claims(ctx, issuers.auth);
    if (companyId === undefined)
      throw new Problem(401, 'This token is for an organisation; a company token is required');
    const found = await companies.find(companyId);
    if (!found) throw new Problem(401, 'The company of this token does not exist');
    return found;
  }
  async function user(ctx: Context): Promise<User> {
    const { sub = '' } = await claims(ctx, issuers.idp);
    const found = await users.find(sub);
    if (!found) throw new Problem(401, 'The user of this token does not exist');
    return found;
  }

  return {
    none: () => undefined,
    link: () => undefined,
    async application(ctx) {
      requireApplication(ctx);
      const [latest] = await organisations.latest(1);
      await checkSignature(
        ctx,
        credentials.signingKey,
        latest && { 'the organisation’s key': latest.primarySigningKey },
      );
      return { applicationId: credentials.applicationId };
    },
    async owner(ctx) {
      requireApplication(ctx);
      const organisationId = ctx.get(header.organisation);
      if (organisationId === '') throw headerProblem(header.organisation, 'an organisation id is required');
      const organisation = await organisations.find(organisationId);
      if (!organisation) throw new Problem(401, `Header ${header.organisation}: unknown organisation`);
      await checkSignature(ctx, organisation.primarySigningKey);
      return organisation;
    },
    async organisation(ctx) {
      const { organisationId = '' } = await claims(ctx, issuers.auth);
      const organisation = await organisations.find(organisationId);
      if (!organisation) throw new Problem(401, 'The organisation of this token does not exist');
      // The public pages require only the token (wire, section 2.2); if a signature is sent, it must be valid.
      if (ctx.get(header.signature) !== '') await checkSignature(ctx, organisation.primarySigningKey);
      return organisation;
    },
    client: (ctx) => void requireClient(ctx),
    lookup: (ctx) => void requireApplication(ctx),
    company(ctx) {
      requireClient(ctx);
      return company(ctx);
    },
    payer: company,
    user,
    identity: user,
  };
}

/** The id of a caller, which keeps its idempotency keys apart from those of others. */
export const idOf = (caller: CallerOf[Proof] | undefined): string => {
  const { companyId, organisationId, sub, applicationId } = (caller ?? {}) as Partial<Company & Organisation & User>; // one of these
  return companyId ?? organisationId ?? sub ?? applicationId ?? '';
};
