/** Who may use the console: users of an OpenID Connect provider, each with a workspace of their own. */
export interface AccessConfig {
  /** The provider's issuer identifier. */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
  /** The console's origin as users see it, e.g. https://console.example.com */
  publicUrl: string;
  /** Scopes requested from the provider, separated by spaces; `defaultScope` if absent. */
  scope?: string;
}

/** Paths for signing in and out; callback and signed-out path are registered with the provider below the public URL. */
export const signInPath = '/signin';
export const callbackPath = '/signin/callback';
export const signedOutPath = '/signedout';

/** Scopes requested unless configured. */
export const defaultScope = 'openid profile email';
