import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { decodedFile } from '#rules/decodedFile.ts';
import { charsetOf, decodeText, encodingOfJson } from '#server/encoding.ts';

/** A body as it is recorded. */
export interface RecordedBody {
  /** The text by its charset, or Base64 of the bytes. */
  body: string;
  /** The number of bytes as sent. */
  bytes: number;
  /** Set if the body is no text. */
  encoding?: 'base64';
  /** The number of bytes without the content coding; absent if there is none, or if it cannot be undone. */
  contentBytes?: number;
  /** Set if `body` is only the beginning. */
  isCut?: true;
}

/** Maximum number of bytes of a body that are read for the record, and to which they are decompressed. */
const maximumRead = 256 * 1024;
const maximumRecorded = 1024 * 1024;

/** Undoes one content coding, also of a truncated body. Throws for one that is unknown, or that the bytes are not in. */
function withoutCoding(bytes: Buffer, coding: string): Buffer {
  const maxOutputLength = maximumRecorded;
  if (/^(x-)?gzip$|^deflate$/.test(coding))
    return unzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  if (coding === 'br')
    return brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  throw new Error(`unknown content coding ${coding}`);
}

const codingsIn = (header = ''): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** Returns a body without its content codings; undefined if they cannot be undone. */
function contentOf(bytes: Buffer, codings: readonly string[]): Buffer | undefined {
  try {
    return codings.reduceRight(withoutCoding, bytes);
  } catch {
    return undefined;
  }
}

const ofJson = /^\s*application\/([\w.+-]*\+)?json\b/i;

/** The encoding in which bytes of this type are read. */
const encodingIn = (bytes: Buffer, type: string): string =>
  ofJson.test(type) ? encodingOfJson(bytes, type) : charsetOf(type) || 'utf-8';

/** Media types whose bodies are texts, whatever characters they hold. */
const ofText = /^\s*(text\/|application\/([\w.+-]*\+)?(json|xml|x-www-form-urlencoded|problem)\b)/i;

/** Decodes bytes by the charset of their type; undefined if they are no text in it. A cut one may end within a character. */
function decoded(bytes: Buffer, type: string, isCut: boolean): string | undefined {
  try {
    const text = decodeText(bytes, encodingIn(bytes, type), true, isCut);
    return ofText.test(type) || !/[\u0000-\u0008\u000e-\u001a\u007f]/.test(text) ? text : undefined;
  } catch {
    return /^\s*text\//i.test(type) ? decodedFile({ bytes, type }).text : undefined;
  }
}

/**
 * Returns a body for the record: without its content coding, as text by its charset, otherwise as Base64. `length` is the
 * number of its bytes, of which those received may be only the beginning; at most `most` are read.
 */
export function recordedBody(
  received: Buffer,
  { 'content-type': type = '', 'content-encoding': encoding }: Readonly<Record<string, string>>,
  length = received.length,
  most = maximumRead,
): RecordedBody {
  const bytes = received.subarray(0, most);
  const codings = codingsIn(encoding);
  const content = contentOf(bytes, codings);
  const isCut = bytes.length < length;
  const text = content && decoded(content, type, isCut);
  return {
    bytes: length,
    ...(text === undefined ? { body: (content ?? bytes).toString('base64'), encoding: 'base64' } : { body: text }),
    ...(codings.length > 0 && content && !isCut && { contentBytes: content.length }),
    ...(isCut && { isCut }),
  };
}

/** Number of bytes of a body up to which it waits as it is until it is recorded. */
const mostWaiting = 64 * 1024;

/**
 * Returns one side of an exchange, whose body is read when it is recorded; a long one now, so that it need not be held until
 * then. Nothing else of the exchange is held meanwhile. `length` as in `recordedBody`.
 */
export function whenRecorded(received: Buffer, headers: Readonly<Record<string, string>>, length = received.length) {
  const read = () => ({ headers, ...recordedBody(received, headers, length) });
  return received.length > mostWaiting ? read() : read;
}
