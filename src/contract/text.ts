/**
 * Matches control characters except tabs and line breaks, lone surrogates, and the overrides of direction, which make a
 * name look like another one. Other marks of direction belong to texts in languages written from right to left.
 */
export const oddCharacter = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202D\u202E]/u;

/** The name of a character that is not visible, such as `the character U+0007`. */
export const nameOfCharacter = (character: string): string =>
  `the character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
