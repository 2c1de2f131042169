import { isBlank, oddCharacter, trimmed } from '#contract/text.ts';
import { checkField } from './check.ts';
import type { Field } from './field.ts';

/** An example without small letters is a code: digits, capitals and significant punctuation. */
const isCode = (example: string): boolean => /[\dA-Z]/.test(example) && !/[a-z]/.test(example);

/** Characters with which people separate the parts of a code. */
const separators = /[\s\-./]+/g;

/** The digit of ASCII for a decimal digit of any script, whose ten digits follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** Characters of ASCII in full width, as East Asian keyboards write them. */
const asciiOfWide = (wide: string): string => String.fromCharCode(wide.charCodeAt(0) - 0xfee0);

/**
 * Replaces what word processors, web pages and other keyboards put in place of characters of ASCII: dashes, quotation
 * marks, blanks, digits of other scripts; removes invisible characters.
 */
export const plainText = (typed: string): string =>
  trimmed(
    typed
      .normalize('NFC')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replaceAll(/[\p{Zs}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/[\p{Pd}\u02d7\u2043\u2212]/gu, '-')
      .replaceAll(/[‘’‚‛′]/g, "'")
      .replaceAll(/[“”„‟″]/g, '"')
      .replaceAll(/[\uff01-\uff5e]/g, asciiOfWide)
      .replaceAll('\u066b', '.')
      .replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit),
  );

/** Normalisations of any value. */
const ofTexts = [trimmed, plainText];

/** Normalisations of a code, the smallest change first. */
const ofCodes: readonly ((typed: string) => string)[] = [
  trimmed,
  (typed) => trimmed(typed.toUpperCase()),
  plainText,
  (typed) => plainText(typed).toUpperCase(),
  (typed) => plainText(typed).replace(separators, ''),
  (typed) => plainText(typed).toUpperCase().replace(separators, ''),
];

/**
 * Normalises a value that its rule rejects as typed: a code from `11-22-33` to `112233`, from `gb` to `GB`; in any text
 * the dashes, quotation marks, blanks and digits that stand for those of ASCII. Returns any other value, and one that
 * the rule rejects in every normalisation, unchanged.
 */
export function corrected(field: Field, typed: string): string {
  if (field.kind !== 'text' || field.regex === '' || field.lines !== undefined || isBlank(typed)) return typed;
  if (!checkField(field, typed)) return typed;
  const isText = !isCode(field.example);
  // What can disguise a text is for the user to remove.
  if (isText && oddCharacter.test(typed)) return typed;
  const readings = (isText ? ofTexts : ofCodes).map((read) => read(typed));
  return readings.find((value) => value !== '' && !checkField(field, value)) ?? typed;
}
