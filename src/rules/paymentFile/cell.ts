import { executionDateShape, isExecutionDate } from '#contract/executionDate.ts';
import { looksLikeIban } from '#contract/iban.ts';
import { amountFlaw, amountOf, minorUnits, unitsOf } from '#contract/money.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { nameOfCharacter } from '#contract/text.ts';
import { beyondAscii, transliterated } from '../letters.ts';
import { groupedAmounts } from '../groupedAmounts.ts';
import { scalarText, valuesAt } from '../values.ts';
import type { Column } from './column.ts';

/**
 * The data for one line: the batch (for a Detail line only with that line's payment), and the file's counts and line
 * numbers.
 */
export interface Scope {
  batch: BatchRequest;
  createdAt: Date;
  counts: { payments: number; lines: number; blocks: number };
  number: { line: number; payment: number };
}

/** Thrown for a value that does not fit its columns. `text` is the text that does not fit, if known. */
export class Misfit extends Error {
  readonly text: string;

  constructor(message: string, text = '') {
    super(message);
    this.text = text;
  }
}

/** Thrown for a number with more digits than its columns. */
export class Overflow extends Misfit {}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function currencyOf({ payments }: BatchRequest): string {
  const [currency = '', ...others] = distinct(payments.map(({ instructedAmount }) => instructedAmount.currency));
  if (others.length > 0) throw new Misfit(`the file holds one currency, these are ${[currency, ...others].join(', ')}`);
  return currency;
}

/** Converts an amount in major units to a whole number of minor units. Throws Misfit if that is not possible. */
function inMinorUnits(amount: string, currency: string): string {
  const flaw = amountFlaw(amount, currency);
  if (flaw) throw new Misfit(flaw, amount);
  return String(unitsOf(amount, minorUnits(currency) ?? 0)); // has one, or there is a flaw
}

const millisecondsPerDay = 86_400_000;

function dateText(pattern: string, value: string): string {
  if (!isExecutionDate(value)) throw new Misfit(`${value} is not ${executionDateShape}`, value);
  const date = new Date(value);
  const year = date.getUTCFullYear();
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / millisecondsPerDay) + 1;
  const iso = date.toISOString();
  const parts: Readonly<Record<string, string>> = {
    YYYY: iso.slice(0, 4),
    YY: iso.slice(2, 4),
    MM: iso.slice(5, 7),
    DDD: String(dayOfYear).padStart(3, '0'),
    DD: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
  };
  return pattern.replaceAll(/YYYY|YY|MM|DDD|DD|HH|mm/g, (part) => parts[part] ?? part);
}

/** Returns the function that formats a column's values. */
function writer({ layout }: Column, batch: BatchRequest): (value: string) => string {
  const { part, format, date } = layout;
  if (format === 'minorUnits') {
    const currency = currencyOf(batch);
    return (value) => inMinorUnits(value, currency);
  }
  if (format === 'unaccented') return transliterated;
  if (format === 'decimals') return (currency) => String(minorUnits(currency) ?? '');
  if (format === 'accountKind') return (account) => (looksLikeIban(account) ? '1' : '2');
  if (date !== undefined) return (value) => dateText(date, value);
  const [first = 1, last] = part?.split('-').map(Number) ?? [];
  return (value) => value.slice(first - 1, last);
}

const textsAt = (batch: BatchRequest, jsonPath: string): string[] =>
  valuesAt(batch, jsonPath).map(({ value }) => scalarText(value) ?? '');

function single(batch: BatchRequest, jsonPath: string): string {
  const [value = '', ...others] = distinct(textsAt(batch, jsonPath));
  if (others.length > 0) throw new Misfit('the payments differ in a value that the file holds only once');
  return value;
}

function sumOf(numbers: readonly string[]): string {
  const other = numbers.find((number) => !/^\d*$/.test(number));
  if (other !== undefined) throw new Misfit(`"${other}" is no number, so that there is no sum`, other);
  return numbers.reduce((sum, number) => sum + BigInt(number), 0n).toString();
}

function unpadded(column: Column, scope: Scope): string {
  const { batch } = scope;
  const { content, sourceValidation } = column;
  if (content && 'constant' in content) return content.constant;
  if (content && 'count' in content) return String(scope.counts[content.count] + content.plus);
  if (content && 'number' in content) return String(scope.number[content.number]);

  const write = writer(column, batch);
  if (content && 'created' in content) return write(scope.createdAt.toISOString());
  if (content && 'sum' in content) {
    const { sum, plus } = content;
    return sumOf([...textsAt(batch, sum), ...(plus === undefined ? [] : textsAt(batch, plus))].map(write));
  }
  const jsonPath = content ? content.copy : sourceValidation?.jsonPath;
  const value = jsonPath === undefined ? '' : single(batch, jsonPath);
  return value === '' ? '' : write(value);
}

/** What a column counts or adds up, in words; '' if it does neither. */
function countedIn({ content, layout, sourceValidation }: Column): string {
  if (content && 'sum' in content) return layout.format === 'minorUnits' ? 'total' : `sum of ${content.sum}`;
  if (content && 'count' in content) return `number of ${content.count}`;
  return content === undefined && sourceValidation && layout.format === 'minorUnits' ? 'amount' : '';
}

/** Returns the error of a text that is wider than its column. */
function tooWide(column: Column, text: string, { batch }: Scope): Misfit {
  const { type, line, layout, place } = column;
  const what = countedIn(column);
  if (!what) return new Misfit(`"${text}" is longer than columns ${place.range} of the file`, text);
  const currency = layout.format === 'minorUnits' ? currencyOf(batch) : '';
  const shown = (units: string) =>
    `${groupedAmounts(currency ? amountOf(BigInt(units), minorUnits(currency) ?? 0) : units)} ${currency}`.trim();
  const columns = `columns ${place.range} of ${type} line ${line}`;
  const most = shown('9'.repeat(place.width));
  return new Overflow(`the ${what} ${shown(text)} is too large for ${columns}, which hold at most ${most}`, text);
}

/** Formats a column's text at the column's width. Throws Misfit if the value does not fit. */
export function cell(column: Column, scope: Scope): string {
  const { justify, pad, truncate } = column.layout;
  const { width } = column.place;
  const text = unpadded(column, scope);
  const refused = beyondAscii(text);
  if (refused) throw new Misfit(`${nameOfCharacter(refused)} in "${text}" cannot be written into the file`, text);
  if (text.length > width && !truncate) throw tooWide(column, text, scope);
  return justify === 'right' ? text.slice(-width).padStart(width, pad) : text.slice(0, width).padEnd(width, pad);
}
