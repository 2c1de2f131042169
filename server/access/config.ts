/** Who may use the console: users of an OpenID Connect provider, each with a workspace of their own. */
export interface AccessConfig {
  /** The provider's issuer identifier. */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  /** The console's origin as its users see it, e.g. https://console.example.com */
  publicUrl: string;
  /** What the provider is asked for, separated by spaces; the user's profile unless given. */
  scope?: string;
}

/** Where the console answers while somebody signs in; both are registered with the provider, below the public address. */
export const signInPath = '/signin';
export const callbackPath = '/signin/callback';
export const signedOutPath = '/signedout';

/** What the provider is asked for unless the configuration says otherwise. */
export const defaultScope = 'openid profile email';
