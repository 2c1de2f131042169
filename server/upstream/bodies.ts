import { secretIsSet } from '#contract/secrets.ts';
import type { Mask } from '#server/mask.ts';

/** The mask of a secret in UTF-8, written as Latin-1. */
const maskInLatin1 = Buffer.from(secretIsSet).toString('latin1');

/** Masks secrets in bytes of any charset; returns the same bytes if there are none. */
export function maskedBytes(bytes: Buffer, mask: Mask): Buffer {
  // In Latin-1 each byte is one character.
  const text = bytes.toString('latin1');
  const shown = mask(text);
  return shown === text ? bytes : Buffer.from(shown.replaceAll(secretIsSet, maskInLatin1), 'latin1');
}
