import { parse, type Json } from '#contract/json.ts';
import type { FileFormat, Validation } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { trimmed } from '#contract/text.ts';
import { batchBody } from '#contract/requests/batchBody.ts';
import { fieldOf, validationOf } from '../field.ts';
import { transliterated } from '../letters.ts';
import { scalarText, valuesAt } from '../values.ts';
import { codeOf, messageOf } from '../violation.ts';
import type { Column } from './column.ts';
import { layOut, type FileLine } from './layout.ts';

/** A cell of a line for display: columns counted from 1 (`31-56`), text at its full width. */
export interface ShownCell {
  ruleId: string;
  columns: string;
  label: string;
  /** The source of its content: a path of the body, or a description. */
  source: string;
  start: number;
  text: string;
  /** Why the service would refuse it, in the rule's words; '' if it is valid. */
  fault: string;
  /** The value, if the file holds another text: cut to its columns, or without accents; '' if it holds the value. */
  given: string;
}

export interface ShownLine {
  /** Counted from 1. */
  number: number;
  type: FileLine['type'];
  /** Index of the payment that the line is about. */
  payment: number | undefined;
  cells: readonly ShownCell[];
  text: string;
}

/** A violated rule; `line` is 0 and `columns` '' if the rule's value is not written into the file. */
export interface FileFault {
  line: number;
  columns: string;
  ruleId: string;
  label: string;
  payment: number | undefined;
  message: string;
}

/** A value that the file holds in another form: cut, or transliterated. */
export interface FileChange {
  line: number;
  columns: string;
  label: string;
  payment: number | undefined;
  given: string;
  written: string;
  /** The number of characters that the columns hold if the value is cut; otherwise undefined. */
  cutAfter: number | undefined;
}

export interface FilePreview {
  lines: readonly ShownLine[];
  faults: readonly FileFault[];
  changes: readonly FileChange[];
  /** Rules that are not understood; the preview lacks what they write. */
  unread: readonly { ruleId: string; why: string }[];
}

/** The member as the service reads it: additionalData parsed. */
function opened<T extends { additionalData?: Json | undefined }>({ additionalData, ...rest }: T) {
  return typeof additionalData === 'string'
    ? { ...rest, additionalData: parse(additionalData) }
    : { ...rest, ...(additionalData !== undefined && { additionalData }) };
}

/**
 * The batch as the service reads it: without empty members, with one identification of each payee, additional data
 * parsed.
 */
export function asRead(batch: BatchRequest): BatchRequest {
  const { payments, ...sent } = batchBody(batch);
  return { ...opened(sent), payments: payments.map(opened) } as BatchRequest; // with the same members
}

/** Why a rule's value is refused; '' if it is not. A path through several payments has several values. */
function faultOf(validation: Validation, batch: BatchRequest): string {
  for (const { value } of valuesAt(batch, validation.jsonPath)) {
    const code = codeOf(validation, value);
    if (code) return messageOf(validation, code, value);
  }
  return '';
}

/** Words for the content of a column without its own rule. */
function sourceOf({ content, sourceValidation }: Column): string {
  if (!content) return sourceValidation?.jsonPath ?? 'blank';
  if ('constant' in content) return 'constant';
  if ('copy' in content) return content.copy;
  if ('sum' in content) return `sum of ${content.sum}${content.plus === undefined ? '' : ` and ${content.plus}`}`;
  if ('count' in content) return `number of ${content.count}${content.plus > 0 ? ` plus ${content.plus}` : ''}`;
  return 'number' in content ? `number of the ${content.number}` : 'creation time of the file';
}

/** The text of a column's value before it is laid out; '' if the file shows it in a form of its own, such as a date. */
function givenIn({ content, sourceValidation, layout }: Column, batch: BatchRequest): string {
  const path = content ? ('copy' in content ? content.copy : '') : (sourceValidation?.jsonPath ?? '');
  const isWhole = layout.format === undefined || layout.format === 'unaccented';
  if (path === '' || layout.part || layout.date || !isWhole) return '';
  return trimmed((scalarText(valuesAt(batch, path)[0]?.value) ?? '').normalize('NFC'));
}

/** How the file changes a value: `written` is what it holds; undefined if it holds the value. */
function changeOf(
  column: Column,
  text: string,
  batch: BatchRequest,
): Pick<FileChange, 'given' | 'written' | 'cutAfter'> | undefined {
  const { layout, place } = column;
  if (!layout.truncate && layout.format !== 'unaccented') return undefined;
  const given = givenIn(column, batch);
  const whole = layout.format === 'unaccented' ? transliterated(given) : given;
  const isCut = whole.length > place.width;
  if (given === '' || (whole === given && !isCut)) return undefined;
  return { given, written: trimmed(text), cutAfter: isCut ? place.width : undefined };
}

/** The label of the value that a column copies, or its own. */
function labelOf(column: Column, labels: ReadonlyMap<string, string>): string {
  const { content, sourceValidation } = column;
  const copied = content && 'copy' in content ? labels.get(content.copy) : undefined;
  return sourceValidation?.uiLabel ?? copied ?? sourceOf(column);
}

const labelsOf = ({ specification: { rules } }: FileFormat): ReadonlyMap<string, string> =>
  new Map(
    rules.flatMap(({ sourceValidation }) =>
      sourceValidation?.uiLabel ? [[sourceValidation.jsonPath, sourceValidation.uiLabel] as const] : [],
    ),
  );

const only = (batch: BatchRequest, payment: number | undefined): BatchRequest =>
  payment === undefined ? batch : { ...batch, payments: batch.payments.slice(payment, payment + 1) };

/**
 * Returns the lines of the file that the service would create from a batch at `createdAt`, with the cells that violate
 * a rule. Uses the same layout as the sandbox. Constants and counters cannot violate a rule.
 */
export function previewOf(format: FileFormat, given: BatchRequest, createdAt: Date): FilePreview {
  const batch = asRead(given);
  const { lines, unread } = layOut(format, batch, createdAt);
  const labels = labelsOf(format);
  const faults: FileFault[] = [];
  const changes: FileChange[] = [];
  const shown = lines.map(({ type, payment, cells, text }, index): ShownLine => {
    const part = only(batch, payment);
    return {
      number: index + 1,
      type,
      payment,
      text,
      cells: cells.map(({ column, start, text: own, misfit }) => {
        const { ruleId, sourceValidation, place } = column;
        const label = labelOf(column, labels);
        const columns = place.range;
        const fault = (sourceValidation && faultOf(sourceValidation, part)) || (misfit?.message ?? '');
        if (fault) faults.push({ line: index + 1, columns, ruleId, label, payment, message: fault });
        const change = fault ? undefined : changeOf(column, own, part);
        if (change) changes.push({ line: index + 1, columns, label, payment, ...change });
        return {
          ruleId,
          columns,
          label,
          source: sourceOf(column),
          start,
          text: own,
          fault,
          given: change?.given ?? '',
        };
      }),
    };
  });
  return { lines: shown, faults: [...faults, ...checkedOnly(format, batch)], changes, unread };
}

/** The violated rules whose values are not written into the file, such as the currency. */
const checkedOnly = (format: FileFormat, batch: BatchRequest): FileFault[] =>
  format.specification.rules.flatMap((rule) => {
    const validation = validationOf(rule);
    if (!validation || rule.destination !== undefined) return [];
    return valuesAt(batch, validation.jsonPath).flatMap(({ value, index }) => {
      const code = codeOf(validation, value);
      if (!code) return [];
      const { label } = fieldOf(validation, validation.jsonPath);
      const message = messageOf(validation, code, value);
      return [{ line: 0, columns: '', ruleId: rule.ruleId, label, payment: index, message }];
    });
  });
