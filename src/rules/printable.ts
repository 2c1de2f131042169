import { escapedCharacter } from '#contract/text.ts';

/** Control characters except tab and new line, and those that change the direction of a line. */
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => {
  const [letter, length] = character > '\u00ff' ? (['u', 4] as const) : (['x', 2] as const);
  return `\\${letter}${character.charCodeAt(0).toString(16).padStart(length, '0')}`;
};

/** What a service that runs jobs takes for a command in their output: `::error::…` as a whole line, `##[…]` and `##vso[…]` anywhere. */
const wholeLine = /^([^\S\n]*):(?=:[^\n]*::)/gm;
const anywhere = /#(?=#\w*\[)/g;

/**
 * Returns a text for a terminal or a log, whose lines are ours: what others have written, such as a program's output, moves
 * no cursor, sets no title, hides nothing, and commands no service that reads the lines. CRLF is a new line.
 */
export const printable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(unprintable, escaped)
    .replace(wholeLine, `$1${escaped(':')}`)
    .replace(anywhere, escaped('#'));

/** The same for one line: what others have written begins none. */
export const printableLine = (text: string): string => printable(text).replaceAll('\n', escaped('\n'));

/** Returns a JSON text with the same value, which breaks no line, moves no cursor, and commands no service that reads the output. */
export const printableJson = (json: string): string =>
  json.replace(unprintable, escapedCharacter).replace(anywhere, escapedCharacter);

/** Returns a text for a cell or a paragraph of Markdown, where it is nothing but text. */
export const markdownText = (text: string): string =>
  printableLine(text.replace(/\s*\n\s*/g, ' ')).replace(/[\\`*_~|<>[\]#!@&]/g, '\\$&');
