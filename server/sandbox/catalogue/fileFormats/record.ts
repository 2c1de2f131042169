import type { Optionality, RuleDefinition, Wording } from '../definition.ts';
import type { Layout as FullLayout } from '#rules/paymentFile/column.ts';

type Layout = Partial<FullLayout>;

/** The layout of numbers: right-justified and padded with zeros. */
export const numeric: Layout = { justify: 'right', pad: '0' };
export const amount: Layout = { ...numeric, format: 'minorUnits' };
export const amountPath = 'payments.instructedAmount.amount';
export const currencyPath = 'payments.instructedAmount.currency';

/**
 * Constructors for the rules of one line of a file; a rule's id is composed of the record type, line and column range.
 */
export function record(type: 'Header' | 'Detail' | 'Trailer', line = 1) {
  const at = (range: string, layout: Layout, more: object): RuleDefinition => ({
    ruleId: `${type}${line}-${range}`,
    type,
    line,
    destination: { destination: range, ...layout },
    ...more,
  });
  const source =
    (optionality: Optionality) =>
    (range: string, jsonPath: string, wording: Wording, layout: Layout = {}): RuleDefinition =>
      at(range, layout, { sourceValidation: { jsonPath, optionality, ...wording } });

  return {
    required: source('Required'),
    optional: source('Optional'),
    constant: (range: string, constant: string) => at(range, {}, { content: { constant } }),
    copy: (range: string, copy: string, layout: Layout = {}) => at(range, layout, { content: { copy } }),
    sum: (range: string, sum: string, layout: Layout = amount, plus?: string) =>
      at(range, layout, { content: { sum, ...(plus !== undefined && { plus }) } }),
    count: (range: string, count: 'payments' | 'lines' | 'blocks', plus = 0) =>
      at(range, numeric, { content: { count, plus } }),
    number: (range: string, number: 'line' | 'payment') => at(range, numeric, { content: { number } }),
    created: (range: string, date: string) => at(range, { date }, { content: { created: true } }),
  };
}

/** A rule about a value that is not in the file but must be valid for it. */
export const checked = (jsonPath: string, wording: Wording): RuleDefinition => ({
  ruleId: ['Checked', ...jsonPath.split('.')].join('-'),
  type: 'Detail',
  sourceValidation: { jsonPath, optionality: 'Required', ...wording },
});
