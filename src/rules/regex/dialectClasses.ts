import { escapeAt, literalOf, posixSet, unreadable, type Item } from './dialectEscapes.ts';

/** A class of characters, written as ECMAScript reads it with flag v, and the position after it. */
interface Class {
  source: string;
  to: number;
}

const nested = (set: string, negated = false): string => `[${negated ? '^' : ''}${set}]`;

/** Reads `[:alpha:]` within a class; undefined if there is none. */
function posixAt(regex: string, at: number, isNegated: boolean): Item | undefined {
  const found = /^\[([:.=])(\^?)([^[\]]{0,20}?)\1\]/.exec(regex.slice(at, at + 30));
  if (!found) return undefined;
  const [whole, kind, caret, name = ''] = found;
  const negated = caret === '^';
  const set = kind === ':' ? posixSet(name, negated !== isNegated) : undefined;
  if (set === undefined) throw unreadable(whole);
  return { to: at + whole.length, set, negated };
}

/** Reads a class nested in one as its last part, as in `[a-z-[aeiou]]` and `[a-z&&[^aeiou]]`. */
function lastPartAt(regex: string, at: number): Class | undefined {
  const operator = /^(?:&&|--?)(?=\[)/.exec(regex.slice(at, at + 3))?.[0];
  if (operator === undefined) return undefined;
  try {
    const part = classAt(regex, at + operator.length);
    if (regex[part.to] !== ']') return undefined;
    return { source: `${operator === '&&' ? '&&' : '--'}${part.source}`, to: part.to };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function itemAt(regex: string, at: number, isNegated: boolean): Item {
  if (regex.startsWith('\\b', at)) return { to: at + 2, code: 8 };
  if (regex[at] === '\\') return escapeAt(regex, at);
  const code = regex.codePointAt(at) ?? 0;
  return posixAt(regex, at, isNegated) ?? { to: at + (code > 0xffff ? 2 : 1), code };
}

/** The items of a quotation (\Q..\E) in a class, or the item's own source. */
function written(item: Item): string {
  if ('set' in item) return nested(item.set, item.negated);
  if ('quoted' in item) return [...item.quoted].map((each) => literalOf(each.codePointAt(0) ?? 0)).join('');
  if ('code' in item) return literalOf(item.code);
  if (item.source === '') return '';
  throw unreadable('An assertion or a reference in a class');
}

/** Whether a bracket that closes directly is meant as a character, as POSIX and PCRE read `[]abc]`. */
function startsWithBracket(regex: string, at: number, isNegated: boolean): boolean {
  const rest = regex.slice(at + 1);
  // ECMAScript alone reads [^] as any character, and then usually no bracket closes before the next one opens.
  return isNegated ? /^[^[\]]*\]/.test(rest) : rest.includes(']');
}

/** Reads the class whose bracket opens at `at`. Throws a SyntaxError if its meaning is not certain. */
export function classAt(regex: string, at: number): Class {
  const isNegated = regex[at + 1] === '^';
  let to = at + (isNegated ? 2 : 1);
  const parts: string[] = [];
  let hasBracket = false;
  let last = '';
  if (regex[to] === ']' && startsWithBracket(regex, to, isNegated)) {
    parts.push('\\u{5d}');
    to += 1;
  }
  while (regex[to] !== ']') {
    if (to >= regex.length) throw new SyntaxError('A class has no closing bracket');
    const lastPart = parts.length > 0 ? lastPartAt(regex, to) : undefined;
    if (lastPart) {
      last = lastPart.source;
      to = lastPart.to;
      break;
    }
    const item = itemAt(regex, to, isNegated);
    hasBracket ||= regex[to] === '[' && 'code' in item;
    to = item.to;
    const end = regex[to] === '-' && regex[to + 1] !== ']' && 'code' in item ? itemAt(regex, to + 1, isNegated) : item;
    if (end !== item && 'code' in end && 'code' in item) {
      if (end.code < item.code) throw new SyntaxError('The range of a class is out of order');
      parts.push(`${literalOf(item.code)}-${literalOf(end.code)}`);
      to = end.to;
    } else parts.push(written(item));
  }
  to += 1;
  // Java reads [a-c[x-z]] as one class, ECMAScript as a class and a bracket.
  if (hasBracket && regex[to] === ']') throw unreadable('A class in a class');
  const items = parts.join('');
  return { source: last ? nested(`[${items}]${last}`, isNegated) : nested(items, isNegated), to };
}
