/** A file for display. `note` says which charset its text was decoded with, or why there is no text. */
export interface DecodedFile {
  /** Undefined if the file is not text. */
  text: string | undefined;
  note: string;
}

/** Byte order marks, by charset. */
const marks: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const charsetIn = (type: string): string => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1] ?? '';

/** Media types of texts; a file without a type, or of an unspecific one, may be text. */
const ofText = /^(text\/.*|application\/(octet-stream|json|xml|csv|edi.*|.*\+(json|xml))|)$/i;

/** Decodes the bytes; undefined if they are not in this charset, or if it is unknown. */
function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isKnown(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
}

/** A decoding that never fails, for a file whose charset is unknown. */
const anyText = (bytes: Uint8Array): [text: string, charset: string] => {
  const text = decoded(bytes, 'utf-8');
  return text === undefined ? [new TextDecoder('windows-1252').decode(bytes), 'windows-1252'] : [text, 'UTF-8'];
};

const unchanged = 'The saved file has the bytes of the service unchanged.';

/**
 * Decodes a payment file for display: by the charset that its type declares, else by its byte order mark, else as UTF-8.
 * If the charset is unknown or wrong, the note says so.
 */
export function decodedFile({ bytes, type }: { bytes: Uint8Array; type: string }): DecodedFile {
  const media = type.split(';')[0]?.trim() ?? '';
  if (!ofText.test(media)) return { text: undefined, note: `The file is ${media} and is not shown. ${unchanged}` };
  const declared = charsetIn(type);
  const mark = marks.find(([, each]) => each.every((byte, index) => bytes[index] === byte))?.[0];
  const own = declared ? decoded(bytes, declared) : undefined;
  if (own !== undefined) return { text: own, note: `Shown as ${declared}, the charset that the service declares.` };
  const [text, charset] = anyText(bytes);
  const marked = mark && decoded(bytes, mark);
  const [shown, as] = marked === undefined ? [text, charset] : [marked, `${mark}, by its byte order mark`];
  if (declared === '') return { text: shown, note: `Shown as ${as}; the service declares no charset.` };
  const wrong = isKnown(declared)
    ? `The service declares the charset ${declared}, but the file is not in it`
    : `The service declares the charset ${declared}, which is unknown here`;
  return { text: shown, note: `${wrong}: shown as ${as}, so that letters may be wrong. ${unchanged}` };
}
