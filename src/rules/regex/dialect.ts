import { classAt } from './dialectClasses.ts';
import { escapeAt, literalOf, unreadable } from './dialectEscapes.ts';

/** The flags that hold at a place: ignore case, lines, dot for line ends, and blanks for layout. */
type Flag = 'i' | 'm' | 's' | 'x';
type Flags = Readonly<Record<Flag, boolean>>;

const isFlag = (letter: string): letter is Flag => 'imsx'.includes(letter);
/** Flags without an effect on whether a value matches. */
const idle = 'nuaJ';

/** Flags after a group's `(?`, such as `i` and `i-s`. */
function withFlags(flags: Flags, on: string, off: string): Flags {
  const changed = { ...flags };
  for (const letter of on + off) {
    if (isFlag(letter)) changed[letter] = on.includes(letter);
    else if (!idle.includes(letter)) throw unreadable(`The flag ${letter}`);
  }
  return changed;
}

/** A group that is open: the flags after it, what closes it, and whether what it holds may make a value wrong. */
interface Open {
  outer: Flags;
  close: string;
  negates: boolean;
}

const none: Flags = { i: false, m: false, s: false, x: false };

/** A pattern between delimiters, as PHP and Perl write it: no value has anything before its start. */
const delimited = /^([/#~])(\^[^]*\$)\1([imsxuDgy]*)$/;

const quantifier = /[*+?]|\{(\d+(?:,\d*)?)\}|\{,(\d+)\}/y;
const opening =
  /\(\?(?:#[^)]*\)|([:|>])|(=|!|<=|<!)|P?<([A-Za-z_$][\w$]*)>|'([A-Za-z_]\w*)'|P=(\w+)\)|\^?([A-Za-z]*)(?:-([A-Za-z]+))?([:)]))/y;

/**
 * Returns a pattern of any usual dialect as ECMAScript reads it with flag v and modifiers. Throws a SyntaxError for what
 * has no equivalent, or no certain meaning. An atomic group or possessive repetition may match more than it did.
 */
export function ecmaScript(written: string): string {
  const [, , within, given = ''] = delimited.exec(written) ?? [];
  const regex = within ?? written;
  const out: string[] = [];
  const open: Open[] = [];
  const names = new Set<string>();
  let flags = withFlags(none, given.replace(/[uDgy]/g, ''), '');
  let at = 0;

  const atom = (source: string) => out.push(flags.i ? `(?i:${source})` : source);
  const takes = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(regex);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const begin = (source: string, close = ')', negates = false, inner = flags) => {
    open.push({ outer: flags, close, negates });
    flags = inner;
    out.push(source);
  };
  const atomic = () => {
    if (open.some(({ negates }) => negates))
      throw unreadable('An atomic group or repetition in a negative look-around');
  };

  function group(): void {
    const found = takes(opening);
    if (!found) {
      if (regex[at + 1] === '?' || regex[at + 1] === '*') throw unreadable(regex.slice(at, at + 3));
      at += 1;
      begin('(');
      return;
    }
    const [whole, plain, around, angled, apostrophed, referred, on, off = '', end] = found;
    const name = angled ?? apostrophed;
    if (plain !== undefined) {
      if (plain === '>') atomic();
      begin('(?:');
    } else if (around !== undefined) begin(`(?:(?${around}`, '))', around.includes('!'));
    else if (name !== undefined) {
      begin(names.has(name) ? '(' : `(?<${name}>`);
      names.add(name);
    } else if (referred !== undefined) out.push(`\\k<${referred}>`);
    else if (end !== undefined) {
      const changed = withFlags(whole.startsWith('(?^') ? none : flags, on ?? '', off);
      if (end === ')') flags = changed;
      else begin('(?:', ')', false, changed);
    }
  }

  function escape(): void {
    const item = escapeAt(regex, at);
    at = item.to;
    if ('code' in item) atom(literalOf(item.code));
    else if ('set' in item) atom(`[${item.negated ? '^' : ''}${item.set}]`);
    else if ('source' in item) out.push(item.source);
    else for (const each of item.quoted) atom(literalOf(each.codePointAt(0) ?? 0));
  }

  function repetition([whole, , most]: RegExpExecArray): void {
    out.push(most === undefined ? whole : `{0,${most}}`);
    if (regex[at] === '?') out.push('?');
    if (regex[at] === '+') atomic();
    if (regex[at] === '?' || regex[at] === '+') at += 1;
  }

  const marks: Readonly<Record<string, () => unknown>> = {
    '^': () => out.push(flags.m ? '(?:(?<![^\\n\\r\\u2028\\u2029]))' : '^'),
    $: () => out.push(flags.m ? '(?:(?![^\\n\\r\\u2028\\u2029]))' : '$'),
    '.': () => out.push(flags.s ? '[^]' : '.'),
    '|': () => out.push('|'),
    ')': () => {
      const closed = open.pop();
      if (!closed) throw new SyntaxError('A bracket is closed that was not opened');
      flags = closed.outer;
      out.push(closed.close);
    },
  };

  while (at < regex.length) {
    const character = String.fromCodePoint(regex.codePointAt(at) ?? 0);
    const repeated = takes(quantifier);
    if (repeated) repetition(repeated);
    else if (character === '(') group();
    else if (character === '\\') escape();
    else if (character === '[') {
      const found = /^\[\[:([<>]):\]\]/.exec(regex.slice(at, at + 7));
      const { source, to } = found
        ? { source: `(?:\\b(?${found[1] === '<' ? '=' : '<='}\\w))`, to: at + 7 }
        : classAt(regex, at);
      at = to;
      if (found) out.push(source);
      else atom(source);
    } else if (flags.x && /[\s#]/.test(character)) takes(/\s+|#.*\n?/y);
    else {
      at += character.length;
      if (character === '{' && /^(?=[^}]*\d)[\s\d,]*\}/.test(regex.slice(at, at + 20))) throw unreadable('{ }');
      const mark = marks[character];
      if (mark) mark();
      else atom(literalOf(character.codePointAt(0) ?? 0));
    }
  }
  return out.join('');
}
