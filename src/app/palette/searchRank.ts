const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

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

/** Whether the letters of a search stand in a text in their order. */
function areInOrder(text: string, search: string): boolean {
  let at = 0;
  return [...search.toLowerCase()].every((letter) => (at = text.toLowerCase().indexOf(letter, at) + 1) > 0);
}

/**
 * The rank of an entry for a search, 0 if it does not match: words of its title that begin with the searched words rank
 * before other `words` that it is found by, a part of either, misspelt words, and last scattered letters of the title,
 * which `letters` ranks between 0 and 1.
 */
export function rankOf(
  title: string,
  search: string,
  letters: (text: string, search: string) => number,
  words = '',
): number {
  const [own, all, sought] = [wordsIn(title), wordsIn(`${title} ${words}`), wordsIn(search)];
  const begin = (those: readonly string[]) =>
    sought.length > 0 && sought.every((word) => those.some((each) => each.startsWith(word)));
  if (begin(own)) return own[0]?.startsWith(sought[0] ?? '') ? 1 : 0.9;
  if (begin(all)) return 0.8;
  if (`${title} ${words}`.toLowerCase().includes(search.trim().toLowerCase())) return 0.5;
  const matches = (word: string) => all.some((each) => each.startsWith(word) || isMisspelt(each, word));
  if (sought.length > 0 && sought.every(matches)) return 0.3;
  return areInOrder(title, search) ? letters(title, search) / 10 : 0;
}
