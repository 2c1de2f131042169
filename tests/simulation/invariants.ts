import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { Ledger } from './users.ts';

export const isFailed = (status: string): boolean => /^(failed|rejected|cancelled)$/i.test(status);

/** The payments of a reference that took effect at the service, or still may. */
export const paymentsOf = (batches: readonly RecordedBatch[], reference: string) =>
  batches
    .filter(({ status }) => !isFailed(status))
    .flatMap(({ batchId, idempotencyKey, payments }) =>
      payments
        .filter((each) => each.reference === reference && !isFailed(each.status))
        .map(() => ({ batchId, idempotencyKey })),
    );

/** Returns what is wrong with the batches of a service at rest, and with what users were told, a sentence each. */
export function broken(batches: readonly RecordedBatch[], ledger: Ledger, unsettled: readonly string[]): string[] {
  const wrong: string[] = [];

  // Each intention takes effect at most once.
  const byKey = new Map<string, RecordedBatch[]>();
  for (const batch of batches) byKey.set(batch.idempotencyKey, [...(byKey.get(batch.idempotencyKey) ?? []), batch]);
  for (const [key, those] of byKey)
    if (those.length > 1)
      wrong.push(`The key ${key} made ${those.length} batches: ${those.map(({ batchId }) => batchId).join(', ')}.`);

  // Each invoice is paid at most once, unless that was confirmed.
  const references = new Set(batches.flatMap(({ payments }) => payments.map(({ reference }) => reference)));
  for (const reference of references) {
    const paid = paymentsOf(batches, reference);
    const allowed = 1 + (ledger.confirmed.get(reference) ?? 0);
    if (paid.length > allowed)
      wrong.push(
        `${reference} is paid ${paid.length} times, by ${paid.map(({ batchId }) => batchId).join(', ')}; ${allowed} allowed.`,
      );
  }

  // What a user was told about money is so.
  const isOthers = ({ idempotencyKey }: RecordedBatch) => ledger.others.has(idempotencyKey);
  const byExternalId = (sought: string) => batches.filter((each) => each.externalId === sought && !isOthers(each));
  const sent = new Map(ledger.told.map(({ key, externalId }) => [`${key} ${externalId}`, { key, externalId }]));
  for (const { key, externalId } of sent.values()) {
    const told = ledger.told.filter((each) => each.key === key && each.externalId === externalId);
    const made = byExternalId(externalId);
    const name = `The payment ${externalId}, key ${key},`;
    if (made.length > 1) wrong.push(`${name} made ${made.length} batches.`);
    // Under one key, the batch that was sent first is paid, whatever comes with the key later.
    const paid = made[0] ?? (byKey.get(key) ?? [])[0];
    for (const { what, batchId } of told)
      if (what === 'paid' && batchId !== undefined && !batches.some((each) => each.batchId === batchId))
        wrong.push(`${name} is told to be paid in ${batchId}, which does not exist.`);
      else if (what === 'paid' && batchId !== undefined && paid && paid.batchId !== batchId)
        wrong.push(`${name} is told to be paid in ${batchId}, but it is in ${paid.batchId}.`);
      else if (what === 'paid' && batches.some((each) => each.batchId === batchId && isOthers(each)))
        wrong.push(`${name} is told to be paid in ${batchId}, which a program had made before.`);
      else if (what === 'paid' && batchId === undefined && !paid)
        wrong.push(`${name} is told to be paid, but there is no such batch.`);
    if (told.at(-1)?.what === 'not-done' && made.length > 0)
      wrong.push(`${name} is told not to have been done, but it is paid in ${made[0]!.batchId}.`);
  }

  // What is unknown ends.
  for (const key of unsettled) wrong.push(`The outcome of ${key} stays unknown although the service answers.`);
  return wrong;
}
