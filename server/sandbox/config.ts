/** How the sandbox behaves. Times are milliseconds. */
export interface SandboxConfig {
  /** Where clients and browsers reach the sandbox, without a trailing slash; the links it issues start with it. */
  publicUrl: string;
  /** The consumer's /notifications; '' sends no webhooks (wire, section 6.3: registered beforehand). */
  webhookUrl: string;
  /** Delay between an event and the first attempt to deliver its webhook. */
  webhookDelay: number;
  /** Time that a provider takes for one step of a subscription or batch. */
  stepDelay: number;
  /** Company, organisation and user tokens (wire, section 13). */
  tokenLife: number;
  /** Payment file links (wire, section 13). */
  fileLinkLife: number;
  authoriseLinkLife: number;
  /** Addresses, besides loopback, to which the identity provider may redirect a user. */
  redirectUris: readonly string[];
  /** Host names under which it is visited, besides this machine's own and that of publicUrl. */
  allowedHosts: readonly string[];
  /** API calls allowed to one caller: on average and in a burst (wire, section 13: 429 above). */
  rate: { perSecond: number; burst: number };
}

const minute = 60_000;

/** Defaults for everything but the two addresses, which are known only after listening. */
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
