import type { Service } from '#contract/requests/requests.ts';

/** The path for the service's webhooks (wire, section 6.3). */
export const notificationsPath = '/notifications';

/** Addresses of the Payments Out Service and the console's credentials there (wire, sections 1 and 2). */
export interface UpstreamConfig {
  environment: 'sandbox' | 'live';
  /** Consumer API; like all addresses here without a trailing slash. */
  baseUrl: string;
  /** Messaging API, with the network's accounts and data sets; on the consumer API's host unless configured. */
  messagingUrl: string;
  networkUrl: string;
  authUrl: string;
  /** More origins of payment files; a file is fetched only from the service's own origins. */
  fileOrigins: readonly string[];
  applicationId: string;
  apiKey: string;
  signingKey: string;
  /** The identity provider's login page and user info endpoint. */
  authorizeUrl: string;
  userInfoUrl: string;
  clientId: string;
  /** The mock provider, whose authorise links the console composes (behaviour, section 3). */
  providerUrl: string;
  /** Origins of the providers' authorise pages: only these links are followed and shown in frames. */
  providerOrigins: readonly string[];
  transferUrl: string;
  /** How webhooks are authenticated: a signature, the agreed header, or both; never neither. */
  webhook: {
    secret?: string;
    header?: { name: string; value: string };
    /** Addresses and networks (CIDR) from which webhooks are accepted; anywhere if absent. */
    sources?: readonly string[];
  };
}

/** Secrets that are masked wherever they appear; of a webhook secret its Base64 part as well. */
export const secretsOf = ({ apiKey, signingKey, webhook }: UpstreamConfig): string[] => [
  apiKey,
  signingKey,
  ...(webhook.secret === undefined ? [] : [webhook.secret.replace(/^whsec_/, '')]),
  ...(webhook.header ? [webhook.header.value] : []),
];

/** Where the service is, and what the console is called there. */
export const serviceOf = (config: UpstreamConfig): Service => ({
  consumer: config.baseUrl,
  messaging: config.messagingUrl,
  network: config.networkUrl,
  auth: config.authUrl,
  userInfo: config.userInfoUrl,
  applicationId: config.applicationId,
});
