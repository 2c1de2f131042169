/** The sandbox's behaviour. Times in ms. */
export interface SandboxConfig {
  /**
   * The URL at which browsers reach the application's sandbox, without a trailing slash; the links it issues begin with
   * it. Clients may call it at another address.
   */
  publicUrl: string;
  /** Whether a proxy may stand before the sandbox: a connection from this machine then need not come from its user. */
  isProxied: boolean;
  /**
   * The URL of the consumer's /notifications; if '', no webhooks are sent (wire, section 6.3: registered beforehand).
   */
  webhookUrl: string;
  /** Delay between an event and the first attempt to deliver its webhook. */
  webhookDelay: number;
  /** Time between the first attempt to deliver a webhook and the second; doubled with each further attempt. */
  webhookRetryDelay: number;
  /** Time that a provider needs for one step of a subscription or batch. */
  stepDelay: number;
  /** Whether payments are processed on every day; otherwise on the days of their scheme (src/rules/bankingDays.ts). */
  everyDay: boolean;
  /** Validity of company, organisation and user tokens (wire, section 13). */
  tokenLife: number;
  /** Validity of links to payment files (wire, section 13). */
  fileLinkLife: number;
  authoriseLinkLife: number;
  /** URLs, besides loopback, to which the identity provider may redirect a user. */
  redirectUris: readonly string[];
  /** Host names accepted in requests, besides those of this machine and of publicUrl. */
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded headers are trusted. */
  trustedProxies: readonly string[];
  /** Maximum API calls of one caller, on average and in a burst; 429 beyond that (wire, section 13). */
  rate: { perSecond: number; burst: number };
}

const minute = 60_000;

/** Defaults for all settings but the URLs, which are known only once the servers listen. */
export const sandboxDefaults: Omit<SandboxConfig, 'publicUrl' | 'webhookUrl' | 'isProxied'> = {
  webhookDelay: 500,
  webhookRetryDelay: 1000,
  stepDelay: 400,
  everyDay: true,
  tokenLife: 20 * minute,
  fileLinkLife: 5 * minute,
  authoriseLinkLife: 15 * minute,
  redirectUris: [],
  allowedHosts: [],
  trustedProxies: [],
  rate: { perSecond: 100, burst: 500 },
};
