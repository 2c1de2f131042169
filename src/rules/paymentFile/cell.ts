import type { BatchRequest } from '#contract/payment.ts';
import { nameOfCharacter } from '#contract/text.ts';
import Decimal from 'decimal.js-light';
import { beyondAscii, transliterated } from '../letters.ts';
import { textOf, valuesAt } from '../values.ts';
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

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function currencyOf({ payments }: BatchRequest): string {
  const [currency = '', ...others] = distinct(payments.map(({ instructedAmount }) => instructedAmount.currency));
  if (others.length > 0) throw new Misfit(`the file holds one currency, these are ${[currency, ...others].join(', ')}`);
  return currency;
}

const decimals = new Map<string, number>();

/** The number of decimals of a currency; cached, because a batch can have thousands of payments. */
function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  decimals.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}

/**
 * Converts a decimal amount in major units to a whole number of minor units. Throws Misfit if it has too many decimals.
 */
function minorUnits(amount: string, currency: string): string {
  const digits = decimalsOf(currency);
  const units = new Decimal(amount).times(new Decimal(10).pow(digits));
  if (!units.isInteger()) throw new Misfit(`${amount} has more than ${digits} decimals for ${currency}`, amount);
  return units.toFixed(0);
}

const millisecondsPerDay = 86_400_000;

function dateText(pattern: string, value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new Misfit(`${value} is not a date`, value);
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
    return (value) => minorUnits(value, currency);
  }
  if (format === 'unaccented') return transliterated;
  if (date !== undefined) return (value) => dateText(date, value);
  const [first = 1, last] = part?.split('-').map(Number) ?? [];
  return (value) => value.slice(first - 1, last);
}

const textsAt = (batch: BatchRequest, jsonPath: string): string[] =>
  valuesAt(batch, jsonPath).map(({ value }) => textOf(value) ?? '');

function single(batch: BatchRequest, jsonPath: string): string {
  const [value = '', ...others] = distinct(textsAt(batch, jsonPath));
  if (others.length > 0) throw new Misfit('the payments differ in a value that the file holds only once');
  return value;
}

function unpadded(column: Column, scope: Scope): string {
  const { batch } = scope;
  const { content, sourceValidation } = column;
  if (content && 'constant' in content) return content.constant;
  if (content && 'count' in content) return String(scope.counts[content.count] + content.plus);
  if (content && 'number' in content) return String(scope.number[content.number]);

  const write = writer(column, batch);
  if (content && 'created' in content) return write(scope.createdAt.toISOString());
  if (content && 'sum' in content)
    return textsAt(batch, content.sum)
      .reduce((sum, value) => sum + BigInt(write(value)), 0n)
      .toString();
  const jsonPath = content ? content.copy : sourceValidation?.jsonPath;
  const value = jsonPath === undefined ? '' : single(batch, jsonPath);
  return value === '' ? '' : write(value);
}

/** Formats a column's text at the column's width. Throws Misfit if the value does not fit. */
export function cell(column: Column, scope: Scope): string {
  const { justify, pad, truncate } = column.layout;
  const { width, range } = column.place;
  const text = unpadded(column, scope);
  const refused = beyondAscii(text);
  if (refused) throw new Misfit(`${nameOfCharacter(refused)} in "${text}" cannot be written into the file`, text);
  if (text.length > width && !truncate) throw new Misfit(`"${text}" is longer than columns ${range} of the file`, text);
  return justify === 'right' ? text.slice(-width).padStart(width, pad) : text.slice(0, width).padEnd(width, pad);
}
