/** Matches control characters except tabs and line breaks, and lone surrogates. */
export const oddCharacter = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
