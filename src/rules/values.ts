import { ExactNumber } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';

/** A value found at a jsonPath; `index` is the position of its payment if the path goes through `payments`. */
export interface Found {
  value: unknown;
  index?: number;
}

/** A single value as text; undefined for objects, lists and absent values. */
export const scalarText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber ? String(value) : undefined;

/**
 * The values at a rule's jsonPath (dots, no `$`): one entry, or one per element of the lists on the path, such as
 * `payments` or an Array group (wire, section 8). The value of an absent member is undefined.
 */
export function valuesAt(body: unknown, jsonPath: string): Found[] {
  return jsonPath.split('.').reduce<Found[]>(
    (holders, name, depth) =>
      holders.flatMap(({ value: holder, index }) => {
        const elements = Array.isArray(holder) && holder.length > 0 ? (holder as unknown[]) : [holder]; // typed any[]
        const throughPayments = depth === 1 && jsonPath.startsWith('payments.') && Array.isArray(holder);
        return elements.map((element, position) => {
          const value = memberOf(element, name);
          if (throughPayments) return { value, index: position };
          return index === undefined ? { value } : { value, index };
        });
      }),
    [{ value: body }],
  );
}
