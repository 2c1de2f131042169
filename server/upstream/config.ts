import type { Service } from '#contract/requests/requests.ts';

/** Addresses of the Payments Out Service, and the console's credentials for it (wire, sections 1 and 2). */
export interface UpstreamConfig {
  environment: 'sandbox' | 'live';
  /** The consumer API. No address here has a trailing slash. */
  baseUrl: string;
  /** The messaging API, also for the network's accounts and data sets; on the consumer API's host unless configured. */
  messagingUrl: string;
  networkUrl: string;
  authUrl: string;
  /** Additional origins of payment files; files are fetched only from these and the service's own origins. */
  fileOrigins: readonly string[];
  /**
   * Browsers reach the service at `from`, the console at `to`; both without a path. Absent if both use the same
   * address.
   */
  visitedAt?: { from: string; to: string };
  applicationId: string;
  apiKey: string;
  signingKey: string;
  /** The identity provider's login page and user info endpoint. */
  authorizeUrl: string;
  userInfoUrl: string;
  clientId: string;
  /** The mock provider; the console composes its authorise links (behaviour, section 3). */
  providerUrl: string;
  /** Origins of the providers' authorise pages; only links to these are followed and shown in frames. */
  providerOrigins: readonly string[];
  transferUrl: string;
  /** How webhooks are authenticated: by a signature, the agreed header, or both; at least one is required. */
  webhook: {
    secret?: string;
    header?: { name: string; value: string };
    /** Addresses and networks (CIDR) from which webhooks are accepted; if absent, any address. */
    sources?: readonly string[];
  };
  /**
   * The sandbox's fault lab and its control token; absent for any other service. `isApart`: the sandbox is a separate
   * process, which does not report what its lab does. `home` returns the URL of its page with the credentials, valid
   * for a short time from `now` (ms).
   */
  lab?: { url: string; token: string; isApart: boolean; home: (now: number) => string };
}

/** Maps workspaces to applications, for a service at which each workspace has its own. */
export interface Workspaces {
  upstreamOf(workspace: string): UpstreamConfig;
  /** Returns the workspace of an application; the default one if the application belongs to none. */
  workspaceOf(applicationId: string): string;
}

/** Returns the secrets to mask in all texts, with the Base64 part of a webhook secret. */
export const secretsOf = ({ apiKey, signingKey, webhook, lab }: UpstreamConfig): readonly string[] => [
  apiKey,
  signingKey,
  ...(webhook.secret === undefined ? [] : [webhook.secret.replace(/^whsec_/, '')]),
  ...(webhook.header ? [webhook.header.value] : []),
  ...(lab ? [lab.token] : []),
];

/** Returns the service's addresses and the console's id there, for composing requests. */
export const serviceOf = (config: UpstreamConfig): Service => ({
  consumer: config.baseUrl,
  messaging: config.messagingUrl,
  network: config.networkUrl,
  auth: config.authUrl,
  userInfo: config.userInfoUrl,
  applicationId: config.applicationId,
});

/**
 * Whether a link points to one of the providers' origins: over HTTP or HTTPS, and without a user, whose name would look
 * like a host. Other links of the service are shown as text. A `blob:` link has the origin of whoever made it.
 */
export function isAllowedLink(origins: readonly string[], link = ''): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, origin, username, password } = new URL(link);
  return /^https?:$/.test(protocol) && username === '' && password === '' && origins.includes(origin);
}
