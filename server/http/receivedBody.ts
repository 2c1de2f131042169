import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { charsetOf, encodingAtStart } from '#server/encoding.ts';

declare module 'koa' {
  interface Request {
    /** The body as it was received: with its content codings, and in its charset. Absent until it has been read. */
    bytes?: Buffer;
    /** The decoded body, without a byte order mark. Absent until it has been decoded. */
    text?: string;
    /** The parsed body. */
    body?: unknown;
  }
}

/** A body that cannot be read, with the HTTP status that says so. The message continues a sentence: "it is ...". */
export class BodyError extends Error {
  readonly status: 400 | 413 | 415;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: BodyError['status'], why: string, headers: BodyError['headers'] = {}) {
    super(why);
    this.name = 'BodyError';
    this.status = status;
    this.headers = headers;
  }
}

/** Methods whose requests have bodies that are read. */
const writing = ['POST', 'PUT', 'PATCH'];
export const mayHaveBody = (method: string): boolean => writing.includes(method);

const tooLarge = (maximum: number) => new BodyError(413, `it is larger than ${maximum} bytes`);

/** Resolves with the bytes of a body. Rejects with BodyError if there are too many, or the caller hangs up. */
export async function receiveBytes(request: IncomingMessage, maximum: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maximum) throw tooLarge(maximum);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    // What is left of a body that is too large stays unread: the connection is still needed for the answer.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > maximum) break;
      parts.push(part);
    }
  } catch {
    throw new BodyError(400, 'the connection was closed before all of it had arrived');
  }
  if (length > maximum) throw tooLarge(maximum);
  return Buffer.concat(parts);
}

type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const [ofGzip, ofZlib, ofRaw, ofBrotli]: Decompress[] = [
  promisify(gunzip),
  promisify(inflate),
  promisify(inflateRaw),
  promisify(brotliDecompress),
];
/** Some senders leave out the frame, which begins with the method 8 (RFC 1950). */
const ofDeflate: Decompress = (bytes, options) => ((bytes[0]! & 0x0f) === 8 ? ofZlib : ofRaw)!(bytes, options); // not empty
/** The content codings that are understood; their names are case-insensitive (RFC 9110, section 8.4.1). */
const codings = new Map<string, Decompress | undefined>([
  ['gzip', ofGzip],
  ['x-gzip', ofGzip],
  ['deflate', ofDeflate],
  ['br', ofBrotli],
]);
/** Maximum number of codings applied to one body, each of which costs the decompression of a whole body. */
const maximumCodings = 3;

/** Removes the content codings of a body, the last one first. Rejects with BodyError. */
export async function decompressed(bytes: Buffer, contentEncoding: string, maximum: number): Promise<Buffer> {
  const names = contentEncoding
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
  // RFC 7694: the answer says which codings are accepted.
  const refuse = (why: string) => new BodyError(415, why, { 'accept-encoding': 'gzip, deflate, br' });
  if (names.length > maximumCodings) throw refuse(`it has ${names.length} content codings: send one at most`);
  let content = bytes;
  for (const name of names.reverse()) {
    const decompress = codings.get(name);
    if (!decompress) throw refuse(`its Content-Encoding is ${name}: send gzip, deflate, br or none`);
    if (content.length === 0) continue;
    content = await decompress(content, { maxOutputLength: maximum }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE'
        ? tooLarge(maximum)
        : new BodyError(400, `it is not compressed as Content-Encoding says (${name})`);
    });
  }
  return content;
}

/** Returns the media type of a Content-Type in lower case, without parameters; '' if there is none. */
export const mediaType = (contentType = ''): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Whether a media type is that of JSON, or of a format based on JSON (RFC 6839). */
export const isJsonType = (type: string): boolean => /^(application\/|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+)json$/.test(type);

/** Returns the place of the first byte that is not UTF-8. */
function placeNotUtf8(bytes: Buffer): number {
  const again = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const place = bytes.findIndex((byte, at) => byte !== again[at]);
  return place === -1 ? bytes.length : place;
}

/** Returns the text of a body's content, without a byte order mark. Throws BodyError. */
function decodedContent(content: Buffer, charset: string): string {
  const found = encodingAtStart(content);
  const encoding = found !== '' && (charset === '' || charset === 'utf-16' || found === 'utf-8') ? found : charset;
  if (encoding === '' || encoding === 'utf-8' || encoding === 'utf8') {
    if (!isUtf8(content)) throw new BodyError(400, `it is not UTF-8 from byte ${placeNotUtf8(content) + 1} on`);
    return new TextDecoder().decode(content);
  }
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new BodyError(415, `its charset ${encoding} is not known: send UTF-8`, { 'accept-charset': 'utf-8' });
  }
  try {
    return decoder.decode(content);
  } catch {
    throw new BodyError(400, `it is not in the charset ${encoding}, which its Content-Type names`);
  }
}

/**
 * Returns the text of a received body: without its content codings, decoded by its byte order mark or its charset, by
 * default UTF-8. Rejects with BodyError if the body is not as its headers say, or its content is longer than `maximum`
 * bytes.
 */
export const decodedText = async (bytes: Buffer, headers: IncomingHttpHeaders, maximum: number): Promise<string> =>
  decodedContent(
    await decompressed(bytes, headers['content-encoding'] ?? '', maximum),
    charsetOf(headers['content-type']),
  );

/** Returns the text of a received body, or of its bytes as far as they are UTF-8 if it cannot be decoded. */
export const readableText = (bytes: Buffer, headers: IncomingHttpHeaders, maximum: number): Promise<string> =>
  decodedText(bytes, headers, maximum).catch(() => bytes.toString());
