/** Words of a sentence that say nothing of what is sought. */
const idle = new Set(['a', 'an', 'and', 'the', 'my', 'to', 'of', 'how', 'do', 'i']);

/** The words of a text in small letters without accents. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const said = words.filter((word) => !idle.has(word));
  return said.length > 0 ? said : words;
}

/** Number of letters added, left out, replaced or swapped with the next one that turn `from` into `to`. */
function mistakesBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const above = rows[i - 1]!;
      const replaced = above[j - 1]! + Number(from[i - 1] !== to[j - 1]);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}

/** Whether a word begins like `sought`, which may be misspelt: once in four letters, twice in eight. */
function isMisspelt(word: string, sought: string): boolean {
  const allowed = Math.floor(Math.min(sought.length, 11) / 4);
  if (allowed === 0 || word[0] !== sought[0]) return false;
  const lengths = [-1, 0, 1].map((by) => sought.length + by);
  return lengths.some((length) => mistakesBetween(word.slice(0, length), sought) <= allowed);
}

/** Whether the letters of a search stand in one word in their order, which begins with the first of them. */
function isAbbreviated(word: string, sought: string): boolean {
  let at = 0;
  return word[0] === sought[0] && [...sought].every((letter) => (at = word.indexOf(letter, at) + 1) > 0);
}

/**
 * The rank of an entry for a search, 0 if it does not match: words of its title that begin with the searched words rank
 * before other `words` that it is found by, a part of either, misspelt words, and last abbreviated words of the title.
 */
export function rankOf(title: string, search: string, words = ''): number {
  const [own, all, sought] = [wordsIn(title), wordsIn(`${title} ${words}`), wordsIn(search)];
  if (sought.length === 0) return 0;
  const begin = (those: readonly string[]) => sought.every((word) => those.some((each) => each.startsWith(word)));
  if (begin(own)) return own[0]?.startsWith(sought[0] ?? '') ? 1 : 0.9;
  const isOwn = sought.some((word) => own.some((each) => each.startsWith(word)));
  if (sought.every((word) => all.includes(word))) return isOwn ? 0.87 : 0.85;
  if (begin(all)) return 0.8;
  if (`${title} ${words}`.toLowerCase().includes(search.trim().toLowerCase())) return 0.5;
  const matches = (word: string) => all.some((each) => each.startsWith(word) || isMisspelt(each, word));
  if (sought.every(matches)) return 0.3;
  return sought.every((word) => own.some((each) => isAbbreviated(each, word))) ? 0.1 : 0;
}

/** The entries that match a search, best first; all of one rank in their order. */
export const foundIn = <Found extends { title: string; words: string; detail?: string }>(
  entries: readonly Found[],
  search: string,
): Found[] =>
  entries
    .map((entry) => ({ entry, rank: rankOf(entry.title, search, `${entry.words} ${entry.detail ?? ''}`) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
