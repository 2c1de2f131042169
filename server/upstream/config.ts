/** Where the service delivers its webhooks (upstream-api, section 6.3). */
export const notificationsPath = '/notifications';

/** Where the Payments Out Service is and what the console is known by there (upstream-api, sections 1 and 2). */
export interface UpstreamConfig {
  environment: 'sandbox' | 'live';
  /** Consumer API, its messaging API and the network's accounts; no trailing slash, as all addresses here. */
  baseUrl: string;
  authUrl: string;
  applicationId: string;
  apiKey: string;
  signingKey: string;
  /** The identity provider's login page and who-is-this call. */
  authorizeUrl: string;
  userInfoUrl: string;
  clientId: string;
  /** The mock provider, whose authorise links the console makes (spec, section 3). */
  providerUrl: string;
  /** Where providers have their authorise pages: only there links are followed and frames shown. */
  providerOrigins: readonly string[];
  transferUrl: string;
  webhook: { secret: string; header?: { name: string; value: string } };
}

/** What nobody is shown, however it comes back. A webhook secret is known by its Base64 part as well. */
export const secretsOf = ({ apiKey, signingKey, webhook }: UpstreamConfig): string[] => [
  apiKey,
  signingKey,
  webhook.secret.replace(/^whsec_/, ''),
  ...(webhook.header ? [webhook.header.value] : []),
];
