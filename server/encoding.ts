import { isUtf8 } from 'node:buffer';

/** Returns the parameter `charset` of a Content-Type, '' if there is none: case-insensitive, perhaps quoted (RFC 9110, section 8.3). */
export const charsetOf = (contentType = ''): string =>
  /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1]?.toLowerCase() ?? '';

/** Returns the encoding that a body begins to be in: of its byte order mark, or of the zeros beside its first character. */
export function encodingAtStart([first, second, third, fourth]: Buffer): string {
  if (third === 0 && fourth === 0 && second !== undefined && (second === 0 || first === 0xff)) return 'utf-32le';
  if (first === 0 && second === 0 && (third === 0 || fourth === 0xff)) return 'utf-32be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  // JSON and forms begin with a character of ASCII.
  if (first === 0 && second !== 0) return 'utf-16be';
  return first !== undefined && second === 0 ? 'utf-16le' : '';
}

/**
 * Returns the encoding of a JSON body: that of its beginning, else UTF-8 (RFC 8259, section 8.1); if its bytes are not
 * UTF-8, the charset of its Content-Type, if it is known.
 */
export function encodingOfJson(content: Buffer, contentType = ''): string {
  const found = encodingAtStart(content);
  if (found !== '' || isUtf8(content)) return found || 'utf-8';
  try {
    return new TextDecoder(charsetOf(contentType) || 'utf-8').encoding;
  } catch {
    return 'utf-8';
  }
}

/** UTF-32, which TextDecoder does not know. */
function decodeUtf32(bytes: Buffer, isBigEndian: boolean): string {
  const read = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4)
    text += read(at) <= 0x10ffff ? String.fromCodePoint(read(at)) : '\ufffd';
  return text.replace(/^\ufeff/, '');
}

/** Decodes a text without a byte order mark; `isFatal` and `isCut` as of TextDecoder. Throws for an unknown encoding. */
export const decodeText = (bytes: Buffer, encoding: string, isFatal = false, isCut = false): string =>
  encoding.startsWith('utf-32')
    ? decodeUtf32(bytes, encoding === 'utf-32be')
    : new TextDecoder(encoding, { fatal: isFatal }).decode(bytes, { stream: isCut });

/** Returns the text of a JSON body without a byte order mark; what cannot be decoded in its encoding is replaced. */
export const textOfJson = (content: Buffer, contentType?: string): string =>
  decodeText(content, encodingOfJson(content, contentType));
