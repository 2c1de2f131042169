import type { CompanyContext } from './companyContext.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { isOwnerRefusal, isUnknownUpstream } from './missingUpstream.ts';
import { refreshSubscription } from './refresh.ts';
import { batches, creditors, debtors, subscriptionAnswers, subscriptions } from './records.ts';
import { companyIn, storedSettingsOf } from './settings.ts';
import type { ListedCompany } from './companyList.ts';
import type { Company, Organisation } from '#server/upstream/tokens.ts';
import { evidenceRecords, forgetEvidence } from '#server/timeline/evidence.ts';

const nothingStored = (what: string, id: string) => new Failure('not-found', `No ${what} ${id} is kept here.`);
const stillKnown = (what: string, id: string) =>
  new Failure('forbidden', `The payments service still knows the ${what} ${id}, so it is not removed.`);

/** Whether a request shows that the service no longer knows the resource. Rejects if the request fails otherwise. */
const isGone = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => false,
    (error: unknown) => {
      if (isUnknownUpstream(error) || (isRefusal(error) && error.problem.code === 'not-found')) return true;
      throw error;
    },
  );

/**
 * Whether the service no longer knows an owner. A sandbox that was replaced may have given the organisation another key,
 * which nobody has; a live service may have one that the user has. Rejects as isGone.
 */
const isOwnerGone = ({ upstream, config }: CompanyContext, owner: Organisation | Company): Promise<boolean> =>
  isGone(upstream.freshToken(owner)).catch((error: unknown) => {
    if (config.upstream.environment === 'sandbox' && isOwnerRefusal(error)) return true;
    throw error;
  });

/** Removes a subscription that the service no longer knows, with its debtors and creditors. */
async function removeSubscription(here: CompanyContext, id: string): Promise<void> {
  const { store } = here;
  const isCurrent = (await storedSettingsOf(store)).subscriptionId === id;
  // One that was only written into the settings has no record.
  if (!isCurrent && !(await store.records(subscriptions).get(id))) throw nothingStored('subscription', id);
  if (!(await isGone(refreshSubscription(here, id)))) throw stillKnown('subscription', id);
  const debtorIds = (await store.records(debtors).list({ subject: id })).map(({ debtorId }) => debtorId);
  const creditorIds = (await store.records(creditors).list({ subject: id })).map(({ creditorId }) => creditorId);
  await store.records(debtors).removeAll(debtorIds);
  await store.records(creditors).removeAll(creditorIds);
  if (isCurrent) await store.settings.write('subscriptionId', '');
  await store.records(subscriptionAnswers).remove(id);
  await store.records(subscriptions).remove(id);
  await forgetEvidence(store.records(evidenceRecords), [id, ...debtorIds, ...creditorIds]);
}

async function removeBatch({ settings, store, upstream }: CompanyContext, id: string): Promise<void> {
  if (!(await store.records(batches).get(id))) throw nothingStored('batch', id);
  if (!(await isGone(upstream.batch(companyIn(settings), id)))) throw stillKnown('batch', id);
  if ((await storedSettingsOf(store)).batchId === id) await store.settings.write('batchId', '');
  await store.records(batches).remove(id);
  await forgetEvidence(store.records(evidenceRecords), [id]);
}

/**
 * Removes the companies with this id, or of this organisation, with all their records. Keeps an organisation that the
 * service still knows.
 */
async function removeCompanies(here: CompanyContext, what: 'organisation' | 'company', id: string): Promise<void> {
  const { companies } = here.store;
  const isIts = (each: ListedCompany) => (what === 'company' ? each.companyId : each.organisationId) === id;
  const [first] = (await companies.list()).filter(isIts);
  if (!first) throw nothingStored(what, id);
  const { organisationId } = first;
  const { companySigningKey: signingKey = '' } = await companies.read(first.companyKey);
  const isAllGone = await isOwnerGone(here, { organisationId, signingKey });
  if (!isAllGone) {
    if (what === 'organisation') throw stillKnown(what, id);
    if (!(await isOwnerGone(here, { organisationId, signingKey, companyId: id }))) throw stillKnown(what, id);
  }
  await companies.transaction(async () => {
    const all = await companies.list();
    const isLast = all.every((each) => isIts(each) || each.organisationId !== organisationId);
    if (!isAllGone && isLast) await companies.write(companies.make(), { organisationId });
    for (const { companyKey } of all.filter(isIts)) await companies.remove(companyKey);
  });
}

/**
 * Removes the records of a resource that the service no longer knows. Returns the key of the company for the caller's next calls.
 * Rejects with `not-found` if no records are stored, with `forbidden` if the service still knows the resource, and with
 * the service's failure if the request fails.
 */
export async function remove(
  here: CompanyContext,
  kind: 'subscription' | 'batch' | 'company' | 'organisation',
  id: string,
) {
  if (kind === 'subscription') await removeSubscription(here, id);
  else if (kind === 'batch') await removeBatch(here, id);
  else await removeCompanies(here, kind, id);
  const { companies } = here.store;
  return (await companies.has(here.companyKey)) ? here.companyKey : companies.current();
}
