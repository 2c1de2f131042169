import { createCipheriv, createDecipheriv, createHash, createHmac, randomFillSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * Authenticated encryption (AES-256-GCM), bound to a place. Without the key a value cannot be read, changed, or moved
 * to another place. Long texts are compressed first.
 */
export interface Seal {
  seal(text: string, place: string): string;
  /** Decrypts a value. Throws UnknownKeyError, or another error if the value was changed, moved or never encrypted. */
  open(sealed: string, place: string): string;
  /** A keyed hash under the current key: equal texts have equal tags, which reveal nothing else. */
  tag(text: string): string;
  /** The tags of a text under all keys, the current one first. */
  tags(text: string): string[];
  /** The fingerprints of all keys, the current one first. */
  keyIds: readonly string[];
  /** The prefixes of all encrypted values (`mark`) and of those encrypted under the current key. */
  mark: string;
  currentMark: string;
}

/**
 * Thrown for a value encrypted under a key that is not configured. `keyId` is the key's fingerprint, which reveals
 * nothing about the key.
 */
export class UnknownKeyError extends Error {
  readonly keyId: string;

  constructor(keyId: string) {
    super(`sealed under the key ${keyId}, which is not given`);
    this.name = 'UnknownKeyError';
    this.keyId = keyId;
  }
}

const mark = 'aes256gcm:';
/** Lengths in bytes of the nonce, which is new for each value, and of the authentication tag. */
const [nonceLength, tagLength] = [12, 16];
/** Random bytes for the next nonces; requesting many at once is much faster. Those before `used` are spent. */
const nonces = Buffer.alloc(nonceLength * 256);
let used = nonces.length;
/** Returns a nonce; copy it before the next call. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += nonceLength;
  return nonces.subarray(used - nonceLength, used);
}

/** Length of a keyed hash in characters of Base64 (128 bits). */
const tagCharacters = 22;

/**
 * Length (characters) from which a text is compressed; compressing then takes less time than writing the whole text.
 */
const long = 4096;
/** First byte of a compressed text. A text that itself begins with this byte is always compressed. */
const compressed = 0;
const quality = { [constants.BROTLI_PARAM_QUALITY]: 1 };

const bytesOf = (text: string): Buffer =>
  text.length < long && text.charCodeAt(0) !== compressed
    ? Buffer.from(text)
    : Buffer.concat([Buffer.of(compressed), brotliCompressSync(text, { params: quality })]);

const textOf = (bytes: Buffer): string =>
  (bytes[0] === compressed ? brotliDecompressSync(bytes.subarray(1)) : bytes).toString();

export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256').update('key id').update(key.export()).digest('hex').slice(0, 16);

const tagUnder = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(`tag ${text}`).digest('base64').slice(0, tagCharacters);

/** Encrypts under the first key and decrypts under any of them (32 bytes each). */
export function createSeal(keys: readonly [KeyObject, ...KeyObject[]]): Seal {
  const [current] = keys;
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const currentMark = `${mark}${keyIdOf(current)}:`;

  return {
    keyIds: [...byId.keys()],
    mark,
    currentMark,
    seal(text, place) {
      const nonce = nextNonce();
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(place));
      const sealed = [nonce, cipher.update(bytesOf(text)), cipher.final()];
      return currentMark + Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
    },
    tag: (text) => tagUnder(current, text),
    tags: (text) => keys.map((key) => tagUnder(key, text)),
    open(sealed, place) {
      const [found, keyId = '', text = ''] = /^aes256gcm:([0-9a-f]+):(.*)$/.exec(sealed) ?? [];
      if (found === undefined) throw new Error('it is not sealed');
      const key = byId.get(keyId);
      if (!key) throw new UnknownKeyError(keyId);
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
        authTagLength: tagLength,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-tagLength));
      const plain = decipher.update(bytes.subarray(nonceLength, -tagLength));
      decipher.final(); // holds no more of it, but throws if the value was changed
      return textOf(plain);
    },
  };
}
