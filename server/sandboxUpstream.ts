import type { SandboxCredentials } from './sandbox/credentials.ts';
import type { UpstreamConfig } from './upstream/config.ts';
import { endpoints } from './upstream/wire.ts';

/** Addresses from which the embedded sandbox delivers webhooks. */
export const thisMachine = ['127.0.0.0/8', '::1'];

/** The configuration for the embedded sandbox at `url`, which replaces all hosts of the service. */
export const sandboxUpstream = (
  url: string,
  credentials: SandboxCredentials,
  sources: readonly string[] = thisMachine,
): UpstreamConfig => ({
  environment: 'sandbox',
  baseUrl: url,
  messagingUrl: url,
  networkUrl: url,
  authUrl: url,
  fileOrigins: [],
  applicationId: credentials.applicationId,
  apiKey: credentials.apiKey,
  signingKey: credentials.signingKey,
  authorizeUrl: url + endpoints.authorize,
  userInfoUrl: url + endpoints.userInfo,
  clientId: credentials.clientId,
  providerUrl: url,
  providerOrigins: [new URL(url).origin],
  transferUrl: url + endpoints.transferRequest,
  webhook: { secret: credentials.webhookSecret, header: credentials.webhookHeader, sources },
  lab: { url, token: credentials.resetToken },
});
