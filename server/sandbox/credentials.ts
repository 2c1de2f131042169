import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Names under which the console is registered with the sandbox; they are not secret. */
export const sandboxNames = {
  applicationId: 'sage.sandbox.console',
  clientId: 'payments-out-console',
  /** The agreed header sent with every webhook beside its signature (wire, section 6.3). */
  webhookHeader: 'x-webhook-key',
} as const;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** The application of a console without users. It owns everything that belongs to no other application. */
export const defaultApplication = 'default';

/** The credentials issued to the console or another program at registration (wire, section 16). */
export interface SandboxCredentials {
  /** The application's name, such as that of a workspace of the console. */
  name: string;
  /** The path below the sandbox's URL at which the application has its sandbox; '' for the default application. */
  path: string;
  applicationId: string;
  clientId: string;
  apiKey: string;
  signingKey: string;
  /** The secret of Standard Webhooks signatures. */
  webhookSecret: string;
  webhookHeader: { name: string; value: string };
  /** Required for resetting the application's sandbox, and for its fault lab. */
  resetToken: string;
}

/**
 * Whether users unknown to the operator use the application: addresses that they choose must not be in the operator's
 * network.
 */
export const isShared = ({ name }: Pick<SandboxCredentials, 'name'>): boolean => name !== defaultApplication;

const prefix = 'sage.sandbox.of.';

/** Returns the name of the application with this id; that of the default one for any other id. */
export const applicationNamed = (applicationId: string): string =>
  applicationId.startsWith(prefix) ? applicationId.slice(prefix.length) : defaultApplication;

const derivedFrom = (secret: string, what: string) => createHmac('sha256', secret).update(what).digest();
const textFrom = (secret: string, what: string) => derivedFrom(secret, what).toString('base64url').slice(0, 32);

/**
 * Returns the path of an application, which cannot be guessed from its name: only people with a link may open the pages
 * below it.
 */
const pathOf = (secret: string, name: string): string =>
  name === defaultApplication ? '' : `/of/${name}.${textFrom(secret, `path of ${name}`)}`;

/**
 * Derives the credentials of an application from the installation's secret, so that no list of applications is stored.
 * The name consists of letters, digits, `_` and `-`.
 */
export function credentialsOf(secret: string, name = defaultApplication): SandboxCredentials {
  const isDefault = name === defaultApplication;
  const named = (what: string) => (isDefault ? what : `${what} of ${name}`);
  const own = (what: string) => textFrom(secret, named(what));
  return {
    name,
    path: pathOf(secret, name),
    applicationId: isDefault ? sandboxNames.applicationId : prefix + name,
    clientId: sandboxNames.clientId,
    apiKey: `sandbox-${own('api key')}`,
    signingKey: `sandbox-${own('signing key')}`,
    webhookSecret: `whsec_${derivedFrom(secret, named('webhook secret')).toString('base64')}`,
    webhookHeader: { name: sandboxNames.webhookHeader, value: own('webhook header') },
    resetToken: own('reset token'),
  };
}

/**
 * Returns the name of the application that a request's URL leads to, and the URL below its path. An unknown path leads
 * to the default application, which answers that it does not exist.
 */
export function applicationAt(secret: string, url: string): { name: string; rest: string } {
  const [path, name] = /^\/of\/([\w-]{1,100})\.[\w-]{32}(?=[/?]|$)/.exec(url) ?? [];
  if (path === undefined || name === undefined || !equalSecrets(path, pathOf(secret, name)))
    return { name: defaultApplication, rest: url };
  const rest = url.slice(path.length);
  return { name, rest: rest.startsWith('/') ? rest : `/${rest}` };
}
