import { jsonIn } from '#contract/json.ts';
import type { Made, MadeKind } from '#contract/facts.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { storedSettingsOf, type Stored } from '#server/companies/settings.ts';
import { latestMessages } from '#server/messages/records.ts';
import type { Exchange, Write } from '#server/storage/writes.ts';

/** Whether a write is the company's; organisations and companies are created under the key of another one. */
const isOf = (store: Store, kind: MadeKind, row: Write | undefined): row is Write =>
  row?.workspace === store.workspace &&
  (row.companyKey === store.companyKey || kind === 'organisation' || kind === 'company');

/** Returns the write that created a resource; for a debtor or creditor, that of the latest message about it. */
async function writeOf(store: Store, kind: MadeKind, id: string): Promise<Write | undefined> {
  if (kind === 'debtor' || kind === 'creditor') {
    const messageId = await store.records(latestMessages).get(id);
    const at = { workspace: store.workspace, companyKey: store.companyKey };
    return messageId === undefined ? undefined : store.writes.byServiceKey(at, messageId);
  }
  return kind === 'accessToken' ? undefined : store.writes.creatorOf(kind, id);
}

const madeBy = (id: string, name: string, exchange: Exchange | undefined): Made | undefined =>
  exchange && { id, name, ...exchange };

async function madeOne(store: Store, kind: MadeKind, id: string, name: string): Promise<Made | undefined> {
  const row = await writeOf(store, kind, id);
  if (!isOf(store, kind, row)) return undefined;
  // What cannot be read is not shown.
  const done = await store.writes.doneOf(row).catch(() => undefined);
  return madeBy(id, name, done?.exchange);
}

/** Returns the writes that created the current resources, by kind. */
export async function madeOf(
  store: Store,
  { organisationId, companyId, companyName, accountId, dataSetId, subscriptionId, batchId, accessTokenBy }: Stored,
  { debtor, creditor }: { debtor: Debtor | undefined; creditor: Creditor | undefined },
): Promise<Partial<Record<MadeKind, Made>>> {
  const current: [MadeKind, string, (string | undefined)?][] = [
    ['organisation', organisationId],
    ['company', companyId, companyName],
    ['account', accountId],
    ['dataset', dataSetId],
    ['subscription', subscriptionId],
    ['batch', batchId],
    ['debtor', debtor?.debtorId ?? '', debtor?.debtorAccountname],
    ['creditor', creditor?.creditorId ?? '', creditor?.creditorname],
  ];
  const made: Partial<Record<MadeKind, Made>> = {};
  for (const [kind, id, name = ''] of current) {
    const one = id === '' ? undefined : await madeOne(store, kind, id, name);
    if (one) made[kind] = one;
  }
  const token = madeBy(companyId, '', jsonIn(accessTokenBy) as Exchange | undefined); // as getToken wrote it
  return token && companyId !== '' ? { ...made, accessToken: token } : made;
}

/** Returns the interaction id of the write that created the record with this id; '' if it is unknown. */
export async function creatingInteraction(store: Store, id: string): Promise<string> {
  const kinds: MadeKind[] = ['organisation', 'company', 'account', 'dataset', 'subscription', 'batch', 'debtor'];
  const { organisationId, companyId } = await storedSettingsOf(store);
  for (const kind of kinds) {
    if ((kind === 'organisation' && id !== organisationId) || (kind === 'company' && id !== companyId)) continue;
    const row = await writeOf(store, kind, id);
    if (isOf(store, kind, row)) return row.serviceKey;
  }
  return '';
}
