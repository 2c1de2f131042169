import { z } from 'zod';
import type { SettingKey } from '#contract/settings.ts';
import type { Deps } from '../deps.ts';
import { Failure, isRefusal } from '../failure.ts';
import { storedSettingsOf } from './settings.ts';
import type { Scope } from '../store/scopes.ts';

/** The failure for a refused value; `message` says which values are allowed. */
export const wrong = (key: SettingKey, message: string) =>
  new Failure('invalid-request', `The setting ${key} cannot have this value: ${message}.`, {
    errors: [{ path: 'value', message }],
  });

/** Settings that cannot be written, each with a sentence that says what to do instead. */
export const kept: Partial<Record<SettingKey, string>> = {
  companySigningKey:
    'The signing key comes with its organisation: create one, or enter an existing one with its key (POST /api/existing).',
  userJwt:
    "A user token comes of a login at the identity provider (Get User Token); give '' to forget the one that is stored.",
  providerUrl: 'The provider URL follows from the configuration that the console is started with.',
};

type Here = Pick<Deps, 'scope' | 'store' | 'upstream'>;

/**
 * Makes a company current and returns its scope. For an organisation, keeps the current company if it belongs to the
 * organisation, otherwise selects the latest one.
 */
async function go({ scope, store: { scopes } }: Here, key: 'organisationId' | 'companyId', id: string) {
  const found = (await scopes.list()).filter((each: Scope) => id !== '' && each[key] === id);
  const to = found.find((each) => each.scope === scope) ?? found.at(-1);
  if (!to) throw wrong(key, 'give the id of one that is kept here; to take up another, enter it with its signing key');
  await scopes.select(to.scope);
  return to.scope;
}

/** Selects an account or data set that was created here; the previous one can be selected again. */
async function takeCreated({ store }: Here, key: 'accountId' | 'dataSetId', id: string): Promise<void> {
  const records = key === 'accountId' ? store.accounts : store.datasets;
  const { [key]: current } = await storedSettingsOf(store);
  if (id !== '' && id !== current && !(await records.get(id)))
    throw wrong(key, "give '' or the id of one that was created here for this company");
  if (current !== '') await records.add(current, { id: current });
  await store.settings.write(key, id);
}

/** Selects a subscription that is stored here, or that belongs to the company according to the service. */
async function takeSubscription({ store, upstream }: Here, id: string): Promise<void> {
  if (id !== '' && !(await store.subscriptions.get(id))) {
    const { organisationId, companyId, companySigningKey: signingKey, useMock } = await storedSettingsOf(store);
    const refused = wrong('subscriptionId', "give '' or the id of a subscription of this company");
    if (companyId === '') throw refused;
    const { data } = await upstream
      .subscription({ organisationId, companyId, signingKey }, id)
      .catch((error: unknown) => {
        throw isRefusal(error) ? refused : error;
      });
    if (data.subscriptionId !== id) throw refused;
    const { providerId, status, suspendedByConsumer: suspended = false } = data;
    await store.subscriptions.add(id, { subscriptionId: id, providerId, status, suspended, useMock });
  }
  await store.settings.write('subscriptionId', id);
}

async function takeBatch({ store }: Here, id: string): Promise<void> {
  if (id !== '' && !(await store.batches.get(id)))
    throw wrong('batchId', "give '' or the id of a batch that was posted from here for this company");
  await store.settings.write('batchId', id);
}

/**
 * For a list whose records are stored one by one: accepts records that exist and changes nothing. Throws
 * `invalid-request` for others.
 */
async function confirm(
  key: 'subscriptions' | 'postedBatches',
  value: string,
  known: (id: string) => Promise<unknown>,
): Promise<void> {
  const id = key === 'subscriptions' ? 'subscriptionId' : 'batchId';
  const list = z.array(z.looseObject({ [id]: z.string() })).safeParse(parsed(value));
  const found = await Promise.all((list.data ?? []).map((record) => known(String(record[id]))));
  if (!list.success || found.includes(undefined))
    throw wrong(
      key,
      'give a JSON list of records that are kept here; they are added by creating and removed by POST /api/remove',
    );
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Whether a setting selects a resource that must exist, here or at the service. */
export const isMove = (key: SettingKey): key is Move => moves.includes(key as Move); // any key may be passed
const moves = ['organisationId', 'companyId', 'accountId', 'dataSetId', 'subscriptionId', 'batchId', 'subscriptions', 'postedBatches'] as const; // prettier-ignore
type Move = (typeof moves)[number];

/**
 * Selects the resource named by `value`, and returns the scope for the caller's next calls. Throws `invalid-request` if
 * there is no such resource.
 */
export async function move(here: Here, key: Move, value: string): Promise<string> {
  const { store, scope } = here;
  switch (key) {
    case 'organisationId':
    case 'companyId':
      return go(here, key, value);
    case 'accountId':
    case 'dataSetId':
      await takeCreated(here, key, value);
      return scope;
    case 'subscriptionId':
      await takeSubscription(here, value);
      return scope;
    case 'batchId':
      await takeBatch(here, value);
      return scope;
    case 'subscriptions':
      await confirm(key, value, (id) => store.subscriptions.get(id));
      return scope;
    case 'postedBatches':
      await confirm(key, value, (id) => store.batches.get(id));
      return scope;
  }
}
