import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
