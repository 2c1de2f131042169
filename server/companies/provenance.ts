import type { CallName } from '#contract/calls.ts';
import { madeKinds, type Made, type MadeKind } from '#contract/facts.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { Answer, ParsedBody } from '#contract/shapes.ts';
import type { CompanyContext } from './companyContext.ts';
import type { Stored } from './settings.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { Store } from './companyStore.ts';
import type { CallContext } from '#server/calls/callContext.ts';

/** How resources were created, each under its kind and id. */
export const provenanceRecords: RecordKind<Made> = { kind: 'made' };

/** Returns the id and the name of the resource that a call creates. */
type Creation<C extends CallName> = (body: ParsedBody<C>, answer: Answer<C>) => Pick<Made, 'id' | 'name'>;

const unnamed = (id: string) => ({ id, name: '' });

const creations: { [C in CallName]?: [MadeKind, Creation<C>] } = {
  createOrganisation: ['organisation', (_, { organisationId }) => unnamed(organisationId)],
  createCompany: ['company', ({ name }, { companyId }) => ({ id: companyId, name })],
  getToken: ['accessToken', (_, { data }) => unnamed(data.companyId)],
  createAccount: ['account', (_, { data }) => unnamed(data.data.id)],
  createDataset: ['dataset', (_, { data }) => unnamed(data.data.id)],
  createSubscription: ['subscription', (_, { data }) => unnamed(data.subscriptionId)],
  putDebtor: ['debtor', ({ data }) => unnamed(data.debtorId)],
  putCreditor: ['creditor', ({ data }) => unnamed(data.creditorId)],
  createBatch: ['batch', (_, { data }) => unnamed(data.batchId)],
};

export const provenanceKey = (kind: MadeKind, id: string): string => `${kind}/${id}`;

/**
 * Records which write to the service created a call's resource; does nothing if there was no write. Never rejects, so
 * that an error here does not fail the call. `store` is that of the scope that the resource belongs to.
 */
export async function recordProvenance<C extends CallName>(
  { store, log }: { store: Store; log: CompanyContext['log'] },
  name: C,
  { body, answer, call }: { body: ParsedBody<C>; answer: Answer<C>; call: CallContext },
): Promise<void> {
  const [kind, creation] = creations[name] ?? [];
  if (!kind || !creation || !call.write) return;
  const made = { ...creation(body, answer), ...call.write };
  await store
    .records(provenanceRecords)
    .put(provenanceKey(kind, made.id), made)
    .catch((error: unknown) => log.error({ err: error, kind }, 'how something was made could not be kept'));
}

/**
 * Returns the writes that created the current resources, by kind. The organisation's record may be in the scope of
 * another of its companies.
 */
export async function provenanceOf(
  store: Store,
  { organisationId, companyId, accountId, dataSetId, subscriptionId, batchId }: Stored,
  { debtor, creditor }: { debtor: Debtor | undefined; creditor: Creditor | undefined },
): Promise<Partial<Record<MadeKind, Made>>> {
  const ids: Record<MadeKind, string> = {
    organisation: organisationId,
    company: companyId,
    accessToken: companyId,
    account: accountId,
    dataset: dataSetId,
    subscription: subscriptionId,
    batch: batchId,
    debtor: debtor?.debtorId ?? '',
    creditor: creditor?.creditorId ?? '',
  };
  const names: Partial<Record<MadeKind, string | undefined>> = {
    debtor: debtor?.debtorAccountname,
    creditor: creditor?.creditorname,
  };
  const found = Object.entries(ids).map(async ([kind, id]) => {
    const key = provenanceKey(kind as MadeKind, id); // keys of ids
    if (id === '') return [kind, undefined] as const;
    const made =
      (await store.records(provenanceRecords).get(key)) ??
      (kind === 'organisation' ? await inOtherCompanies(store, id, key) : undefined);
    return [kind, made && { ...made, name: names[kind as MadeKind] ?? made.name }] as const;
  });
  return Object.fromEntries((await Promise.all(found)).filter(([, made]) => made)); // undefined values are filtered out
}

/** Returns the interaction id of the write that created the company's record with this id; '' if it is unknown. */
export async function creationOf(store: Store, id: string): Promise<string> {
  const kinds = madeKinds.filter((kind) => kind !== 'accessToken');
  const found = await Promise.all(kinds.map((kind) => store.records(provenanceRecords).get(provenanceKey(kind, id))));
  return found.find((made) => made !== undefined)?.interactionId ?? '';
}

async function inOtherCompanies(store: Store, organisationId: string, key: string): Promise<Made | undefined> {
  for (const each of await store.scopes.list()) {
    const made =
      each.organisationId === organisationId
        ? await store.at(each.scope).records(provenanceRecords).get(key)
        : undefined;
    if (made) return made;
  }
  return undefined;
}
