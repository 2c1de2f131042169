/**
 * A number of a JSON text that a JavaScript number would change: beyond 2^53, with more digits than a double holds, or
 * written otherwise (120.50, 1e3). `digits` is the number as it was written.
 */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** `stringify` writes the number; JSON.stringify, which cannot, writes its digits as a text. */
  toJSON(): string {
    return marking ? mark + this.digits : this.digits;
  }
}

export type Json = string | number | boolean | null | ExactNumber | Json[] | { [key: string]: Json };

/** Stands before the digits while native JSON handles them as a text. Nobody outside knows it, so nobody can write it. */
// eslint-disable-next-line no-restricted-globals -- pure all the same: no value shows which mark it was
const mark = `number ${crypto.getRandomValues(new Uint32Array(4)).join('-')} `;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');
let marking = false;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const next = /["\d-]/g;

/** Where the text ends whose opening quote is at `from`. */
function afterText(source: string, from: number): number {
  for (let quote = source.indexOf('"', from + 1); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let slash = quote;
    while (source[slash - 1] === '\\') slash -= 1;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return source.length;
}

/** The source with the numbers that would be changed as marked texts; the source itself if there are none. */
function withMarks(source: string): string {
  const parts: string[] = [];
  let copied = 0;
  next.lastIndex = 0;
  for (let found = next.exec(source); found; found = next.exec(source)) {
    const { index } = found;
    if (found[0] === '"') {
      next.lastIndex = afterText(source, index);
      continue;
    }
    number.lastIndex = index;
    const digits = number.exec(source)?.[0];
    if (digits === undefined) return source; // no JSON, as the native parser will say
    next.lastIndex = index + digits.length;
    if (String(Number(digits)) === digits) continue;
    parts.push(source.slice(copied, index), `"${mark}${digits}"`);
    copied = next.lastIndex;
  }
  return copied === 0 ? source : parts.join('') + source.slice(copied);
}

const unmarked = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value;

/**
 * JSON.parse that changes no number: one that a JavaScript number would not give back as it was written becomes an
 * ExactNumber. Throws SyntaxError.
 */
export function parse(source: string): unknown {
  const text = withMarks(source);
  if (text === source) return JSON.parse(source);
  try {
    return JSON.parse(text, unmarked);
  } catch (cause) {
    // With the marks in it, neither place nor excerpt would be right; nor is its nesting fit for a stack.
    JSON.parse(source);
    throw new SyntaxError('The JSON is nested too deeply.', { cause });
  }
}

/** JSON.stringify that writes ExactNumbers with their own digits, and what is no JSON as null. Throws as it does. */
export function stringify(value: unknown, indent?: number): string {
  marking = true;
  try {
    const text = (JSON.stringify(value, undefined, indent) as string | undefined) ?? 'null'; // undefined for functions
    return text.includes(mark) ? text.replace(marked, '$1') : text;
  } finally {
    marking = false;
  }
}
