import { parse } from '#contract/json.ts';

/** A syntax error: its position, and what is expected there. */
class Flaw extends Error {
  readonly at: number;

  constructor(at: number, needed: string) {
    super(needed);
    this.at = at;
  }
}

const text = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Checks a source against the grammar of RFC 8259. Throws a Flaw for the first syntax error. */
function read(source: string): void {
  let at = 0;
  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const found = token.test(source);
    if (found) at = token.lastIndex;
    return found;
  };
  const space = () => take(/[ \t\n\r]+/y);
  const need = (token: RegExp, what: string): void => {
    if (!take(token)) throw new Flaw(at, source[at] === '"' ? 'a text that ends with " on its line' : what);
    space();
  };
  function list(entry: () => void, end: RegExp, what: string): void {
    space();
    if (take(end)) return;
    do {
      space();
      entry();
    } while (take(/,/y));
    need(end, what);
  }
  function member(): void {
    need(text, 'a name in double quotes');
    need(/:/y, 'a colon');
    value();
  }
  function value(): void {
    if (take(/\[/y)) list(value, /\]/y, 'a comma or ]');
    else if (take(/\{/y)) list(member, /\}/y, 'a comma or }');
    else if (!take(text)) need(scalar, 'a value');
    space();
  }
  space();
  value();
  if (at < source.length) throw new Flaw(at, 'the end of the text');
}

/** Describes the text at a position. */
const tokenAt = (source: string, at: number): string => {
  const [found] = /^[\w.-]+|^./su.exec(source.slice(at)) ?? [];
  return found ?? 'the end of the text';
};

/**
 * Parses a JSON text. Throws an error with line, column and what is expected there; browsers' own messages differ, and
 * some give no position.
 */
export function parseJson(source: string): unknown {
  try {
    return parse(source);
  } catch (cause) {
    try {
      read(source);
    } catch (flaw) {
      if (!(flaw instanceof Flaw)) throw flaw;
      const lines = source.slice(0, flaw.at).split('\n');
      const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
      throw new Error(`Not valid JSON: ${place}: expected ${flaw.message}, found ${tokenAt(source, flaw.at)}.`, {
        cause,
      });
    }
    throw cause;
  }
}
