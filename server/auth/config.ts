import type { Allowed } from './allowed.ts';

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
  /** Who of the provider's users may sign in; all if absent. */
  allowed?: Allowed;
}

/** Scopes requested unless configured. */
export const defaultScope = 'openid profile email';
