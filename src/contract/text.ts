/** Control characters but tabs and line breaks, and surrogates without their other half. */
export const oddCharacter = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
