import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Write as Row } from '#server/storage/writes.ts';

/** A write before which its user is asked, if there is one already, whether to create another. */
export interface Asked {
  /** The id of the one that was created last, '' for none. */
  existing?(context: CompanyContext): Promise<string>;
}

/**
 * What the caller says of others: the id of the one that is there as far as he knows, '' for none, and the earlier requests
 * without a known outcome of which he was told. One who says nothing is not asked.
 */
export interface Known {
  query?: { beside?: string | undefined; despite?: string | undefined } | undefined;
}

/** Why the outcome of a write is not known that nobody works on any more. */
export const stoppedBefore = 'The console stopped before the response arrived.';

/**
 * Within the transaction that claims a write: throws `exists-already` if another one was created than its caller knows, is
 * being created, or may have been created by an earlier request of which he does not know. Of two that are sent at the same
 * instant, the second is refused.
 */
export async function requireNoOther(
  context: CompanyContext,
  write: Asked,
  { query: { beside, despite } = {} }: Known,
  row: Row,
  isUnderWay: (row: Row) => Promise<boolean>,
): Promise<void> {
  const { writes } = context.store;
  if (!write.existing || beside === undefined) return;
  const there = await write.existing(context);
  if (there !== '' && there !== beside)
    throw new Failure('exists-already', `${there} was created meanwhile. Nothing was sent.`);
  const others = await writes.undecidedSinceLast(row, row.call);
  const unclear = others.filter(({ position }) => position !== row.position);
  for (const other of unclear)
    if (await isUnderWay(other))
      throw new Failure('exists-already', 'Another one is being created at this moment. Nothing was sent.');
  const [last] = unclear.slice(-1);
  const named = unclear.map(({ serviceKey }) => serviceKey).join(' ');
  if (!last || named === despite) return;
  const words = (await writes.wordsOf(last)) || stoppedBefore;
  throw new Failure(
    'exists-already',
    `A request of ${iso(last.claimedAt)} may have created one. ${words} Nothing was sent now. Sent once more, this creates another one nevertheless.`,
    { despite: named },
  );
}
