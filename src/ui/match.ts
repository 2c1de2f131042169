/** The text in lower case, without accents, trimmed, with single spaces between words. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Whether `text` contains the letters of `term` in this order, with any other characters between them. */
function isScattered(text: string, term: string): boolean {
  let at = 0;
  for (const letter of term.replaceAll(' ', '')) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/**
 * How well a label matches a term; 0 is best, undefined no match. In order: the whole label (0), its start (1), the
 * start of a word for each word of the term (2), the term anywhere (3), each of its words anywhere (4), its letters in
 * order (5).
 */
function rankOf(label: string, term: string): number | undefined {
  const text = plain(label);
  if (text === term) return 0;
  if (text.startsWith(term)) return 1;
  const words = wordsOf(text);
  const sought = wordsOf(term);
  if (sought.length > 0 && sought.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  if (text.includes(term)) return 3;
  if (sought.length > 0 && sought.every((part) => text.includes(part))) return 4;
  return isScattered(text, term) ? 5 : undefined;
}

/** The options whose label, or else the text to search, matches a term, best first, ties in the given order; all options for an empty term. */
export function matching<Option extends { label: string; search?: string }>(
  options: readonly Option[],
  term: string,
): Option[] {
  const sought = plain(term);
  if (sought === '') return [...options];
  return options
    .flatMap((option) => {
      const rank = rankOf(option.label, sought) ?? rankOf(option.search ?? '', sought);
      return rank === undefined ? [] : [{ option, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}
