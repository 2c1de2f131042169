/** Configuration of sign-in: each user of the OpenID Connect provider has a workspace. */
export interface AccessConfig {
  /** The provider's issuer identifier. */
  issuer: string;
  clientId: string;
  /** Absent for a public client, which has no secret. */
  clientSecret?: string;
  /** The console's origin as users see it, e.g. https://console.example.com */
  publicUrl: string;
  /** Scopes requested from the provider, separated by spaces; `defaultScope` if absent. */
  scope?: string;
}

/**
 * Paths for signing in and out. The callback and signed-out URLs, below the public URL, must be registered with the
 * provider.
 */
export const signInPath = '/signin';
export const callbackPath = '/signin/callback';
export const signedOutPath = '/signedout';

/** Scopes requested unless configured. */
export const defaultScope = 'openid profile email';
