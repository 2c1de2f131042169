/**
 * Decodes a text file that an editor or shell of any system has written: UTF-8, or UTF-16 with its byte order mark, which
 * is left out. Throws an error whose message is a sentence about `file` without its full stop.
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file} is not encoded in UTF-8: save it in UTF-8`);
  }
  // UTF-16 without its mark decodes as UTF-8 if it has ASCII letters only.
  if (text.includes('\0')) throw new Error(`${file} holds NUL characters, perhaps as UTF-16: save it in UTF-8`);
  return text;
}
