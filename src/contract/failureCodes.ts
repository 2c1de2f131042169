/**
 * The reason why a call failed. Each code has its own message and next step on the screen (behaviour, section 10.2).
 */
export const failureCodes = [
  'console-unreachable',
  'upstream-unreachable',
  'upstream-timeout',
  'upstream-invalid',
  'upstream-failed',
  'upstream-busy',
  'upstream-refused',
  'upstream-forbidden',
  'upstream-conflict',
  'key-rejected',
  'token-expired',
  'login-refused',
  'login-expired',
  'login-unusable',
  'signed-out',
  'another-user',
  'prerequisite-missing',
  'company-unknown',
  'unknown-to-service',
  'signing-key-rejected',
  'invalid-request',
  'not-found',
  'idempotency-conflict',
  'message-pending',
  'exists-already',
  'outcome-unknown',
  'paid-already',
  'too-large',
  'rate-limited',
  'forbidden',
  'store-failed',
  'internal',
] as const;

export type FailureCode = (typeof failureCodes)[number];
