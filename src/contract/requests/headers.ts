/** Header names in lower case; they are case-insensitive (wire, section 3). */
export const header = {
  application: 'x-application',
  apiKey: 'x-api-key',
  interaction: 'x-fapi-interaction-id',
  idempotency: 'x-idempotency-key',
  /** In the answer to a repeated call. */
  replayed: 'idempotent-replayed',
  language: 'x-accept-language',
  nonce: 'x-nonce',
  signature: 'x-signature',
  organisation: 'x-organisation-id',
  company: 'x-company-id',
} as const;
