/**
 * How letters are written into files of ASCII. This is the one definition of the letters that page, sandbox and files
 * take: `accentedLetters` is what rules accept, and every one of them has a transliteration.
 */

/** Transliterations of the characters that are no letter of ASCII with accents. */
const transliterations: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  þ: 'th',
  Þ: 'TH',
  ð: 'd',
  Ð: 'D',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ĳ: 'ij',
  Ĳ: 'IJ',
  ĸ: 'k',
  ł: 'l',
  Ł: 'L',
  ŀ: 'l',
  Ŀ: 'L',
  ŉ: "'n",
  ŋ: 'n',
  Ŋ: 'N',
  ŧ: 't',
  Ŧ: 'T',
  ſ: 's',
  '’': "'",
  '‘': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
  '…': '...',
};

/** The letters of ASCII and those with a transliteration, as part of a regex's class. */
export const accentedLetters = 'A-Za-zÀ-ÖØ-öø-ſƠơƯưȘșȚțẞẠ-ỹ';

const ascii = /^[ -~]*$/;

const transliteration = (character: string): string =>
  transliterations[character] ?? character.normalize('NFD').replaceAll(/\p{Mn}/gu, '');

/**
 * Writes a text without accents, with the usual transliteration of other letters: Søren Strauß becomes Soren Strauss.
 * Characters without a transliteration stay.
 */
export const transliterated = (text: string): string =>
  ascii.test(text) ? text : [...text.normalize('NFC')].map(transliteration).join('');

/** How a character is usually written in ASCII; '' if there is no such way. */
export function inAscii(character: string): string {
  const written = transliteration(character);
  return ascii.test(written) && written !== character ? written : '';
}

/** The first character that is not in ASCII; '' if there is none. */
export const beyondAscii = (text: string): string => /[^ -~]/u.exec(text)?.[0] ?? '';
