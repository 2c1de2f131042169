import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { BatchViolation } from '../types.ts';
import { cell, Misfit, type Scope } from './cell.ts';
import { columnsOf, type Column } from './column.ts';

type Line = readonly Column[];

/** The lines of one record type by their number, each with its columns from left to right. */
function linesOf(columns: readonly Column[], type: Column['type']): Line[] {
  const byNumber = new Map<number, Column[]>();
  for (const column of columns.filter((each) => each.type === type))
    byNumber.set(column.line, [...(byNumber.get(column.line) ?? []), column]);
  return [...byNumber]
    .sort(([a], [b]) => a - b)
    .map(([, line]) => line.sort((a, b) => a.destination.destination.first - b.destination.destination.first));
}

/** Formats one line. Columns without a rule stay blank; values that do not fit are passed to `refuse`. */
function lineText(line: Line, scope: Scope, refuse: (column: Column, misfit: Misfit) => void): string {
  return line.reduce((text, column) => {
    const start = text.padEnd(column.destination.destination.first - 1);
    try {
      return start + cell(column, scope);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      refuse(column, error);
      return start;
    }
  }, '');
}

function layOut(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date) {
  const { columns, block } = columnsOf(fileFormat);
  const header = linesOf(columns, 'Header');
  const detail = linesOf(columns, 'Detail');
  const trailer = linesOf(columns, 'Trailer');
  const { payments } = batch;

  const total = header.length + detail.length * payments.length + trailer.length;
  const counts = { payments: payments.length, lines: total, blocks: Math.ceil(total / (block?.lines ?? 1)) };
  const lines: string[] = [];
  const misfits: BatchViolation[] = [];

  const write = (line: Line, part: BatchRequest, index?: number): void => {
    const number = { line: lines.length + 1, payment: (index ?? 0) + 1 };
    const text = lineText(line, { batch: part, createdAt, counts, number }, (column, misfit) => {
      misfits.push(violationOf(column, misfit, index));
    });
    lines.push(text);
  };

  header.forEach((line) => write(line, batch));
  payments.forEach((payment, index) => detail.forEach((line) => write(line, { ...batch, payments: [payment] }, index)));
  trailer.forEach((line) => write(line, batch));

  const width = lines[0]?.length ?? 0;
  while (block && lines.length % block.lines !== 0) lines.push(block.fill.repeat(width));
  return { lines, misfits };
}

function violationOf({ ruleId, sourceValidation, content }: Column, misfit: Misfit, index?: number): BatchViolation {
  const target = sourceValidation?.jsonPath ?? (content && 'copy' in content ? content.copy : 'payments');
  return {
    target,
    message: `${sourceValidation?.uiLabel ?? target}: ${misfit.message}`,
    code: 'RegexFailure',
    ...(index !== undefined && { index }),
    sourceId: ruleId,
  };
}

/**
 * The faults because of which a batch cannot be written: texts wider than their columns, characters outside ASCII, or
 * mixed currencies.
 */
export const misfitsOf = (fileFormat: FileFormat, batch: BatchRequest): BatchViolation[] =>
  // All dates have the same width, so any date will do.
  layOut(fileFormat, batch, new Date(0)).misfits;

/**
 * The text of a bank payment file: the format's Header lines, its Detail lines for each payment and its Trailer lines,
 * each followed by CR LF. The format's rules alone determine the contents (wire, section 9). Throws RangeError if the
 * batch does not fit; batchViolations reports that beforehand.
 */
export function writePaymentFile(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date): string {
  const { lines, misfits } = layOut(fileFormat, batch, createdAt);
  if (misfits[0]) throw new RangeError(`${fileFormat.name} cannot hold this batch. ${misfits[0].message}`);
  return lines.map((line) => `${line}\r\n`).join('');
}
