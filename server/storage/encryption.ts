import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * Authenticated encryption (AES-256-GCM), bound to a place. Without the key a value cannot be read, changed, or moved
 * to another place. Long texts are compressed first.
 */
export interface Encryption {
  encrypt(text: string, place: string): string;
  /** Throws UnknownKeyError, or another error if the value was changed, moved or never encrypted. */
  decrypt(encrypted: string, place: string): string;
  /** Re-encrypts a value with the current key. Throws as `decrypt` does. */
  reencrypt(encrypted: string, place: string): string;
  /** The fingerprints of all keys, the current one first. */
  keyIds: readonly string[];
  /** The prefix of values encrypted under the current key. */
  currentMark: string;
}

/**
 * Thrown for a value encrypted under a key that is not configured. `keyId` is the key's fingerprint, which reveals
 * nothing about the key.
 */
export class UnknownKeyError extends Error {
  readonly keyId: string;

  constructor(keyId: string) {
    super(`encrypted under the key ${keyId}, which is not given`);
    this.name = 'UnknownKeyError';
    this.keyId = keyId;
  }
}

/** The prefix of all encrypted values. */
export const mark = 'aes256gcm:';
/** Lengths in bytes of the nonce, which is new for each value, and of the authentication tag. */
const [nonceLength, tagLength] = [12, 16];

/**
 * Length (characters) from which a text is compressed; compressing then takes less time than writing the whole text.
 */
const compressedFrom = 4096;
/** First byte of a compressed text. A text that itself begins with this byte is always compressed. */
const compressed = 0;
const quality = { [constants.BROTLI_PARAM_QUALITY]: 1 };

const bytesOf = (text: string): Buffer =>
  text.length < compressedFrom && text.charCodeAt(0) !== compressed
    ? Buffer.from(text)
    : Buffer.concat([Buffer.of(compressed), brotliCompressSync(text, { params: quality })]);

const uncompressed = (bytes: Buffer): string =>
  (bytes[0] === compressed ? brotliDecompressSync(bytes.subarray(1)) : bytes).toString();

export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256').update('key id').update(key.export()).digest('hex').slice(0, 16);

/** Length (characters) up to which what was decrypted is kept. */
const longestRecent = 2048;

/** Encrypts under the first key and decrypts under any of them (32 bytes each). */
export function createEncryption(keys: readonly [KeyObject, ...KeyObject[]]): Encryption {
  const [current] = keys;
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const currentMark = `${mark}${keyIdOf(current)}:`;

  function encrypt(text: string, place: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(place));
    const parts = [nonce, cipher.update(bytesOf(text)), cipher.final()];
    return currentMark + Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64');
  }

  function opened(encrypted: string, place: string): string {
    const [found, keyId = '', text = ''] = /^aes256gcm:([0-9a-f]+):(.*)$/.exec(encrypted) ?? [];
    if (found === undefined) throw new Error('it is not encrypted');
    const key = byId.get(keyId);
    if (!key) throw new UnknownKeyError(keyId);
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-tagLength));
    const plain = decipher.update(bytes.subarray(nonceLength, -tagLength));
    decipher.final(); // holds no more of it, but throws if the value was changed
    return uncompressed(plain);
  }

  /** What was decrypted last, by its ciphertext, and where that is stored: some short records are read with every call. */
  const recent = new LRUCache<string, { place: string; text: string }>({ max: 200 });

  function decrypt(encrypted: string, place: string): string {
    const known = recent.get(encrypted);
    if (known?.place === place) return known.text;
    const text = opened(encrypted, place);
    if (encrypted.length <= longestRecent) recent.set(encrypted, { place, text });
    return text;
  }

  return {
    encrypt,
    decrypt,
    reencrypt: (encrypted, place) => encrypt(decrypt(encrypted, place), place),
    keyIds: [...byId.keys()],
    currentMark,
  };
}

/** The place of a value, to which it is bound: its table and the columns that identify it. */
export const locationKey = (table: string, ...columns: readonly (string | null)[]): string =>
  JSON.stringify([table, ...columns]);

/**
 * Hashes texts under a key, so that rows can be found and counted by a text that the database does not hold: equal texts
 * have equal tags (128 bits), which reveal nothing else.
 */
export function createTagger(key: Buffer) {
  const secret = createSecretKey(key);
  return (...parts: readonly string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64').slice(0, 22);
}
export type Tag = ReturnType<typeof createTagger>;
