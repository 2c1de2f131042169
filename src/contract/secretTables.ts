import type { Find, Place } from './masking.ts';
import { stringAt } from './secretMembers.ts';
import { isSecretName } from './secretNames.ts';

/*
 * Secrets in a column whose heading names them: lines of cells (CSV, tabs, Markdown, aligned columns), lists of lists and the
 * rows of SQL, and the table of a page. Readers give the rows of a text in turn, each in time in proportion to its length.
 */

interface Row {
  cells: readonly Place[];
  from: number;
  to: number;
}

/** What separates the cells of a line. */
const separators = [',', ';', '\t', '|', '  '] as const;
/** Maximum length of a quoted cell, and number of characters between two rows that belong together. */
const [longestCell, furthest] = [2000, 60];
const heading = /^[A-Za-z][\w.#()-]{0,40}(?: [\w.#()-]{1,20}){0,2}$/;
const says = /[\p{L}\p{N}]/u;
const bare = /[^,()[\]{}"'\r\n]{0,200}/y;
const pageRow = /<tr\b[^<>]{0,300}>((?:(?!<\/?t(?:r|able)\b)[^])*)/gi;
const pageCell = /(<t[hd]\b[^<>]{0,300}>)([^<]*)/gi;

const isUnquoted = (text: string, [from]: Place): boolean => !/["'>]/.test(text[from - 1] ?? '');

/** The place without blanks around what it holds. */
function trimmed(text: string, from: number, to: number): Place {
  const part = text.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  return [start, Math.max(start, from + part.trimEnd().length)];
}

/** Where a quoted cell ends: a quotation mark within it is doubled. */
function closingQuote(text: string, opened: number): number {
  for (let at = text.indexOf('"', opened + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (at - opened > longestCell) return -1;
    if (text[at + 1] !== '"') return at;
    at += 1;
  }
  return -1;
}

/** A cell without its quotes; a text around the table, such as JSON, ends at one. */
function cellOf(text: string, from: number, to: number): Place {
  const [first, last] = trimmed(text, from, to);
  if (last - first > 1 && text[first] === '"' && text[last - 1] === '"') return [first + 1, last - 1];
  const cell = text.slice(first, last);
  const begin = /[:[,(=]\s*"(?=[^"]*$)/.exec(cell);
  if (begin) return [first + begin.index + begin[0].length, last];
  return [first, cell.indexOf('"') > 0 ? first + cell.indexOf('"') : last];
}

/** The lines of a text whose cells a sign separates; a quoted cell may extend over lines. */
function* linesOf(text: string, separator: string): Generator<Row> {
  let [from, cells, at] = [0, [] as Place[], 0];
  for (let start = 0; at <= text.length;) {
    const sign = text[at];
    const isEnd = sign === undefined || sign === '\n';
    if (sign === '"' && text.slice(start, at).trim() === '') {
      const closed = closingQuote(text, at);
      at = closed === -1 ? at + 1 : closed + 1;
      continue;
    }
    if (!isEnd && !text.startsWith(separator, at)) {
      at += 1;
      continue;
    }
    cells.push(cellOf(text, start, at));
    at += isEnd ? 1 : separator.length;
    if (separator === '  ') while (text[at] === ' ') at += 1;
    start = at;
    if (!isEnd) continue;
    yield { cells, from, to: at - 1 };
    [from, cells] = [at, []];
  }
}

/** The lists of texts and numbers in brackets, as in JSON, in programs and in SQL. */
function* listsOf(text: string, bracket: '[' | '('): Generator<Row> {
  for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
    const cells: Place[] = [];
    let at = index;
    do {
      at += 1;
      while (/\s/.test(text[at] ?? '')) at += 1;
      bare.lastIndex = at;
      const string = stringAt(text, at);
      const end = string?.after ?? at + (bare.exec(text)?.[0].length ?? 0);
      const [first, last] = string ? [string.from, string.to] : trimmed(text, at, end);
      const isNumber = bracket === '[' && /^-?\d[\d.eE+-]*$/.test(text.slice(first, last));
      cells.push([first, last, isNumber ? 'quoted' : undefined]);
      at = end;
      while (/\s/.test(text[at] ?? '')) at += 1;
    } while (text[at] === ',' && cells.length < 200);
    // A list of two texts is a pair.
    const isPair = cells.length < 3 && bracket === '[';
    if (!isPair && cells.length > 1 && /[\])]/.test(text[at] ?? '')) yield { cells, from: index, to: at + 1 };
  }
}

/** The rows of a table in HTML. */
function* pageRowsOf(text: string): Generator<Row> {
  for (const { 0: whole, 1: content = '', index } of text.matchAll(pageRow)) {
    const begin = index + whole.length - content.length;
    const cells = Array.from(content.matchAll(pageCell), ({ 1: tag = '', 2: said = '', index: at }) =>
      trimmed(text, begin + at + tag.length, begin + at + tag.length + said.length),
    );
    yield { cells, from: index, to: index + whole.length };
  }
}

/** Whether this is a tuple of two texts, which is a pair. */
const isPairOfTexts = (text: string, { cells, from }: Row): boolean =>
  text[from] === '(' && cells.length === 2 && !isUnquoted(text, cells[0]!); // of two

/** The columns of a heading that secrets name; undefined if the cells are none. An edge, as in Markdown, is an empty cell. */
function secretColumns(texts: readonly string[]): { at: number[]; isProse: boolean } | undefined {
  const names = texts.filter((each, at) => each !== '' || (at > 0 && at < texts.length - 1));
  if (names.length < 2 || !names.every((each) => heading.test(each))) return undefined;
  const at = texts.flatMap((each, column) => (isSecretName(each) ? [column] : []));
  return at.length === 0 ? undefined : { at, isProse: names.some((each) => each.includes(' ')) };
}

/** The cells below a secret's name, as long as the rows follow each other and have as many cells as their heading. */
function columnsOf(text: string, rows: Iterable<Row>, between: RegExp): Place[] {
  const places: Place[] = [];
  const textOf = ([from, to]: Place): string => text.slice(from, to);
  let [columns, count, end] = [undefined as ReturnType<typeof secretColumns>, 0, 0];
  for (const { cells, from, to } of rows) {
    const isBelow = columns && cells.length === count && from - end <= furthest && between.test(text.slice(end, from));
    if (columns && isBelow)
      for (const at of columns.at) {
        const cell = cells[at]!; // as many as the heading has
        // A sentence with commas is no heading: what follows it are words.
        if (says.test(textOf(cell)) && !(columns.isProse && isUnquoted(text, cell) && /\s/.test(textOf(cell))))
          places.push(cell);
      }
    else columns = isPairOfTexts(text, { cells, from, to }) ? undefined : secretColumns(cells.map(textOf));
    [count, end] = [cells.length, to];
  }
  return places;
}

/** Finds what stands in a column whose heading is a secret's name. */
export const columnsIn: Find = (text) => [
  ...(text.includes('\n')
    ? separators.flatMap((each) => (text.includes(each) ? columnsOf(text, linesOf(text, each), /^\n?$/) : []))
    : []),
  ...columnsOf(text, listsOf(text, '['), /^[^\p{L}\p{N}]*(?:[a-z]{0,12}[^\p{L}\p{N}]*){0,2}$/iu),
  ...columnsOf(text, listsOf(text, '('), /^\s*(?:,|values)\s*$/i),
  ...(/<t[hd]\b/i.test(text) ? columnsOf(text, pageRowsOf(text), /^\s*(?:<[^<>]*>\s*)*$/) : []),
];
