import type { CallName } from '#contract/calls.ts';
import { latestCompany, latestOrganisation } from '#rules/latest.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { subscriptions } from '#server/companies/records.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { Write as Row } from '#server/storage/writes.ts';

/** The writes before which their user is asked, if there is one already, whether to create another: the id of the latest, '' for none. */
const latest: Partial<Record<CallName, (store: Store) => Promise<string>>> = {
  createOrganisation: async ({ companies }) => latestOrganisation(await companies.list()),
  createCompany: async (store) =>
    latestCompany(await store.companies.list(), (await storedSettingsOf(store)).organisationId),
  createAccount: async (store) => (await storedSettingsOf(store)).accountId,
  createDataset: async (store) => (await storedSettingsOf(store)).dataSetId,
  // Whichever is current, any of them may be in use.
  createSubscription: async (store) => (await store.records(subscriptions).latest(1))[0]?.subscriptionId ?? '',
};

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
  { store }: CompanyContext,
  { query: { beside, despite } = {} }: Known,
  row: Row,
  isUnderWay: (row: Row) => Promise<boolean>,
): Promise<void> {
  const { writes } = store;
  const latestOf = latest[row.call as CallName];
  if (!latestOf || beside === undefined) return;
  const there = await latestOf(store);
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
