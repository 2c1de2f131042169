/**
 * Matches control characters except tabs and line breaks, lone surrogates, and overrides of the text direction, which
 * can make a name look like another one. Other direction marks are allowed: right-to-left languages need them.
 */
export const oddCharacter = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202D\u202E]/u;

const odd = new RegExp(oddCharacter, 'gu');
/** Fast pre-check: matches every character that might be odd. */
const unusual = /[^ -~]/;

/** The escape of a character as in JSON, such as \u0000. */
export const escapedCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes every odd character in a text as in \u0000. */
export const visibleText = (text: string): string => (unusual.test(text) ? text.replace(odd, escapedCharacter) : text);

/** Characters that a reader does not see, or does not see as such. */
const unseen = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u;

/** The name of a character: `“ß” U+00DF`, or `the character U+0007` if it is invisible. */
export const nameOfCharacter = (character: string): string => {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return unseen.test(character) ? `the character ${code}` : `“${character}” ${code}`;
};

/** White space, and characters without width that come along when a text is copied. */
const outer = /[\s\u00ad\u180e\u200b-\u200d\u2060-\u2064]/;

/**
 * Returns a text without blanks at its ends, as page, server and sandbox judge it: white space of any script, line
 * breaks, and characters without width.
 */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && outer.test(text.charAt(from))) from += 1;
  while (to > from && outer.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

export const isBlank = (text: string): boolean => trimmed(text) === '';

/** A text as it is checked and sent: composed (NFC), so that é is one character however it was typed, and trimmed. */
export const entered = (text: string): string => trimmed(text.normalize('NFC'));

/** The number of characters of a text: code points, so that an emoji counts once. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** A value that is a text; '' for any other. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
