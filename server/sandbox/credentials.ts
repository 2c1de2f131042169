/**
 * What the sandbox hands out at "registration" (upstream-api, section 16): published development values, no secrets.
 * A user's own program may call the sandbox with them as well.
 */
export const sandboxCredentials = {
  applicationId: 'sage.sandbox.console',
  apiKey: 'sandbox-api-key',
  signingKey: 'sandbox-application-signing-key',
  /** Standard Webhooks secret. */
  webhookSecret: 'whsec_c2FuZGJveC13ZWJob29rLXNlY3JldC0wMDAx',
  /** The agreed header that comes with every webhook beside its signature (upstream-api, section 6.3). */
  webhookHeader: { name: 'x-webhook-key', value: 'sandbox-webhook-key' },
  clientId: 'payments-out-console',
} as const;
