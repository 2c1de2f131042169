/** How the sandbox behaves. Times are milliseconds. */
export interface SandboxConfig {
  /** Where clients and browsers reach the sandbox, without a trailing slash; the links it issues start with it. */
  publicUrl: string;
  /** The consumer's /notifications; '' sends no webhooks (wire, section 6.3: registered beforehand). */
  webhookUrl: string;
  /** From an event to the first attempt to notify it. */
  webhookDelay: number;
  /** How long a provider takes for one step of a subscription or batch. */
  stepDelay: number;
  /** Company, organisation and user tokens (wire, section 13). */
  tokenLife: number;
  /** Payment file links (wire, section 13). */
  fileLinkLife: number;
  authoriseLinkLife: number;
  /** Where the identity provider may send a user besides loopback addresses. */
  redirectUris: readonly string[];
  /** Host names under which it is visited, besides this machine's own and that of publicUrl. */
  allowedHosts: readonly string[];
  /** API calls of one caller: sustained, and at once (wire, section 13: 429 above). */
  rate: { perSecond: number; burst: number };
}

const minute = 60_000;

/** Everything but the two addresses, which only the one who listens knows. */
export const sandboxDefaults: Omit<SandboxConfig, 'publicUrl' | 'webhookUrl'> = {
  webhookDelay: 500,
  stepDelay: 1000,
  tokenLife: 20 * minute,
  fileLinkLife: 5 * minute,
  authoriseLinkLife: 15 * minute,
  redirectUris: [],
  allowedHosts: [],
  rate: { perSecond: 100, burst: 500 },
};
