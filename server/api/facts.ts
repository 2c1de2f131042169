import { listedInSettings, mostCounted, transferAmount } from '#contract/constants.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Stored } from '#server/companies/settings.ts';
import { quarantinedIn, settingsShown } from './settings.ts';
import { maximumAlternatives, subscriptionOverview } from '#server/companies/subscriptionOverview.ts';
import { batches, creditors, debtors, subscriptions } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { loginIn, userIn, userTokenExpiry } from '#server/companies/userLogins.ts';
import { pendingPayments } from '#server/payments/undecided.ts';
import { serviceOf } from '#server/upstream/config.ts';
import { madeOf } from './createdResources.ts';
import type { Handlers } from './handlers.ts';

/**
 * Returns the URL of the transfer page with the fixed amount (behaviour, section 9), in major units as the page's form
 * shows it.
 */
function transferRequest(page: string): string {
  const url = new URL(page);
  url.searchParams.set('amount', transferAmount.amount);
  url.searchParams.set('currency', transferAmount.currency);
  return url.href;
}

/** Returns these subscriptions with the current one as it is after it was read from the service, so that all agree. */
async function refreshed(store: Store, { subscriptionId }: Stored, latest: readonly SubscriptionRecord[]) {
  const current = subscriptionId === '' ? undefined : await store.records(subscriptions).get(subscriptionId);
  return latest.map((each) => (current && each.subscriptionId === subscriptionId ? current : each));
}

/** Maximum number of quarantined records in the facts; another call lists all of them. */
const maximumQuarantined = 20;

/** Returns the facts that only the database has. */
async function storedFacts(store: Store, stored: Stored) {
  const its = { subject: stored.subscriptionId };
  const [[debtor], [creditor]] = await Promise.all([
    store.records(debtors).latest(1, its),
    store.records(creditors).latest(1, its),
  ]);
  const counts = {
    debtors: await store.records(debtors).count(its, mostCounted),
    creditors: await store.records(creditors).count(its, mostCounted),
    batches: await store.records(batches).count({}, mostCounted),
  };
  const made = await madeOf(store, stored, { debtor, creditor });
  const setAside = await quarantinedIn(store);
  return {
    ...counts,
    made,
    setAside: { total: setAside.length, latest: setAside.slice(-maximumQuarantined) },
  };
}

/**
 * Handlers for the facts about the user's settings and resources (contract, facts). Facts that the service cannot
 * provide are listed as unread; the others are returned nevertheless.
 */
export const factsHandlers = {
  async getFacts(context: CompanyContext) {
    const { config, companyKey, settings: stored, store, clock } = context;
    const { environment, lab, providerUrl, transferUrl } = config.upstream;
    const { companyId } = stored;
    const latest = await store.records(subscriptions).latest(maximumAlternatives + 1); // the current one may be among them
    const standing = await subscriptionOverview(context, latest);
    const shown = await refreshed(store, stored, latest.slice(-listedInSettings));
    const latestBatches = await store.records(batches).latest(listedInSettings);
    const expiry = stored.userJwt === '' ? undefined : userTokenExpiry(stored.userJwt);
    const userToken = expiry !== undefined && expiry > clock.now();
    const { made, setAside, ...counts } = await storedFacts(store, stored);
    return {
      ...standing,
      settings: await settingsShown(context, { stored, subscriptions: shown, batches: latestBatches }),
      companyKey,
      companies: [...(await store.companies.list())],
      accessToken:
        !['organisation', 'signingKey', 'company'].includes(standing.lost) &&
        companyId !== '' &&
        stored.accessTokenOf === companyId,
      userToken,
      user: userToken ? userIn(stored.userJwt) : '',
      login: userToken ? loginIn(stored.userJwt) : null,
      ...counts,
      batchStatus: latestBatches.at(-1)?.status ?? '',
      pendingPayments: await pendingPayments(context),
      made,
      transferUrl: transferRequest(transferUrl),
      environment,
      service: serviceOf(config.upstream),
      ...(lab && { sandbox: { url: providerUrl, isApart: lab.isApart } }),
      setAside,
    };
  },
} satisfies Partial<Handlers>;
