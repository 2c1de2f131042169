import type { FileFormat, Rule, Validation } from '#contract/lookup.ts';
import { isObject } from '#contract/json.ts';

/** The content of a column without a rule of its own. */
type Content =
  | { constant: string }
  /** The value at a jsonPath that another rule validates. */
  | { copy: string }
  /** The sum of the values at the jsonPath over all payments, and of the batch's value at another one. */
  | { sum: string; plus?: string }
  | { count: 'payments' | 'lines' | 'blocks'; plus: number }
  /** The number of the line or of the payment, from 1. */
  | { number: 'line' | 'payment' }
  /** The time at which the file is created. */
  | { created: true };

const textFormats = ['minorUnits', 'unaccented', 'decimals', 'accountKind'] as const;

/** How a column writes its value. */
export interface Layout {
  justify: 'left' | 'right';
  pad: string;
  /** Whether a longer text may be truncated: a left-justified one keeps its beginning, a right-justified one its end. */
  truncate: boolean;
  /** Positions of the first and last character of the value to be written, e.g. '1-8'. */
  part?: string;
  /**
   * 'minorUnits': a decimal amount in the payment's currency; 'unaccented': letters as transliterated into ASCII;
   * 'decimals': the number of decimals of a currency; 'accountKind': 1 for an IBAN, 2 for another account.
   */
  format?: (typeof textFormats)[number];
  /** The pattern of a date in UTC: YYYY, YY, MM, DD, DDD (day of the year), HH and mm are replaced. */
  date?: string;
}

/**
 * A file format's rule as a column of its file. Where wire, section 9 leaves the format open, these members are
 * choices: `line` (the line of the record), `content` (of columns without sourceValidation), and all members of the
 * layout except the column range.
 */
export interface Column {
  ruleId: string;
  type: 'Header' | 'Detail' | 'Trailer';
  line: number;
  sourceValidation: Validation | undefined;
  /** First and last column, counted from 1, e.g. '31-56'; also as a number, with their count. */
  place: { range: string; first: number; width: number };
  layout: Layout;
  content: Content | undefined;
}

/** Maximum number of columns of a line, so that a definition cannot make lines of unlimited length. */
const widest = 10_000;

/** Thrown for a member whose value is not understood. */
class Unread extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** Reads a member; `fallback` replaces an absent one. */
function member<T>(from: Members, name: string, fits: (value: unknown) => value is T, fallback?: T): T {
  const value = from[name] ?? fallback;
  if (!fits(value)) throw new Unread(`${name} is ${JSON.stringify(value) ?? 'missing'}`);
  return value;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCharacter = (value: unknown): value is string => isText(value) && value.length === 1;
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0; // just checked
const isPositive = (value: unknown): value is number => isCount(value) && value > 0;
const isPart = (value: unknown): value is string => isText(value) && /^\d{1,9}-\d{1,9}$/.test(value);
const oneOf =
  <const T>(...all: readonly T[]) =>
  (value: unknown): value is T =>
    all.some((each) => each === value);

function placeOf(destination: Members): Column['place'] {
  const { destination: range } = destination;
  if (!isPart(range)) throw new Unread(`${JSON.stringify(range) ?? 'nothing'} is not a column range such as 31-56`);
  const [first = 0, last = 0] = range.split('-').map(Number);
  const width = last - first + 1;
  if (first < 1 || width < 1 || last > widest) throw new Unread(`the columns ${range} cannot be written`);
  return { range, first, width };
}

const layoutOf = (destination: Members): Layout => ({
  justify: member(destination, 'justify', oneOf('left', 'right'), 'left'),
  pad: member(destination, 'pad', isCharacter, ' '),
  truncate: member(destination, 'truncate', isBoolean, false),
  ...(destination['part'] !== undefined && { part: member(destination, 'part', isPart) }),
  ...(destination['format'] !== undefined && {
    format: member(destination, 'format', oneOf(...textFormats)),
  }),
  ...(destination['date'] !== undefined && { date: member(destination, 'date', isText) }),
});

/** Readers of each kind of content, by the member that names it. */
const contents: Readonly<Record<string, (content: Members) => Content>> = {
  constant: (content) => ({ constant: member(content, 'constant', isText) }),
  copy: (content) => ({ copy: member(content, 'copy', isText) }),
  sum: (content) => ({
    sum: member(content, 'sum', isText),
    ...(content['plus'] !== undefined && { plus: member(content, 'plus', isText) }),
  }),
  count: (content) => ({
    count: member(content, 'count', oneOf('payments', 'lines', 'blocks')),
    plus: member(content, 'plus', isCount, 0),
  }),
  number: (content) => ({ number: member(content, 'number', oneOf('line', 'payment')) }),
  created: (content) => ({ created: member(content, 'created', oneOf(true)) }),
};

function contentOf(rule: Rule): Content | undefined {
  const content: unknown = rule['content'];
  if (content === undefined) return undefined;
  const [kind = ''] = isObject(content) ? Object.keys(content) : [];
  if (!isObject(content) || !Object.hasOwn(contents, kind)) throw new Unread(`content is ${JSON.stringify(content)}`);
  return contents[kind]!(content); // checked above
}

function columnOf(rule: Rule): Column {
  const destination: Members = rule.destination ?? {};
  return {
    ruleId: rule.ruleId,
    type: member(rule, 'type', oneOf('Header', 'Detail', 'Trailer')),
    line: member(rule, 'line', isPositive, 1),
    sourceValidation: rule.sourceValidation,
    place: placeOf(destination),
    layout: layoutOf(destination),
    content: contentOf(rule),
  };
}

/** Lines are filled up to a multiple of `lines` with lines of this character. */
interface Block {
  lines: number;
  fill: string;
}

function blockOf(block: unknown): Block | undefined {
  if (block === undefined) return undefined;
  if (!isObject(block)) throw new Unread(`block is ${JSON.stringify(block)}`);
  const lines = member(block, 'lines', isPositive);
  if (lines > widest) throw new Unread(`blocks of ${lines} lines cannot be written`);
  return { lines, fill: member(block, 'fill', isCharacter) };
}

/** A format's columns, and the rules whose destination is not understood. */
interface Columns {
  columns: Column[];
  block: Block | undefined;
  unread: { ruleId: string; why: string }[];
}

/** Reads a format's columns: the rules with a destination. Other rules are checked but not written. */
export function columnsOf({ specification }: FileFormat): Columns {
  const read: Columns = { columns: [], block: undefined, unread: [] };
  const reading = (ruleId: string, of: () => void) => {
    try {
      of();
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      read.unread.push({ ruleId, why: error.message });
    }
  };
  for (const rule of specification.rules)
    if (rule.destination !== undefined) reading(rule.ruleId, () => void read.columns.push(columnOf(rule)));
  reading('block', () => void (read.block = blockOf(specification['block'])));
  return read;
}
