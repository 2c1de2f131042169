import { maximumBatchBytes } from '#contract/constants.ts';
import { parse } from '#contract/json.ts';

/** Limits of a JSON text from outside. `bytes` limits the text; `values` are counted before the text is parsed. */
export interface JsonLimits {
  bytes: number;
  /** Maximum number of lists, objects and their elements. */
  values: number;
}

const MB = 1024 * 1024;

/** Limits for a body from the browser, a body with a batch, a webhook, and an answer of the service. */
export const jsonLimits = {
  body: { bytes: MB, values: 100_000 },
  batch: { bytes: maximumBatchBytes, values: 200_000 },
  webhook: { bytes: 5 * MB, values: 200_000 },
  answer: { bytes: MB, values: 100_000 },
  largeAnswer: { bytes: 16 * MB, values: 300_000 },
} as const satisfies Record<string, JsonLimits>;

/** Maximum depth, members of an object and elements of a list, far above those of any legitimate body. */
const maximumDepth = 100;
const maximumMembers = 10_000;
export const maximumElements = 50_000;

/** Thrown for a text that cannot be read. The message continues a sentence: "is ..." or "holds ...". */
export class JsonError extends Error {
  /** True if the text is not JSON, false if it exceeds the limits. */
  readonly isNoJson: boolean;

  constructor(why: string, isNoJson = false) {
    super(why);
    this.name = 'JsonError';
    this.isNoJson = isNoJson;
  }
}

const mark = {
  quote: 34,
  comma: 44,
  zero: 48,
  nine: 57,
  opensList: 91,
  backslash: 92,
  closesList: 93,
  opensObject: 123,
  closesObject: 125,
};

/** Returns the index of the quote that closes the string opened at `from`; the text's length if there is none. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === mark.backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/**
 * Throws JsonError if the text exceeds its limits; returns whether it may hold a number. Scans the text once without
 * copying, so that no large value is built.
 */
function checkLimits(text: string, { values: maximum }: JsonLimits): boolean {
  const open: { isObject: boolean; entries: number }[] = [];
  const { length } = text;
  let values = 0;
  let holdsNumber = false;
  for (let at = 0; at < length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === mark.quote) at = endOfText(text, at);
    else if (found === mark.opensList || found === mark.opensObject) {
      open.push({ isObject: found === mark.opensObject, entries: 1 });
      values += 1;
      if (open.length > maximumDepth) throw new JsonError('is nested too deeply');
    } else if (found === mark.comma) {
      values += 1;
      const within = open.at(-1);
      if (within) within.entries += 1;
      if (within?.isObject && within.entries > maximumMembers)
        throw new JsonError(`holds an object with more than ${maximumMembers} members`);
      if (within && within.entries > maximumElements)
        throw new JsonError(`holds a list with more than ${maximumElements} elements`);
    } else if (found === mark.closesList || found === mark.closesObject) open.pop();
    else if (found >= mark.zero && found <= mark.nine) holdsNumber = true;
    if (values > maximum) throw new JsonError(`holds more than ${maximum} values`);
  }
  return holdsNumber;
}

/** Returns the index after the object or list that opens at `from`; -1 if it does not end. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === mark.quote) at = endOfText(text, at);
    else if (found === mark.opensList || found === mark.opensObject) depth += 1;
    else if (found === mark.closesList || found === mark.closesObject) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/**
 * Returns the object or list of a JSON text without what a proxy may have put around it: blanks, byte order marks and NULs
 * before it, anything after it that cannot hold a second one. Returns any other text as it is.
 */
export function onlyValue(text: string): string {
  const from = /^[\s\0]*/.exec(text)![0].length; // matches any text
  if (text[from] !== '{' && text[from] !== '[') return text;
  const end = endOfValue(text, from);
  return end === -1 || /[[{]/.test(text.slice(end)) ? text : text.slice(from, end);
}

/** Parses a JSON text within limits. Throws JsonError, whose message contains nothing of the text. */
export function readJson(text: string, within: JsonLimits): unknown {
  if (text.length > within.bytes) throw new JsonError(`is larger than ${within.bytes} bytes`);
  const holdsNumber = checkLimits(text, within);
  try {
    return holdsNumber ? parse(text) : (JSON.parse(text) as unknown);
  } catch {
    throw new JsonError('is not JSON', true);
  }
}

/**
 * Returns the name of a member that an object of a JSON text has twice, of which a parser keeps the last; undefined if
 * there is none. `text` is valid JSON.
 */
export function repeatedMember(text: string): string | undefined {
  /** The names of each open object, null for a list. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === mark.opensList || found === mark.opensObject) {
      isName = found === mark.opensObject;
      open.push(isName ? new Set() : null);
    } else if (found === mark.closesList || found === mark.closesObject) {
      open.pop();
      isName = false;
    } else if (found === mark.comma) isName = open.at(-1) !== null;
    else if (found === mark.quote) {
      const end = endOfText(text, at);
      const names = open.at(-1);
      if (isName && names) {
        const name = JSON.parse(text.slice(at, end + 1)) as string; // the text is JSON
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      at = end;
    }
  }
  return undefined;
}
