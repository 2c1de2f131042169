import { decodeExtended, parse } from 'content-disposition';
import { entered } from '#contract/text.ts';

/** Maximum number of characters of a file's name; more than most file systems allow with several bytes each. */
const longestName = 120;

/** Maximum number of characters that are read of a name. */
const longestRead = 1000;

/** Characters that no file system, header or screen should get in a name: control and invisible ones, `<>:"|?*`. */
const unfit = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufffd<>:"|?*]/gu;

/** Names that Windows reserves for devices, whatever their extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns a name that is safe to save a file under: its last part if it is a path, without control and invisible
 * characters, leading dots, and trailing dots and blanks; '' if nothing is left.
 */
function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)?.slice(-longestRead) ?? '';
  const plain = entered(last.replace(unfit, '')).replace(/^[.\s]+|[.\s]+$/g, '');
  const characters = [...plain.replace(reserved, '$1_')];
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? '';
  if (characters.length <= longestName) return characters.join('');
  return characters.slice(0, longestName - ending.length).join('') + ending;
}

/** Reads a header's text, which arrives as Latin-1, as the UTF-8 that many senders put there. */
function asUtf8(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)));
  } catch {
    return value;
  }
}

/**
 * Returns the file name in a Content-Disposition header (RFC 6266), made safe; '' if there is none. `filename*` wins
 * over `filename`.
 */
export function fileNameIn(disposition: string): string {
  // A backslash before another character is a path of Windows, which some senders do not escape.
  const escaped = disposition.replace(/\\(["\\]?)/g, (pair, mark) => (mark === '' ? String.raw`\\` : pair));
  // Decoded here: a name that `parse` has decoded and the bytes of another would look alike.
  const { parameters } = parse(escaped, { extended: false });
  return safeFileName(decodeExtended(parameters['filename*'] ?? '') ?? asUtf8(parameters['filename'] ?? ''));
}
