/**
 * A number in a JSON text that a JavaScript number cannot represent exactly as written: beyond 2^53, with more digits
 * than a double holds, or in another notation (120.50, 1e3). `digits` is the number as written.
 */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /**
   * Returns, within `stringify`, a marked text that it converts to the number; within JSON.stringify, which cannot
   * write such a number, a text of the digits.
   */
  toJSON(): string {
    return marking ? mark + this.digits : this.digits;
  }
}

type Members = readonly (readonly [name: string, value: unknown])[];

/**
 * An object in a JSON text with its members as written: in their order, and with names that occur more than once. A
 * JavaScript object has neither: it sorts names such as "10", and keeps one member of each name.
 */
export class WrittenObject {
  readonly members: Members;

  constructor(members: Members) {
    this.members = members;
  }

  /** Returns, within `stringify`, an object with marked names that it converts to the written ones. */
  toJSON(): object {
    return Object.fromEntries(
      this.members.map(([name, value], index) => [marking ? `${memberMark}${index} ${name}` : name, value]),
    );
  }
}

export type Json = string | number | boolean | null | ExactNumber | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Whether a parsed value is a JSON object, not a list or an ExactNumber. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/**
 * Marks what native JSON cannot write while it writes it as a text or as a name. Random and private to this module, so
 * that no text can contain it.
 */
// eslint-disable-next-line no-restricted-globals -- pure all the same: no output shows the mark
const random = crypto.getRandomValues(new Uint32Array(4)).join('-');
const mark = `number ${random} `;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');
/** Marks the name of a WrittenObject's member; its index follows, so that names are unique and keep their order. */
const memberMark = `member ${random} `;
const markedMember = new RegExp(`"${memberMark}\\d+ `, 'g');
let marking = false;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Matches numbers that need no further check, as most do: integers of at most 15 digits. */
const plain = /^(?:0|-?[1-9]\d{0,14})$/;
const textOrNumber = /["\d-]/g;
const token = /[^\s,:]/g;

/** The position after the text whose opening quote is at `from`. */
function afterText(source: string, from: number): number {
  for (let quote = source.indexOf('"', from + 1); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let slash = quote;
    while (source[slash - 1] === '\\') slash -= 1;
    if ((quote - slash) % 2 === 0) return quote + 1;
  }
  return source.length;
}

function afterNumber(source: string, from: number): number {
  number.lastIndex = from;
  number.test(source);
  return number.lastIndex;
}

const isChanged = (digits: string): boolean => !plain.test(digits) && String(Number(digits)) !== digits;

/** Whether a JSON text contains a number that a JavaScript number would change. */
function changesAny(source: string): boolean {
  textOrNumber.lastIndex = 0;
  while (textOrNumber.test(source)) {
    const from = textOrNumber.lastIndex - 1;
    const isText = source[from] === '"';
    const to = isText ? afterText(source, from) : afterNumber(source, from);
    if (!isText && isChanged(source.slice(from, to))) return true;
    textOrNumber.lastIndex = to;
  }
  return false;
}

/** Parses a text, which must be valid JSON, with exact numbers; `objectOf` makes the objects. */
function exactly(source: string, objectOf: (members: Members) => unknown): unknown {
  let at = 0;
  /** Moves to the next token and returns its first character. */
  function next(): string {
    token.lastIndex = at;
    token.test(source);
    at = token.lastIndex - 1;
    return source[at]!; // exists in valid JSON
  }
  function text(): string {
    const from = at;
    at = afterText(source, from);
    return JSON.parse(source.slice(from, at)) as string; // a JSON string
  }
  function all<T>(closing: string, one: () => T): T[] {
    const found: T[] = [];
    for (at += 1; next() !== closing;) found.push(one());
    at += 1;
    return found;
  }
  function value(): unknown {
    const first = next();
    if (first === '"') return text();
    if (first === '[') return all(']', value);
    if (first === '{') return objectOf(all('}', () => [text(), value()] as const));
    const from = at;
    const word = first === 't' || first === 'n' ? 4 : first === 'f' ? 5 : 0;
    at = word > 0 ? at + word : afterNumber(source, at);
    if (word > 0) return first === 'n' ? null : first === 't';
    const digits = source.slice(from, at);
    return isChanged(digits) ? new ExactNumber(digits) : Number(digits);
  }
  return value();
}

/**
 * Like JSON.parse, but without changing numbers: a number that a JavaScript number would not reproduce as written
 * becomes an ExactNumber. Throws SyntaxError.
 */
export function parse(source: string): unknown {
  const value: unknown = JSON.parse(source);
  // Not assigned one by one, because `__proto__` must become an ordinary member.
  return changesAny(source) ? withinStack(() => exactly(source, (members) => Object.fromEntries(members))) : value;
}

/** Like `parse`, but returns undefined for a text that is not JSON, such as a truncated body. */
export function jsonIn(source: string): unknown {
  try {
    return parse(source);
  } catch {
    return undefined;
  }
}

/** Like `parse`, but for display: every object becomes a WrittenObject. Throws SyntaxError. */
export function parseAsWritten(source: string): unknown {
  JSON.parse(source);
  return withinStack(() => exactly(source, (members) => new WrittenObject(members)));
}

function withinStack(read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    throw new SyntaxError('The JSON is nested too deeply.', { cause }); // the stack overflowed; the text is valid JSON
  }
}

/**
 * Like JSON.stringify, but writes ExactNumbers with their digits, WrittenObjects with their members, and values that
 * are not JSON as null. Throws what JSON.stringify throws.
 */
export function stringify(value: unknown, indent?: number): string {
  marking = true;
  try {
    const text = (JSON.stringify(value, undefined, indent) as string | undefined) ?? 'null'; // undefined for functions
    return text.includes(random) ? text.replace(marked, '$1').replace(markedMember, '"') : text;
  } finally {
    marking = false;
  }
}
