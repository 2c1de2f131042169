const ends: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** A string, whole or cut off, or a character that structures JSON. */
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],]/gs;

/**
 * The JSON with which a truncated text begins, as a whole: without the entry in which it was cut off, and with an end for
 * each object and array that has none. A text that is no JSON stays none.
 */
export function wholeEntries(text: string): string {
  const open: string[] = [];
  let whole = 0;
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found.startsWith('"')) continue;
    const end = ends[found];
    if (end) open.push(end);
    else if (found !== ',') open.pop();
    whole = found === ',' ? index : index + 1;
    if (open.length === 0 && found !== ',') break;
  }
  return open.length === 0 ? text : text.slice(0, whole) + open.reverse().join('');
}
