import type { BatchError } from '#contract/batch.ts';
import { maximumPayments } from '#contract/constants.ts';
import { memberOf } from '#contract/member.ts';
import { statusOf } from '#contract/status.ts';
import { causeOf } from '#rules/causes.ts';
import { textAt } from '#rules/path.ts';
import type { BatchAnswer } from '#server/companies/records.ts';

/** Where a payment states its reference. */
const referencePlace = 'remittanceInformation.reference';

/** What the service says of a payment, to be shown to who pays its invoice again. It decides nothing. */
type Said = NonNullable<BatchAnswer['says']>[number];

/** Maximum numbers of characters of a reference, a status, and the words. */
const longest = { reference: 140, status: 100, words: 300 };

const joined = (texts: readonly string[], separator: string): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(separator);

/**
 * Returns what the service says of the payments of a batch that has ended, by their references, except of those that it
 * says are completed. A payment that states no status has that of its batch.
 */
export function saidOf(
  { status: ofBatch, payments = [] }: { status: string; payments?: readonly object[] | undefined },
  errors: readonly BatchError[],
  references: readonly string[],
): Said[] {
  const byReference = new Map<string, { statuses: string[]; words: string[] }>();
  const of = (reference: string) => {
    const known = byReference.get(reference) ?? { statuses: [], words: [] };
    byReference.set(reference, known);
    return known;
  };
  for (const payment of payments) {
    const hasNone = (memberOf(payment, 'status') ?? null) === null;
    of(textAt(payment, referencePlace)).statuses.push(textAt(payment, 'status') || (hasNone ? ofBatch : 'unreadable'));
  }
  for (const error of errors)
    of(causeOf(error, payments, references).invoice).words.push(error.message || error.code || error.target);
  return [...byReference]
    .filter(([reference, { statuses }]) => reference !== '' && statuses.some((each) => statusOf(each) !== 'Completed'))
    .slice(0, maximumPayments)
    .map(([reference, { statuses, words }]) => ({
      reference: reference.slice(0, longest.reference),
      status: joined(statuses, ', ').slice(0, longest.status),
      words: joined(words, '; ').slice(0, longest.words),
    }));
}
