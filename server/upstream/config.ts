/** Where the service delivers its webhooks (wire, section 6.3). */
export const notificationsPath = '/notifications';

/** Where the Payments Out Service is and what the console is known by there (wire, sections 1 and 2). */
export interface UpstreamConfig {
  environment: 'sandbox' | 'live';
  /** Consumer API; no trailing slash, as all addresses here. */
  baseUrl: string;
  /** Messaging API, and the network's accounts and data sets: on the consumer API's host unless told otherwise. */
  messagingUrl: string;
  networkUrl: string;
  authUrl: string;
  /** Where payment files lie besides the hosts above: a file is fetched from the service's own origins only. */
  fileOrigins: readonly string[];
  applicationId: string;
  apiKey: string;
  signingKey: string;
  /** The identity provider's login page and who-is-this call. */
  authorizeUrl: string;
  userInfoUrl: string;
  clientId: string;
  /** The mock provider, whose authorise links the console makes (behaviour, section 3). */
  providerUrl: string;
  /** Where providers have their authorise pages: only there links are followed and frames shown. */
  providerOrigins: readonly string[];
  transferUrl: string;
  /** What webhooks are known by: a signature, the agreed header, or both; never neither. */
  webhook: {
    secret?: string;
    header?: { name: string; value: string };
    /** Addresses and networks (CIDR) that webhooks come from; absent: anywhere. */
    sources?: readonly string[];
  };
}

/** What nobody is shown, however it comes back. A webhook secret is known by its Base64 part as well. */
export const secretsOf = ({ apiKey, signingKey, webhook }: UpstreamConfig): string[] => [
  apiKey,
  signingKey,
  ...(webhook.secret === undefined ? [] : [webhook.secret.replace(/^whsec_/, '')]),
  ...(webhook.header ? [webhook.header.value] : []),
];
