import { createHmac } from 'node:crypto';
import { baseString, type ToSign } from '#contract/requests/baseString.ts';

/** X-Signature: Base64 of HMAC-SHA1 under the signing key's text and a literal `&null` (wire, section 2.2). */
export const sign = ({ key, ...signed }: ToSign & { key: string }): string =>
  createHmac('sha1', `${key}&null`).update(baseString(signed)).digest('base64');
