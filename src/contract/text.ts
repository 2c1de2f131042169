/** Matches control characters except tabs and line breaks, and lone surrogates. */
export const oddCharacter = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

/** The name of a character that is not visible, such as `the character U+0007`. */
export const nameOfCharacter = (character: string): string =>
  `the character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
