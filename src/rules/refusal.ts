import { nameOfCharacter } from '#contract/text.ts';
import { inAscii } from './letters.ts';

type Test = (text: string) => boolean | undefined;

/** Maximum number of characters of a value that is searched, and of characters that are named. */
const [longestSearched, mostNamed] = [1000, 5];

/**
 * Characters that may be the reason for a refusal, and what a pattern may accept in their place. The separators of codes,
 * which are in ASCII, are what the rule's own message is about.
 */
const suspects: readonly (readonly [characters: RegExp, substitutes: readonly string[]])[] = [
  [/[^ -~]/gu, ['a', 'A', '0', '']],
  [/[^A-Za-z0-9 ]/gu, ['a', 'A']],
];

/**
 * Returns the characters because of which a pattern refuses a value: it accepts the value with others in their place.
 * Empty if there is another reason, such as its length.
 */
function refusedCharacters(test: Test, value: string): string[] {
  if (value.length > longestSearched) return [];
  const characters = [...value];
  for (const [suspect, substitutes] of suspects) {
    const unusual = [...new Set(value.match(suspect))];
    if (unusual.length === 0) continue;
    for (const substitute of substitutes) {
      const without = (replaced: readonly string[]) =>
        characters.map((character) => (replaced.includes(character) ? substitute : character)).join('');
      if (test(without(unusual)) !== true) continue;
      return unusual.filter((kept) => test(without(unusual.filter((each) => each !== kept))) === false);
    }
  }
  return [];
}

/** Names a character, and how it is usually written. */
function advice(character: string): string {
  const written = inAscii(character);
  return nameOfCharacter(character) + (written.trim() === '' ? '' : `, usually written ${written},`);
}

/**
 * A rule's message for a value that its pattern refuses, followed by the characters that are the reason, such as `(“ß”
 * U+00DF, usually written ss, cannot be used here)`.
 */
export function refusalText(message: string, test: Test, value: string): string {
  const refused = refusedCharacters(test, value);
  if (refused.length === 0) return message;
  const named = refused.slice(0, mostNamed).map(advice).join(' ');
  const more = refused.length > mostNamed ? ` and ${refused.length - mostNamed} more` : '';
  return `${message} (${named}${more} cannot be used here)`;
}
