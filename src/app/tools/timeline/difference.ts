import { diffArrays } from 'diff';
import { parse, stringify } from '#contract/json.ts';

/**
 * A line of the comparison: the same in both texts, or one of the first beside one of the second; null for a missing
 * line.
 */
export interface AlignedLine {
  first: string | null;
  second: string | null;
  same: boolean;
}

/** Maximum number of lines compared; more would take the browser too long. */
const mostLines = 5000;

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
};

/** The lines of a text. JSON is formatted with sorted members, so that only its content is compared. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  try {
    return stringify(sorted(parse(text)), 2)
      .split('\n')
      .slice(0, mostLines);
  } catch {
    return text.split('\n').slice(0, mostLines);
  }
}

/** Aligns two texts line by line. */
export function aligned(first: string, second: string): AlignedLine[] {
  const lines: AlignedLine[] = [];
  let gone: string[] = [];
  let come: string[] = [];
  const changed = () => {
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1)
      lines.push({ first: gone[index] ?? null, second: come[index] ?? null, same: false });
    [gone, come] = [[], []];
  };
  for (const { value, added, removed } of diffArrays(linesOf(first), linesOf(second))) {
    if (removed) gone.push(...value);
    else if (added) come.push(...value);
    else {
      changed();
      for (const line of value) lines.push({ first: line, second: line, same: true });
    }
  }
  changed();
  return lines;
}
