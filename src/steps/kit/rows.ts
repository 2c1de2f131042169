import type { ReactNode } from 'react';

/** One column of a list. A column without `text` holds controls only: rows are neither sorted nor filtered by it. */
export interface Column<Row> {
  id: string;
  title: string;
  /** What the cell says, in plain text: what the list is filtered and sorted by. */
  text?: (row: Row) => string;
  /** A number to sort by instead of the text; what is not a number comes last. */
  order?: (row: Row) => number;
  /** How the cell is drawn, if not as its text. */
  cell?: (row: Row) => ReactNode;
  /** Figures: header and cells stand at the end of the line. */
  figures?: true;
}

/** The number at the beginning of a text such as "120.50 GBP"; it only puts rows in order, nothing is reckoned with it. */
export const leadingNumber = (text: string): number => Number.parseFloat(text);

const byText = new Intl.Collator('en', { numeric: true });

const byNumber = (a: number, b: number): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a - b;
};

function sortBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key, compare: (a: Key, b: Key) => number): Row[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row);
}

/** The rows in a column's order; as they came if it has none. Rows that are equal stay as they came. */
export function sortRows<Row>(
  rows: readonly Row[],
  { text, order }: Pick<Column<Row>, 'text' | 'order'>,
  descending: boolean,
): readonly Row[] {
  const turn = descending ? -1 : 1;
  if (order) return sortBy(rows, (row) => order(row) * turn, byNumber);
  if (text) return sortBy(rows, text, (a, b) => turn * byText.compare(a, b));
  return rows;
}

/** What each row says in all of its columns, in small letters, to be looked through by `filterRows`. */
export const textsOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] =>
  rows.map((row) =>
    columns
      .flatMap(({ text }) => (text ? [text(row)] : []))
      .join('\n')
      .toLowerCase(),
  );

/** The rows that say every word of `term`, in whichever column. `texts` are the rows' texts, in the same order. */
export function filterRows<Row>(rows: readonly Row[], texts: readonly string[], term: string): readonly Row[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((_, index) => words.every((word) => texts[index]?.includes(word)));
}
