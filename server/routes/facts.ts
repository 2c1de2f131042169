import { transferAmount } from '#contract/constants.ts';
import type { Deps } from '#server/deps.ts';
import { settingsFor, storedSettingsOf } from '#server/settings.ts';
import { standingOf } from '#server/standing.ts';
import { madeOf } from '#server/record/made.ts';
import { isFresh } from '#server/userToken.ts';
import { serviceOf } from '#server/upstream/config.ts';
import type { Handlers } from './route.ts';

/**
 * The URL of the transfer page with the fixed amount (behaviour, section 9), in major units as the page's form shows
 * it.
 */
function transferRequest(page: string): string {
  const url = new URL(page);
  url.searchParams.set('amount', transferAmount.amount);
  url.searchParams.set('currency', transferAmount.currency);
  return url.href;
}

/** Maximum number of set-aside records in the facts; a call of its own lists all of them. */
const mostSetAside = 20;

/**
 * Returns the facts about the user's settings and resources (contract, facts). Facts that the service cannot provide
 * are listed there as unread; the others are returned nevertheless.
 */
export function factsRoutes(deps: Deps) {
  const { config, scope, store, clock } = deps;

  return {
    async getFacts() {
      const stored = await storedSettingsOf(store);
      const { subscriptionId, companyId } = stored;
      const [debtors, creditors] = await Promise.all([store.debtors.list(), store.creditors.list()]);
      const [standing, batches] = await Promise.all([
        standingOf(deps, stored, { debtors, creditors }),
        store.batches.list(),
      ]);
      const ofSubscription = (party: { subscriptionId: string }) => party.subscriptionId === subscriptionId;
      const [ownDebtors, ownCreditors] = [debtors.filter(ofSubscription), creditors.filter(ofSubscription)];
      const made = await madeOf(store, stored, {
        debtor: ownDebtors.at(-1),
        creditor: ownCreditors.at(-1),
      });
      const setAside = store.setAside();
      return {
        ...standing,
        // Read after the subscription was refreshed, so that both agree.
        settings: await settingsFor(deps),
        scope,
        companies: await store.scopes.list(),
        accessToken:
          !['organisation', 'company'].includes(standing.lost) &&
          companyId !== '' &&
          stored.accessTokenOf === companyId,
        userToken: stored.userJwt !== '' && isFresh(stored.userJwt, clock.now()),
        debtors: ownDebtors.length,
        creditors: ownCreditors.length,
        batches: batches.length,
        batchStatus: batches.at(-1)?.status ?? '',
        made,
        transferUrl: transferRequest(config.upstream.transferUrl),
        environment: config.upstream.environment,
        service: serviceOf(config.upstream),
        setAside: { total: setAside.length, latest: setAside.slice(-mostSetAside) },
      };
    },
  } satisfies Partial<Handlers>;
}
