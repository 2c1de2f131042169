/** Returns how many letters have to be added, removed or replaced to make one text of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (letter === other[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Asks, behind a blank, whether one of the most similar names was meant; '' if none is similar. */
export function meant(given: string, names: readonly string[]): string {
  const far = names.map((name) => distance(given.toLowerCase(), name.toLowerCase()));
  const least = Math.min(...far);
  const best = names.filter((name, index) => far[index] === least && least <= Math.max(1, name.length / 4));
  return best.length === 0 ? '' : ` Did you mean ${best.join(' or ')}?`;
}
