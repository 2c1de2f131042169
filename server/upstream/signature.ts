import { createHmac } from 'node:crypto';
import { baseString, type ToSign } from '#contract/requests/baseString.ts';

/**
 * X-Signature: Base64 of HMAC-SHA1; the HMAC's key is the text of the signing key and a literal `&null` (wire, section
 * 2.2).
 */
export const sign = ({ key, ...signed }: ToSign & { key: string }): string =>
  createHmac('sha1', `${key}&null`).update(baseString(signed)).digest('base64');
