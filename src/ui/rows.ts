import type { ReactNode } from 'react';
import { locale } from '#contract/constants.ts';

/** One column of a list. A column without `text` and `order` contains controls only: it neither sorts nor filters. */
export interface Column<Row> {
  id: string;
  title: string;
  /** The cell's content as plain text, for filtering and sorting. */
  text?: (row: Row) => string;
  /** A number to sort by instead of the text; NaN sorts last. */
  order?: (row: Row) => number;
  /** Renders the cell; by default its text. */
  cell?: (row: Row) => ReactNode;
  /** The column contains figures: header and cells are right-aligned. */
  figures?: true;
  /** Hidden beside an open record, which shows it too. */
  detail?: true;
  /** Hidden in a medium window, where another column shows its text (cards.ts). */
  folds?: true;
}

/** The number at the start of a text such as "120.50 GBP". Inexact: for sorting only, not for arithmetic. */
export const leadingNumber = (text: string): number => Number.parseFloat(text);

const byText = new Intl.Collator(locale, { numeric: true });

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

/** The rows sorted by a column, stably; unchanged if the column has neither `text` nor `order`. */
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

/** The lower-case text of a row, all columns joined. */
const textOf = <Row>(row: Row, columns: readonly Column<Row>[]): string =>
  columns
    .flatMap(({ text }) => (text ? [text(row)] : []))
    .join('\n')
    .toLowerCase();

/** Tells the text of each row, which is computed once, because the dates of thousands of rows take tenths of a second. */
export function rowTexts<Row extends object>(columns: readonly Column<Row>[]): (row: Row) => string {
  const texts = new WeakMap<Row, string>();
  return (row) => {
    const text = texts.get(row) ?? textOf(row, columns);
    texts.set(row, text);
    return text;
  };
}

/** The rows whose text contains every word of a term. */
export function filterRows<Row>(rows: readonly Row[], term: string, text: (row: Row) => string): readonly Row[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? rows : rows.filter((row) => words.every((word) => text(row).includes(word)));
}
