/** Control characters except tab and new line, and those that change the direction of a line. */
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/**
 * Returns a text for a terminal: what others have written, such as a program's output, moves no cursor, sets no title and
 * hides nothing. CRLF is a new line.
 */
export const printable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(unprintable, (each) =>
      each > '\u00ff' ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped(each),
    );
