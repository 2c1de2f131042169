import { isSameId } from './companyList.ts';
import type { Scopes } from './companyList.ts';
import type { Store } from './companyStore.ts';
import { accounts, batches, creditors, datasets, debtors, subscriptions } from './records.ts';
import type { Stored } from './settings.ts';
import type { ScopedSetting } from './storedSettings.ts';

/**
 * Programs write settings one by one, and may name the company last. So what a program has written goes along when it
 * names another company, and the company that it leaves gets back what it had (decision 7). A page names its company in
 * each call; what it selects there stays there.
 */

/** Settings of a company that go along. */
const carried = ['subscriptionId', 'providerId', 'accountId', 'dataSetId', 'batchId', 'companySigningKey'] as const;
type Carried = (typeof carried)[number];

/** The settings that are lists of records. */
export type ListSetting = 'subscriptions' | 'postedBatches';

interface WrittenValue {
  value: string;
  /** What the company had before. */
  before: string;
  /** Written together with another setting, as a provider with its subscription. */
  isImplied?: true;
}

/** What a program has written into the settings of a company. */
interface Written {
  values: Partial<Record<ScopedSetting, WrittenValue>>;
  /** Records that a written list has added, as JSON by id. One that has changed since is the company's own. */
  records: Partial<Record<ListSetting, Record<string, string>>>;
  /** The company is stored only because a program has written its id. */
  isNamedOnly?: true;
}

export type ScopeSettings = Partial<Record<ScopedSetting, string>>;

/** Returns what a program has written; leaves out what has been changed otherwise since. */
function writtenIn(settings: ScopeSettings): Written {
  const nothing: Written = { values: {}, records: {} };
  const { values, records, isNamedOnly } = settings.written ? (JSON.parse(settings.written) as Written) : nothing; // as `marker` wrote it
  const current = Object.entries(values).filter(([key, each]) => (settings[key as ScopedSetting] ?? '') === each.value);
  return { values: Object.fromEntries(current), records, ...(isNamedOnly && { isNamedOnly }) };
}

const marker = (written: Written): ScopeSettings => ({ written: JSON.stringify(written) });

/** Whether a program has written this value itself. */
export const isWritten = (settings: ScopeSettings, key: ScopedSetting): boolean => {
  const { [key]: found } = writtenIn(settings).values;
  return found !== undefined && !found.isImplied;
};

/** Writes settings for a program, all or none; `implied` are those that it has not named itself. */
export function writeForProgram(
  { scope, scopes, settings }: Pick<Store, 'scope' | 'scopes' | 'settings'>,
  values: Partial<Stored>,
  implied: Partial<Stored> = {},
): Promise<void> {
  const all = { ...implied, ...values };
  return scopes.transaction(async () => {
    const own = await scopes.read(scope);
    const written = writtenIn(own);
    for (const key of carried) {
      const value = all[key];
      if (value === undefined) continue;
      const before = written.values[key]?.before ?? own[key] ?? '';
      written.values[key] = { value, before, ...(!Object.hasOwn(values, key) && { isImplied: true }) };
    }
    await settings.writeAll({ ...all, ...marker(written) });
  });
}

/** Returns the ids of the records that a program has added to a list, without those that have changed since. */
export async function addedTo({ scope, scopes, ...store }: Store, list: ListSetting): Promise<string[]> {
  const added = Object.entries(writtenIn(await scopes.read(scope)).records[list] ?? {});
  const texts = await Promise.all(added.map(([id]) => recordJson(recordsOf(store, list), id)));
  return added.flatMap(([id, text], index) => (texts[index] === text ? [id] : []));
}

/** Notes the records that a program has added by writing a list. */
export function noteAdded(
  { scope, scopes, ...store }: Store,
  list: ListSetting,
  ids: readonly string[],
): Promise<void> {
  return scopes.transaction(async () => {
    const written = writtenIn(await scopes.read(scope));
    const added: Record<string, string> = {};
    for (const id of ids) {
      const text = await recordJson(recordsOf(store, list), id);
      if (text !== undefined) added[id] = text;
    }
    written.records[list] = added;
    await scopes.write(scope, marker(written));
  });
}

/** A record as JSON. */
const recordJson = async (records: ReturnType<typeof recordsOf>, id: string): Promise<string | undefined> => {
  const record = await records.get(id);
  return record && JSON.stringify(record);
};

/** Forgets which settings of a company a program has written: they are the company's own from now on. */
export async function settle(scopes: Scopes, scope: string): Promise<void> {
  if ((await scopes.read(scope)).written) await scopes.write(scope, { written: '' });
}

/** Notes values that a program has written, each with what it has replaced. `isNew`: the scope was made for them. */
export async function noteWritten(
  scopes: Scopes,
  scope: string,
  values: Written['values'],
  isNew = false,
): Promise<void> {
  const written = writtenIn(await scopes.read(scope));
  const all = { ...written, values: { ...written.values, ...values }, ...(isNew && { isNamedOnly: true as const }) };
  await scopes.write(scope, marker(all));
}

/**
 * Takes what a program has written from one company to the one that it names, in a transaction. Removes the company
 * that it leaves if that was stored only because its id had been written. Returns whether a signing key stays behind,
 * because the organisation that is named has one.
 */
export async function carryWritten(from: Store, to: Store): Promise<boolean> {
  const { scopes } = from;
  const [left, named] = [await scopes.read(from.scope), await scopes.read(to.scope)];
  const [own, theirs] = [writtenIn(left), writtenIn(named)];
  const [leftValues, namedValues]: ScopeSettings[] = [{}, {}];
  const move = (key: Carried, { value, before, isImplied }: WrittenValue) => {
    leftValues![key] = before;
    namedValues![key] = value;
    delete own.values[key];
    theirs.values[key] = {
      value,
      before: theirs.values[key]?.before ?? named[key] ?? '',
      ...(isImplied && { isImplied }),
    };
  };
  await moveRecords(from, to, own, theirs, 'subscriptions');
  await moveRecords(from, to, own, theirs, 'postedBatches');
  for (const key of carried) {
    const found = own.values[key];
    // A key that the named organisation has may be the one that works.
    if (found && (key !== 'companySigningKey' || (named.companySigningKey ?? '') === '')) move(key, found);
  }
  const { subscriptionId, providerId } = theirs.values;
  if (providerId?.isImplied && subscriptionId) {
    const record = await to.records(subscriptions).get(subscriptionId.value);
    if (record) namedValues!.providerId = providerId.value = record.providerId;
  }
  await scopes.write(from.scope, { ...leftValues, ...marker(own) });
  await scopes.write(to.scope, { ...namedValues, ...marker(theirs) });
  const isKeyLeft =
    own.values.companySigningKey !== undefined && !isSameId(left.organisationId ?? '', named.organisationId ?? '');
  if (own.isNamedOnly && (await isUnused(from))) await scopes.remove(from.scope);
  return isKeyLeft;
}

/** The records of a list; only their ids matter here. */
const recordsOf = (store: Pick<Store, 'records'>, list: ListSetting) =>
  store.records(list === 'subscriptions' ? subscriptions : (batches as unknown as typeof subscriptions)); // one type for both

/** Moves the records that a written list has added. The named company keeps a record that it has already. */
async function moveRecords(from: Store, to: Store, own: Written, theirs: Written, list: ListSetting): Promise<void> {
  const [leaving, arriving] = [recordsOf(from, list), recordsOf(to, list)];
  for (const id of await addedTo(from, list)) {
    const record = (await leaving.get(id))!; // just read
    const text = JSON.stringify(record);
    if (await arriving.insert(id, record)) theirs.records[list] = { ...theirs.records[list], [id]: text };
    await leaving.remove(id);
  }
  delete own.records[list];
}

/** Whether nothing but an owner's id is stored of a company. */
async function isUnused(store: Store): Promise<boolean> {
  const { companySigningKey = '', organisationId = '' } = await store.scopes.read(store.scope);
  const others = (await store.scopes.list()).filter(
    (each) => each.scope !== store.scope && isSameId(each.organisationId, organisationId),
  );
  if (companySigningKey !== '' && others.length === 0) return false;
  const kinds = [subscriptions, batches, debtors, creditors, accounts, datasets];
  const counts = await Promise.all(kinds.map((kind) => store.records(kind as typeof accounts).count())); // counted only
  return counts.every((count) => count === 0);
}
