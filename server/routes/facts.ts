import { transferAmount } from '#contract/constants.ts';
import type { Deps } from '#server/deps.ts';
import { settingsFor, storedSettingsOf } from '#server/workspace/settings.ts';
import { standingOf } from '#server/workspace/standing.ts';
import { latest } from '#server/store/records.ts';
import type { Store } from '#server/store/store.ts';
import { madeOf } from '#server/record/made.ts';
import { userTokenExpiry } from '#server/workspace/userToken.ts';
import { serviceOf } from '#server/upstream/config.ts';
import type { Handlers, Input } from './route.ts';

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

/** Maximum number of set-aside records in the facts; another call lists all of them. */
const mostSetAside = 20;

/** Returns the facts that only the store has. Decrypts only the latest records; the store counts the others. */
async function keptFacts(store: Store) {
  const stored = await storedSettingsOf(store);
  const { subscriptionId } = stored;
  const [[debtor], [creditor], [batch]] = await Promise.all([
    latest(store.debtors.newest(subscriptionId), 1),
    latest(store.creditors.newest(subscriptionId), 1),
    latest(store.batches.newest(), 1),
  ]);
  const counts = {
    debtors: await store.debtors.count(subscriptionId),
    creditors: await store.creditors.count(subscriptionId),
    batches: await store.batches.count(),
  };
  const made = await madeOf(store, stored, { debtor, creditor });
  const setAside = await store.setAside();
  return {
    ...counts,
    batchStatus: batch?.status ?? '',
    made,
    setAside: { total: setAside.length, latest: setAside.slice(-mostSetAside) },
  };
}

/**
 * Handlers for the facts about the user's settings and resources (contract, facts). Facts that the service cannot
 * provide are listed as unread; the others are returned nevertheless.
 */
export function factsRoutes(deps: Deps) {
  const { config, scope, store, clock } = deps;
  const { environment, lab, providerUrl } = config.upstream;
  const sandbox = lab && { url: providerUrl, isApart: lab.isApart };
  const [transferUrl, service] = [transferRequest(config.upstream.transferUrl), serviceOf(config.upstream)];

  return {
    async getFacts({ service: asking }: Pick<Input<'getFacts'>, 'service'>) {
      const stored = await storedSettingsOf(store);
      const { companyId } = stored;
      const standing = await standingOf({ ...deps, upstream: asking() }, stored);
      const expiry = stored.userJwt === '' ? undefined : userTokenExpiry(stored.userJwt);
      const userToken = expiry !== undefined && expiry > clock.now();
      const { made, setAside, ...counts } = await store.scopes.memo('facts', () => keptFacts(store));
      return {
        ...standing,
        // Read after the subscription was refreshed, so that both agree.
        settings: await settingsFor(deps),
        scope,
        companies: [...(await store.scopes.list())],
        accessToken:
          !['organisation', 'company'].includes(standing.lost) &&
          companyId !== '' &&
          stored.accessTokenOf === companyId,
        userToken,
        ...counts,
        made,
        transferUrl,
        environment,
        service,
        ...(sandbox && { sandbox }),
        setAside,
      };
    },
  } satisfies Partial<Handlers>;
}
