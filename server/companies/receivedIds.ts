import { Failure } from '#server/failure.ts';
import type { Created } from '#server/storage/receivedIds.ts';
import type { CompanyContext } from './companyContext.ts';

/** What each kind is called in a sentence. */
const names: Record<Created, string> = {
  batch: 'batch',
  subscription: 'subscription',
  organisation: 'organisation',
  company: 'company',
  account: 'account',
  dataset: 'data set',
};

/** Maximum number of characters shown of an id. */
const shown = 200;

/**
 * Records the id that the answer to a write names. `key` is the write's idempotency key at the service. Throws
 * `upstream-invalid` if another write of this server has received the id before, for any user or company: then this
 * answer, or the earlier one, belongs to the other request.
 */
export async function requireNewId(
  { store }: Pick<CompanyContext, 'store'>,
  kind: Created,
  id: string,
  key: string,
): Promise<void> {
  if (await store.receivedIds.record(kind, id, key)) return;
  throw new Failure(
    'upstream-invalid',
    `The answer names ${names[kind]} ${id.slice(0, shown)}, which the service has returned to an earlier request already. It does not say whether this request took effect.`,
    { interactionId: key },
  );
}
