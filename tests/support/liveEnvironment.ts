import { sandboxCredentials, upstreamAt } from './sandboxCredentials.ts';

/** The environment variables with which a console treats the sandbox at this URL as a live service. */
export const liveEnvironment = (url: string): Record<string, string> => {
  const { authUrl, applicationId, apiKey, signingKey, clientId, providerUrl, transferUrl } = upstreamAt(url);
  return {
    UPSTREAM: 'live',
    UPSTREAM_URL: url,
    UPSTREAM_AUTH_URL: authUrl,
    UPSTREAM_APPLICATION_ID: applicationId,
    UPSTREAM_API_KEY: apiKey,
    UPSTREAM_SIGNING_KEY: signingKey,
    IDENTITY_PROVIDER_URL: `${url}/idp`,
    IDENTITY_CLIENT_ID: clientId,
    PROVIDER_URL: providerUrl,
    TRANSFER_URL: transferUrl,
    WEBHOOK_SECRET: sandboxCredentials.webhookSecret,
    WEBHOOK_HEADER_NAME: sandboxCredentials.webhookHeader.name,
    WEBHOOK_HEADER_VALUE: sandboxCredentials.webhookHeader.value,
  };
};
