import { isObject } from '#contract/json.ts';
import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { fieldOf, validationOf } from '../field.ts';
import { nested } from '../payload.ts';
import { layOut } from './layout.ts';

/** Returns the first lines of the file that the format writes of one payment with the examples of its rules. */
export function sampleLines(format: FileFormat, createdAt: Date, most: number): string[] {
  const fields = format.specification.rules.flatMap((rule) => {
    const { regex: _, ...validation } = validationOf(rule) ?? { jsonPath: '' };
    const field = fieldOf(validation, rule.ruleId);
    return field.paths.length > 0 && validation.jsonPath !== '' ? [field] : [];
  });
  const examples = Object.fromEntries(
    fields.map(({ id, example, options }) => [id, example || (options[0]?.value ?? '')]),
  );
  const { payments = {}, ...batch } = nested({ fields }, examples);
  const sample = { ...batch, payments: [isObject(payments) ? payments : {}] } as unknown as BatchRequest; // with what the format's rules name
  return layOut(format, sample, createdAt)
    .lines.slice(0, most)
    .map(({ text }) => text);
}
