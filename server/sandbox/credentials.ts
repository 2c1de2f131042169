import { createHmac } from 'node:crypto';

/** Names under which the console is registered with the sandbox; they are not secret. */
export const sandboxNames = {
  applicationId: 'sage.sandbox.console',
  clientId: 'payments-out-console',
  /** The agreed header sent with every webhook beside its signature (wire, section 6.3). */
  webhookHeader: 'x-webhook-key',
} as const;

/** The credentials issued at "registration" (wire, section 16) to the console or another program. */
export interface SandboxCredentials {
  applicationId: string;
  clientId: string;
  apiKey: string;
  signingKey: string;
  /** The secret of Standard Webhooks signatures. */
  webhookSecret: string;
  webhookHeader: { name: string; value: string };
  /** Required for resetting the sandbox. */
  resetToken: string;
}

/** Derives all credentials from one installation's secret. */
export function credentialsOf(secret: string): SandboxCredentials {
  const derived = (name: string) => createHmac('sha256', secret).update(name).digest();
  const text = (name: string) => derived(name).toString('base64url').slice(0, 32);
  return {
    applicationId: sandboxNames.applicationId,
    clientId: sandboxNames.clientId,
    apiKey: `sandbox-${text('api key')}`,
    signingKey: `sandbox-${text('signing key')}`,
    webhookSecret: `whsec_${derived('webhook secret').toString('base64')}`,
    webhookHeader: { name: sandboxNames.webhookHeader, value: text('webhook header') },
    resetToken: text('reset token'),
  };
}
