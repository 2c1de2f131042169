import { isObject, jsonIn } from '#contract/json.ts';
import type { SandboxMoment } from '#contract/sandboxMoment.ts';
import type { SituationFile, SituationOwner } from '#contract/situation.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { comparableId, isSameId } from '#server/companies/comparableText.ts';
import type { ListedCompany } from '#server/companies/companyList.ts';
import { accounts, batches, creditors, datasets, debtors, subscriptions } from '#server/companies/records.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import { paymentsIn, putPayments } from './payments.ts';

export type SavedCompany = SituationFile['companies'][number];

/** Opens a company of the workspace by its key. */
type ContextIn = (companyKey: string) => Promise<CompanyContext>;

/** A member of a company that is wrong, and what would be right. */
interface Flaw {
  member: keyof SavedCompany;
  message: string;
}

/** Returns a function that says why a sandbox has not a company with its key; undefined if it has. */
function flawIn({ tables: { resources } }: SandboxMoment) {
  const values = new Map(resources.map(({ kind, id, value }) => [`${kind} ${id}`, value]));
  const recordOf = (kind: string, id: string) => {
    const record = jsonIn(values.get(`${kind} ${id}`) ?? '');
    return isObject(record) ? record : undefined;
  };
  return ({ organisationId, companyId, signingKey }: Omit<SavedCompany, keyof Kept>): Flaw | undefined => {
    const organisation = recordOf('organisation', organisationId);
    if (!organisation)
      return {
        member: 'organisationId',
        message: `give an organisation of the file’s sandbox: it has no ${organisationId}`,
      };
    if (organisation['primarySigningKey'] !== signingKey)
      return {
        member: 'signingKey',
        message: 'give the placeholder of the key that the file’s sandbox has for the organisation',
      };
    if (companyId !== '' && recordOf('company', companyId)?.['organisationId'] !== organisationId)
      return {
        member: 'companyId',
        message: `give a company of the organisation in the file’s sandbox: it has no ${companyId}`,
      };
    return undefined;
  };
}

/** What is stored of a company, besides who it is. */
type Kept = Omit<SavedCompany, keyof SituationOwner | 'signingKey'>;

async function keptOf(context: CompanyContext, taken: ReadonlySet<string>): Promise<Kept> {
  const { store } = context;
  const { subscriptionId, batchId, accountId, dataSetId, companyId, accessTokenOf } = await storedSettingsOf(store);
  return {
    subscriptionId,
    batchId,
    accountId,
    dataSetId,
    hasToken: companyId !== '' && accessTokenOf === companyId,
    subscriptions: await store.records(subscriptions).list(),
    batches: await store.records(batches).list(),
    debtors: await store.records(debtors).list(),
    creditors: await store.records(creditors).list(),
    payments: await paymentsIn(context, taken),
  };
}

const ownerOf = ({ organisationId, companyId, companyName }: SituationOwner): SituationOwner => ({
  organisationId,
  companyId,
  companyName,
});

const isSame = (one: SituationOwner, other: SituationOwner): boolean =>
  isSameId(one.organisationId, other.organisationId) && isSameId(one.companyId, other.companyId);

/** Puts what is stored of two companies with the same ids together. */
const merged = (one: SavedCompany, other: Kept): SavedCompany => ({
  ...one,
  subscriptions: [...one.subscriptions, ...other.subscriptions],
  batches: [...one.batches, ...other.batches],
  debtors: [...one.debtors, ...other.debtors],
  creditors: [...one.creditors, ...other.creditors],
  payments: [...one.payments, ...other.payments],
});

/**
 * Returns the companies of the workspace that the sandbox has, each once, and the place of the current one among them.
 */
export async function savedCompanies(
  { store: { companies, companyKey: current } }: CompanyContext,
  sandbox: SandboxMoment,
  contextIn: ContextIn,
): Promise<{ companies: SavedCompany[]; current: number }> {
  const flawOf = flawIn(sandbox);
  const saved: SavedCompany[] = [];
  let found = 0;
  for (const each of await companies.list()) {
    const { companySigningKey: signingKey = '' } = await companies.read(each.companyKey);
    const owner = { ...ownerOf(each), signingKey };
    if (flawOf(owner)) continue;
    const known = saved.findIndex((other) => isSame(other, owner));
    const taken = new Set(saved[known]?.payments.map(({ key }) => key));
    const kept = await keptOf(await contextIn(each.companyKey), taken);
    const place = known < 0 ? saved.length : known;
    saved[place] = known < 0 ? { ...owner, ...kept } : merged(saved[known]!, kept); // it was found
    if (each.companyKey === current) found = place;
  }
  return { companies: saved, current: found };
}

const wrong = (path: string, message: string) =>
  new Failure('invalid-request', `The file cannot be opened: ${path} is wrong. ${message}`, {
    errors: [{ path, message }],
  });

/**
 * Throws a Failure unless the sandbox of the file has each of its companies, with its key, once, and their links lead to
 * a provider.
 */
export function requireCompanies(
  { config }: CompanyContext,
  { sandbox, companies, current }: Pick<SituationFile, 'sandbox' | 'companies' | 'current'>,
): void {
  const flawOf = flawIn(sandbox);
  for (const [index, company] of companies.entries()) {
    const at = `companies.${index}`;
    const flaw = flawOf(company);
    if (flaw) throw wrong(`${at}.${flaw.member}`, flaw.message);
    if (companies.findIndex((each) => isSame(each, company)) < index)
      throw wrong(`${at}.companyId`, 'give another company than one before');
    const elsewhere = company.subscriptions.findIndex(
      ({ authLink }) => authLink !== undefined && !isAllowedLink(config.upstream.providerOrigins, authLink),
    );
    if (elsewhere >= 0)
      throw wrong(`${at}.subscriptions.${elsewhere}.authLink`, 'give a link to a provider of this console');
  }
  const made = new Set<string>();
  for (const [index, { payments }] of companies.entries())
    for (const [number, { made: { batchId } = {} }] of payments.entries()) {
      const id = batchId === undefined ? undefined : comparableId(batchId);
      if (id !== undefined && made.has(id))
        throw wrong(`companies.${index}.payments.${number}.made.batchId`, 'give another batch than a payment before');
      if (id !== undefined) made.add(id);
    }
  if (companies.length > 0 && current >= companies.length)
    throw wrong('current', 'give the place of one of the companies, counted from 0');
}

/** Returns the companies of the workspace that a file lacks: opening it ends them. */
export async function endedBy(
  { store }: CompanyContext,
  companies: readonly SituationOwner[],
): Promise<SituationOwner[]> {
  const all: readonly ListedCompany[] = await store.companies.list();
  return all.filter((each) => !companies.some((company) => isSame(each, company))).map(ownerOf);
}

/**
 * Removes all companies of the workspace, whose sandbox was replaced, with all its writes: what is under way is not kept.
 * Leaves a company without an organisation as the current one.
 */
export function endCompanies({ store }: CompanyContext): Promise<void> {
  const { companies, writes, workspace } = store;
  return companies.transaction(async () => {
    for (const { companyKey } of await companies.list()) await companies.remove(companyKey);
    await writes.forgetAll(workspace);
  });
}

/** Stores records of a file, unless another user of the console has some under the same id. Returns what was not stored. */
async function putRecords<Value>(
  { store }: CompanyContext,
  kind: RecordKind<Value>,
  named: string,
  records: readonly (readonly [id: string, Value])[],
): Promise<string[]> {
  const own: (readonly [string, Value])[] = [];
  const notes: string[] = [];
  for (const record of records)
    if ((await store.holderOf(kind, record[0])) === 'user')
      notes.push(`${named} ${record[0]}: another user of this console has it`);
    else own.push(record);
  await store.records(kind).putAll(own);
  return notes;
}

async function putKept(opened: CompanyContext, kept: Kept): Promise<string[]> {
  const notes = [
    ...(await putRecords(
      opened,
      subscriptions,
      'subscription',
      kept.subscriptions.map((each) => [each.subscriptionId, each]),
    )),
    ...(await putRecords(
      opened,
      batches,
      'batch',
      kept.batches.map((each) => [each.batchId, each]),
    )),
    ...(await putRecords(
      opened,
      debtors,
      'debtor',
      kept.debtors.map((each) => [each.debtorId, each]),
    )),
    ...(await putRecords(
      opened,
      creditors,
      'creditor',
      kept.creditors.map((each) => [each.creditorId, each]),
    )),
  ];
  const one = (id: string) => (id === '' ? [] : ([[id, { id }]] as const));
  notes.push(
    ...(await putRecords(opened, accounts, 'account', one(kept.accountId))),
    ...(await putRecords(opened, datasets, 'data set', one(kept.dataSetId))),
  );
  const { subscriptionId, batchId, accountId, dataSetId, hasToken } = kept;
  const { companyId } = await storedSettingsOf(opened.store);
  const subscription = await opened.store.records(subscriptions).get(subscriptionId);
  const batch = await opened.store.records(batches).get(batchId);
  await opened.store.settings.writeAll({
    ...(subscription && { subscriptionId, providerId: subscription.providerId }),
    ...(batch && { batchId }),
    ...((await opened.store.records(accounts).get(accountId)) && { accountId }),
    ...((await opened.store.records(datasets).get(dataSetId)) && { dataSetId }),
    ...(hasToken && { accessTokenOf: companyId }),
  });
  return [...new Set([...notes, ...(await putPayments(opened, kept.payments))])];
}

/**
 * Makes the companies of a file those of the workspace, in place of all others, at new `companyKeys`: a sandbox that is
 * replaced no longer has what was made or paid there since. Returns what could not be stored.
 */
export function replaceCompanies(
  context: CompanyContext,
  { companies, current }: Pick<SituationFile, 'companies' | 'current'>,
  { companyKeys, contextIn }: { companyKeys: readonly string[]; contextIn: ContextIn },
): Promise<string[]> {
  const { companies: kept } = context.store;
  return kept.transaction(async () => {
    await endCompanies(context);
    const notes: string[] = [];
    for (const [index, { organisationId, companyId, companyName, signingKey, ...its }] of companies.entries()) {
      const companyKey = companyKeys[index]!; // one for each
      await kept.write(companyKey, { organisationId, companySigningKey: signingKey, companyId, companyName });
      notes.push(...(await putKept(await contextIn(companyKey), its)));
    }
    const chosen = companyKeys[current];
    if (chosen !== undefined) await kept.select(chosen);
    return notes;
  });
}
