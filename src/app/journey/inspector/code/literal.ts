import { names, type Part } from './request.ts';

const codeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A string literal in double quotes with the escapes of JSON, for JavaScript and Java. */
export const literal = (text: string): string => JSON.stringify(text).replace(/[\u007f-\uffff]/g, codeUnit);

/** Such a literal with one escape for each code point, for Python and Go. */
export const pointLiteral = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u{10ffff}]/gu, (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return character.length === 1 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });

/** A literal of PHP, within whose double quotes "$" would begin a variable. */
export const phpLiteral = (text: string): string =>
  `"${text.replace(/["\\$]|[^ -~]/gu, (character) =>
    /["\\$]/.test(character) ? `\\${character}` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )}"`;

/** Literals and variables, joined. */
export const joined = (
  text: readonly Part[],
  of: (text: string) => string,
  { prefix = '', plus = ' + ' }: { prefix?: string; plus?: string } = {},
): string =>
  text.map((part) => (typeof part === 'string' ? of(part) : prefix + names[part.variable])).join(plus) || '""';
