import { parse, type Json } from '#contract/json.ts';
import type { FileFormat, Validation } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { batchBody } from '#contract/requests/batchBody.ts';
import { fieldOf, validationOf } from '../field.ts';
import { valuesAt } from '../values.ts';
import { codeOf } from '../violation.ts';
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

export interface FilePreview {
  lines: readonly ShownLine[];
  faults: readonly FileFault[];
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
    const { label, errorMessage } = fieldOf(validation, validation.jsonPath);
    if (code) return code === 'NotAllowed' ? `${label} must not be sent` : errorMessage;
  }
  return '';
}

/** Words for the content of a column without its own rule. */
function sourceOf({ content, sourceValidation }: Column): string {
  if (!content) return sourceValidation?.jsonPath ?? 'blank';
  if ('constant' in content) return 'constant';
  if ('copy' in content) return content.copy;
  if ('sum' in content) return `sum of ${content.sum}`;
  if ('count' in content) return `number of ${content.count}${content.plus > 0 ? ` plus ${content.plus}` : ''}`;
  return 'number' in content ? `number of the ${content.number}` : 'creation time of the file';
}

const labelOf = (column: Column): string => column.sourceValidation?.uiLabel ?? sourceOf(column);

const only = (batch: BatchRequest, payment: number | undefined): BatchRequest =>
  payment === undefined ? batch : { ...batch, payments: batch.payments.slice(payment, payment + 1) };

/**
 * Returns the lines of the file that the service would create from a batch at `createdAt`, with the cells that violate
 * a rule. Uses the same layout as the sandbox. Constants and counters cannot violate a rule.
 */
export function previewOf(format: FileFormat, given: BatchRequest, createdAt: Date): FilePreview {
  const batch = asRead(given);
  const { lines, unread } = layOut(format, batch, createdAt);
  const faults: FileFault[] = [];
  const shown = lines.map(({ type, payment, cells, text }, index): ShownLine => {
    const part = only(batch, payment);
    return {
      number: index + 1,
      type,
      payment,
      text,
      cells: cells.map(({ column, start, text: own, misfit }) => {
        const { ruleId, sourceValidation, place } = column;
        const label = labelOf(column);
        const columns = place.range;
        const fault = (sourceValidation && faultOf(sourceValidation, part)) || (misfit?.message ?? '');
        if (fault) faults.push({ line: index + 1, columns, ruleId, label, payment, message: fault });
        return { ruleId, columns, label, source: sourceOf(column), start, text: own, fault };
      }),
    };
  });
  return { lines: shown, faults: [...faults, ...checkedOnly(format, batch)], unread };
}

/** The violated rules whose values are not written into the file, such as the currency. */
const checkedOnly = (format: FileFormat, batch: BatchRequest): FileFault[] =>
  format.specification.rules.flatMap((rule) => {
    const validation = validationOf(rule);
    if (!validation || rule.destination !== undefined) return [];
    return valuesAt(batch, validation.jsonPath).flatMap(({ value, index }) => {
      if (!codeOf(validation, value)) return [];
      const { label, errorMessage } = fieldOf(validation, validation.jsonPath);
      return [{ line: 0, columns: '', ruleId: rule.ruleId, label, payment: index, message: errorMessage }];
    });
  });
