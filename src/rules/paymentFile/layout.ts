import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { BatchViolation } from '../violation.ts';
import { cell, Misfit, Overflow, type Scope } from './cell.ts';
import { columnsOf, type Column } from './column.ts';

/** A column of one line with its text. */
interface FileCell {
  column: Column;
  /** Position of the text, counted from 0. */
  start: number;
  /** As written; a value that does not fit is truncated to the column's width. */
  text: string;
  misfit?: Misfit;
}

/** A line of the file; `payment` is the index of a Detail line's payment. */
export interface FileLine {
  type: Column['type'] | 'Fill';
  payment?: number;
  cells: readonly FileCell[];
  text: string;
}

/** The columns of each line of one record type, from left to right. */
function linesOf(columns: readonly Column[], type: Column['type']): (readonly Column[])[] {
  const byNumber = new Map<number, Column[]>();
  for (const column of columns.filter((each) => each.type === type))
    byNumber.set(column.line, [...(byNumber.get(column.line) ?? []), column]);
  return [...byNumber].sort(([a], [b]) => a - b).map(([, line]) => line.sort((a, b) => a.place.first - b.place.first));
}

/** Writes one column; truncates a value that does not fit and adds its misfit. */
function written(column: Column, start: number, scope: Scope): FileCell {
  try {
    return { column, start, text: cell(column, scope) };
  } catch (misfit) {
    if (!(misfit instanceof Misfit)) throw misfit;
    const { width } = column.place;
    return { column, start, text: misfit.text.slice(0, width).padEnd(width), misfit };
  }
}

/** Lays out one line. Columns without a rule are blank. */
function lineOf(type: FileLine['type'], columns: readonly Column[], scope: Scope): FileLine {
  let text = '';
  const cells = columns.map((column) => {
    text = text.padEnd(column.place.first - 1);
    const made = written(column, text.length, scope);
    text += made.text;
    return made;
  });
  return { type, cells, text };
}

/** The columns of each record of a batch's file, and what the file counts. */
function recordsOf(fileFormat: FileFormat, { payments: { length } }: BatchRequest) {
  const { columns, block, unread } = columnsOf(fileFormat);
  const header = linesOf(columns, 'Header');
  const detail = linesOf(columns, 'Detail');
  const trailer = linesOf(columns, 'Trailer');
  const lines = header.length + detail.length * length + trailer.length;
  const counts = { payments: length, lines, blocks: Math.ceil(lines / (block?.lines ?? 1)) };
  return { header, detail, trailer, counts, block, unread };
}

/**
 * Lays out a bank payment file: the format's Header lines, its Detail lines for each payment and its Trailer lines. The
 * format's rules alone determine the contents (wire, section 9). `unread` are rules whose destination is not
 * understood; the lines do not contain them.
 */
export function layOut(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date) {
  const { header, detail, trailer, counts, block, unread } = recordsOf(fileFormat, batch);
  const { payments } = batch;
  const lines: FileLine[] = [];

  const write = (type: Column['type'], line: readonly Column[], part: BatchRequest, payment?: number): void => {
    const number = { line: lines.length + 1, payment: (payment ?? 0) + 1 };
    const made = lineOf(type, line, { batch: part, createdAt, counts, number });
    lines.push(payment === undefined ? made : { ...made, payment });
  };

  header.forEach((line) => write('Header', line, batch));
  payments.forEach((payment, index) =>
    detail.forEach((line) => write('Detail', line, { ...batch, payments: [payment] }, index)),
  );
  trailer.forEach((line) => write('Trailer', line, batch));

  const width = lines[0]?.text.length ?? 0;
  const missing = block ? (block.lines - (lines.length % block.lines)) % block.lines : 0;
  for (let filled = 0; block && filled < missing; filled += 1)
    lines.push({ type: 'Fill', cells: [], text: block.fill.repeat(width) });
  return { lines, unread };
}

function violationOf({ ruleId, sourceValidation, content }: Column, misfit: Misfit, index?: number): BatchViolation {
  const target = sourceValidation?.jsonPath ?? (content && 'copy' in content ? content.copy : 'payments');
  const label = sourceValidation?.uiLabel ?? target;
  return {
    target,
    message: `${label}: ${misfit.message}`,
    code: 'RegexFailure',
    ...(index !== undefined && { index }),
    sourceId: ruleId,
  };
}

const misfitsIn = (lines: readonly FileLine[]): BatchViolation[] =>
  lines.flatMap(({ cells, payment }) =>
    cells.flatMap(({ column, misfit }) => (misfit ? [violationOf(column, misfit, payment)] : [])),
  );

/**
 * The faults that prevent a batch from being written: texts wider than their columns, characters outside ASCII, mixed
 * currencies.
 */
export const misfitsOf = (fileFormat: FileFormat, batch: BatchRequest): BatchViolation[] =>
  // All dates have the same width, so any date will do.
  misfitsIn(layOut(fileFormat, batch, new Date(0)).lines);

/** The totals and counts that have more digits than their columns. */
export function overflowsOf(fileFormat: FileFormat, batch: BatchRequest): BatchViolation[] {
  const { header, trailer, counts } = recordsOf(fileFormat, batch);
  const scope = { batch, createdAt: new Date(0), counts, number: { line: 1, payment: 1 } };
  const totals = [...header, ...trailer].flat().filter(({ content = {} }) => 'sum' in content || 'count' in content);
  return totals.flatMap((column) => {
    const { misfit } = written(column, 0, scope);
    return misfit instanceof Overflow ? [violationOf(column, misfit)] : [];
  });
}

/**
 * Returns the text of a bank payment file, each line followed by CR LF. Throws RangeError if the batch does not fit,
 * which batchViolations reports beforehand, or if a rule of the format is not understood.
 */
export function writePaymentFile(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date): string {
  const { lines, unread } = layOut(fileFormat, batch, createdAt);
  const [misfit] = misfitsIn(lines);
  if (unread[0]) throw new RangeError(`${fileFormat.name} has a rule ${unread[0].ruleId}: ${unread[0].why}`);
  if (misfit) throw new RangeError(`${fileFormat.name} cannot hold this batch. ${misfit.message}`);
  return lines.map(({ text }) => `${text}\r\n`).join('');
}
