import { transferAmount } from '#contract/constants.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { quarantinedIn, settingsView } from './settings.ts';
import { subscriptionOverview } from '#server/companies/subscriptionOverview.ts';
import { batches, creditors, debtors } from '#server/companies/records.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { provenanceOf } from '#server/companies/provenance.ts';
import { userIn, userTokenExpiry } from '#server/companies/userToken.ts';
import { pendingPayments } from '#server/payments/pendingPayments.ts';
import { serviceOf } from '#server/upstream/config.ts';
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

/** Maximum number of quarantined records in the facts; another call lists all of them. */
const maximumQuarantined = 20;

/** Returns the facts that only the database has. */
async function storedFacts(store: Store) {
  const stored = await storedSettingsOf(store);
  const its = { subject: stored.subscriptionId };
  const [[debtor], [creditor], [batch]] = await Promise.all([
    store.records(debtors).latest(1, its),
    store.records(creditors).latest(1, its),
    store.records(batches).latest(1),
  ]);
  const counts = {
    debtors: await store.records(debtors).count(its),
    creditors: await store.records(creditors).count(its),
    batches: await store.records(batches).count(),
  };
  const made = await provenanceOf(store, stored, { debtor, creditor });
  const setAside = await quarantinedIn(store);
  return {
    ...counts,
    batchStatus: batch?.status ?? '',
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
    const { config, scope, store, clock } = context;
    const { environment, lab, providerUrl, transferUrl } = config.upstream;
    const stored = await storedSettingsOf(store);
    const { companyId } = stored;
    const standing = await subscriptionOverview(context, stored);
    const expiry = stored.userJwt === '' ? undefined : userTokenExpiry(stored.userJwt);
    const userToken = expiry !== undefined && expiry > clock.now();
    const { made, setAside, ...counts } = await storedFacts(store);
    return {
      ...standing,
      // Read after the subscription was refreshed, so that both agree.
      settings: await settingsView(context),
      scope,
      companies: [...(await store.scopes.list())],
      accessToken:
        !['organisation', 'signingKey', 'company'].includes(standing.lost) &&
        companyId !== '' &&
        stored.accessTokenOf === companyId,
      userToken,
      user: userToken ? userIn(stored.userJwt) : '',
      ...counts,
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
