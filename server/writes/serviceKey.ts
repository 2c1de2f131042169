import { v5 as uuidFrom } from 'uuid';
import type { Location } from '#server/storage/schema.ts';

/** The namespace (any fixed UUID) of the idempotency keys sent to the service. */
export const serviceKeyNamespace = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';

/**
 * Returns the idempotency key that is sent to the service: two users or companies may use the same key, and the service
 * would take both requests for one.
 */
export const serviceKey = (at: Location, key: string): string =>
  uuidFrom(JSON.stringify([at.workspace, at.companyKey, key]), serviceKeyNamespace);
