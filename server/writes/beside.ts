import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Write as Row } from '#server/storage/writes.ts';

/** A write before which its user is asked, if there is one already, whether to create another. */
export interface Asked {
  /** The id of the one that was created last, '' for none. */
  existing?(context: CompanyContext): Promise<string>;
}

/** What the caller says of the one that is there: its id as far as he knows, '' for none. One who says nothing is not asked. */
export interface Known {
  query?: { beside?: string | undefined } | undefined;
}

interface Needs extends Pick<Storage, 'writes' | 'tryLock'> {
  lockOf: (row: Row) => string;
}

/** Whether another write of the same call is on its way to the service: it is claimed, and its holder has not ended. */
async function isOtherUnderWay({ writes, tryLock, lockOf }: Needs, row: Row): Promise<boolean> {
  for (const other of await writes.list(row, { call: row.call, states: ['claimed'] })) {
    if (other.position === row.position) continue;
    const unlock = await tryLock(lockOf(other));
    if (!unlock) return true;
    await unlock();
  }
  return false;
}

/**
 * Within the transaction that claims a write: throws `exists-already` if another one was created than its caller knows, or is
 * being created. Of two that are sent at the same instant, the second is refused.
 */
export async function requireNoOther(
  needs: Needs,
  context: CompanyContext,
  write: Asked,
  { query }: Known,
  row: Row,
): Promise<void> {
  const beside = query?.beside;
  if (!write.existing || beside === undefined) return;
  const there = await write.existing(context);
  if (there !== '' && there !== beside)
    throw new Failure('exists-already', `${there} was created meanwhile. Nothing was sent.`);
  if (await isOtherUnderWay(needs, row))
    throw new Failure('exists-already', 'Another one is being created at this moment. Nothing was sent.');
}
