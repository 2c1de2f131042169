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

/** The name of an invisible character, such as `the character U+0007`. */
export const nameOfCharacter = (character: string): string =>
  `the character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
