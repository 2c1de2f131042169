import type { CopiedVariable } from '#contract/programs.ts';
import type { ProgramValue } from '#contract/programShapes.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { debtors } from '#server/companies/records.ts';
import { companyIn, organisationIn } from '#server/companies/settings.ts';
import { isTokenValid } from '#server/companies/userLogins.ts';
import { credentialRows } from '#server/verify/environment.ts';

/** The secrets among the variables of docs/verify.md, and the names by which copied code reads the same ones. */
const secretRows: Readonly<Record<string, CopiedVariable | undefined>> = {
  PAYMENTS_API_KEY: 'API_KEY',
  PAYMENTS_SIGNING_KEY: 'SIGNING_KEY',
  PAYMENTS_WEBHOOK_SECRET: undefined,
};

/** Where a token or key goes that only copied code reads. */
const places = {
  APPLICATION_SIGNING_KEY: 'The application’s key, with which the call that creates an organisation is signed',
  ORGANISATION_TOKEN: 'For the header `Authorization` of the call that creates a company; expires after 20 minutes',
  TOKEN: 'For the header `Authorization` of the company’s calls, after `Bearer`; expires after 20 minutes',
  USER_TOKEN: 'For the header `Authorization` of the calls for account and data set',
  WEBHOOK_KEY: 'The agreed header of the webhooks, beside their signature',
} as const satisfies Partial<Record<CopiedVariable, string>>;

/**
 * Returns what a program needs to call the service for the current company. Secrets are masked, except the one of the
 * variable that `reveal` names, with 'all' each; those of a live service always are. Rejects with a Failure if a token
 * is asked for and cannot be obtained.
 */
export async function programEnvironment(
  { config: { upstream: service }, settings, store, upstream, clock }: CompanyContext,
  reveal = '',
): Promise<ProgramValue[]> {
  const { organisationId, companyId, companySigningKey, subscriptionId, userJwt } = settings;
  const isAsked = (variables: readonly string[]) =>
    service.environment === 'sandbox' && (reveal === 'all' || variables.includes(reveal));
  const [debtor] = await store.records(debtors).latest(1, { subject: subscriptionId });
  const { visitedAt, baseUrl } = service;
  const rows = credentialRows({
    url: visitedAt ? baseUrl.replace(visitedAt.to, visitedAt.from) : baseUrl,
    applicationId: service.applicationId,
    apiKey: service.apiKey,
    organisationId,
    companyId,
    primarySigningKey: companySigningKey,
    subscriptionId,
    debtorId: debtor?.debtorId ?? '',
    webhookSecret: service.webhook.secret ?? '',
  });
  const given = rows.map(([name, says, value]): ProgramValue => {
    const secret = Object.hasOwn(secretRows, name);
    const variables = [name, ...(secretRows[name] === undefined ? [] : [secretRows[name]])];
    return { variables, says, secret, value: secret && value !== '' && !isAsked(variables) ? secretIsSet : value };
  });
  const hasUserToken = userJwt !== '' && isTokenValid(userJwt, clock.now());
  const secrets: Record<keyof typeof places, (() => string | Promise<string>) | undefined> = {
    APPLICATION_SIGNING_KEY: () => service.signingKey,
    ORGANISATION_TOKEN:
      organisationId === '' ? undefined : async () => (await upstream.token(organisationIn(settings))).jwt,
    TOKEN: companyId === '' ? undefined : async () => (await upstream.token(companyIn(settings))).jwt,
    USER_TOKEN: hasUserToken ? () => userJwt : undefined,
    WEBHOOK_KEY: service.webhook.header && (() => service.webhook.header?.value ?? ''),
  };
  const only = await Promise.all(
    Object.entries(secrets).map(async ([name, read]): Promise<ProgramValue> => {
      const value = !read ? '' : isAsked([name]) ? await read() : secretIsSet;
      return { variables: [name], says: places[name as keyof typeof places], secret: true, value }; // its own keys
    }),
  );
  return [...given, ...only];
}
