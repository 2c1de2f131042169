import { sandboxCredentials } from './sandbox/credentials.ts';
import type { UpstreamConfig } from './upstream/config.ts';
import { endpoints } from './upstream/wire.ts';

/** The embedded sandbox at `url` answers for every host of the service. */
export const sandboxUpstream = (url: string): UpstreamConfig => ({
  environment: 'sandbox',
  baseUrl: url,
  messagingUrl: url,
  networkUrl: url,
  authUrl: url,
  fileOrigins: [],
  applicationId: sandboxCredentials.applicationId,
  apiKey: sandboxCredentials.apiKey,
  signingKey: sandboxCredentials.signingKey,
  authorizeUrl: url + endpoints.authorize,
  userInfoUrl: url + endpoints.userInfo,
  clientId: sandboxCredentials.clientId,
  providerUrl: url,
  providerOrigins: [new URL(url).origin],
  transferUrl: url + endpoints.transferRequest,
  webhook: { secret: sandboxCredentials.webhookSecret, header: sandboxCredentials.webhookHeader },
});
