import { alerts } from '#contract/alerts.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import { addExistingCompany, addCreatedCompany } from '#server/companies/addCompany.ts';
import { accounts, datasets } from '#server/companies/records.ts';
import { Failure } from '#server/failure.ts';
import { finishLogin, issuedIn, startLogin, userJwtOf } from '#server/companies/userLogins.ts';
import { currentCall } from '#server/calls/callContext.ts';
import type { Write } from '#server/writes/journal.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { remove } from '#server/companies/removal.ts';
import { restoreSigningKey, shownSigningKeys } from '#server/companies/signingKey.ts';
import { companyIn, organisationIn } from '#server/companies/settings.ts';
import type { Handlers, Input, Tell } from './handlers.ts';

/** Returns the signing key that is stored for an organisation; '' for none. */
async function storedSigningKey({ companies }: Store, organisationId: string): Promise<string> {
  const own = (await companies.list()).find((each) => each.organisationId === organisationId);
  return (own && (await companies.read(own.companyKey)).companySigningKey) ?? '';
}

const isShown = async (store: Store, organisationId: string): Promise<boolean> =>
  (await store.records(shownSigningKeys).get(organisationId)) !== undefined;

/** Returns an organisation's signing key. Throws `prerequisite-missing` if the workspace has no such organisation. */
async function signingKeyOf(store: Store, organisationId: string): Promise<string> {
  const companySigningKey = await storedSigningKey(store, organisationId);
  if (companySigningKey === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
  return companySigningKey;
}

/** Creates an organisation, and makes it the current one. */
const createOrganisation: Write<
  'createOrganisation',
  Input<'createOrganisation'>,
  { organisationId: string; primarySigningKey: string }
> = {
  send: ({ upstream }, { body, key }) => upstream.createOrganisation(body, key),
  async keep(context, { switchCompany }, { organisationId, primarySigningKey }) {
    // The service returns the key only once, and an organisation without its key is unusable.
    switchCompany(await addCreatedCompany(context.store, { organisationId, companySigningKey: primarySigningKey }));
    // Without the key, because it is stored as the answer to a repeat; see `withSigningKey`.
    return { organisationId, primarySigningKey: secretIsSet };
  },
};

/** Adds the signing key to the answer of an organisation, also of a repeat, until the key was shown. */
export const withSigningKey: Tell<'createOrganisation'> = async ({ store }, { query }, answer) => {
  const { organisationId } = answer;
  if (query.reveal === 'false' || (await isShown(store, organisationId))) return answer;
  const primarySigningKey = await storedSigningKey(store, organisationId);
  return primarySigningKey === '' ? answer : { ...answer, primarySigningKey };
};

/** Creates a company of the current organisation, and makes it the current one. */
const createCompany: Write<'createCompany', Input<'createCompany'>, { companyId: string }> = {
  send: ({ settings, upstream }, { body, key }) => upstream.createCompany(organisationIn(settings), body, key),
  async keep({ settings, store }, { body, switchCompany }, { companyId }) {
    const { organisationId, signingKey } = organisationIn(settings);
    const created = { organisationId, companySigningKey: signingKey, companyId, companyName: body.name };
    switchCompany(await addCreatedCompany(store, created));
    return { companyId };
  },
};

type Created = { data: { id: string } };

/** Creates an account of the user, and makes it the one in use. */
const createAccount: Write<'createAccount', Input<'createAccount'>, Created> = {
  send: async (context, { body, key }) => context.upstream.createAccount(await userJwtOf(context), body, key),
  async keep({ store }, _input, data) {
    await store.records(accounts).insert(data.data.id, { id: data.data.id });
    await store.settings.write('accountId', data.data.id);
    return { data };
  },
};

/** Creates a data set of the user, and makes it the one in use. */
const createDataset: Write<'createDataset', Input<'createDataset'>, Created> = {
  send: async (context, { body, key }) => context.upstream.createDataset(await userJwtOf(context), body, key),
  async keep({ store }, _input, data) {
    await store.records(datasets).insert(data.data.id, { id: data.data.id });
    await store.settings.write('dataSetId', data.data.id);
    return { data };
  },
};

/**
 * Handlers for creating, selecting and removing organisations and companies; for the organisation's signing key and the
 * company's access token (wire, section 2.2); for the user's login, account and data set (wire, section 2.5).
 */
export const onboardingHandlers = {
  createOrganisation,
  createCompany,
  createAccount,
  createDataset,
  async getToken(context, { query }) {
    const { settings, store, upstream } = context;
    const company = companyIn(settings);
    const { jwt, expiresAt } = await upstream.token(company);
    const { companyId, organisationId } = company;
    const exchange = currentCall()?.write;
    await store.settings.writeAll({
      accessTokenOf: companyId,
      ...(exchange && { accessTokenBy: JSON.stringify(exchange) }),
    });
    const token = query.reveal === 'false' ? secretIsSet : jwt;
    return { data: { token, issuedAt: issuedIn(jwt), expiresAt: iso(expiresAt), companyId, organisationId } };
  },
  async useExisting(context, { body: { organisationId, companyId, signingKey }, switchCompany }) {
    const { upstream } = context;
    // Nothing is stored until the service has accepted the key.
    await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
    const entered = { organisationId, companySigningKey: signingKey, ...(companyId && { companyId }) };
    switchCompany(await addExistingCompany(context.store, entered));
    return { organisationId, companyId };
  },
  async revealSigningKey(context, { body: { organisationId } }) {
    const { store } = context;
    const signingKey = await signingKeyOf(store, organisationId);
    if (await isShown(store, organisationId))
      throw new Failure(
        'forbidden',
        'The signing key of this organisation was revealed once already, and is not shown again: use the copy made then.',
      );
    return { signingKey };
  },
  async confirmSigningKey({ store, clock }, { body: { organisationId } }) {
    await signingKeyOf(store, organisationId);
    await store.records(shownSigningKeys).insert(organisationId, { at: iso(clock.now()) });
    return { data: null };
  },
  async restoreSigningKey(context, { body: { organisationId } }) {
    const note = await restoreSigningKey(context, organisationId);
    return { data: note === '' ? {} : { note } };
  },
  async removeRecord(context, { body: { kind, id }, switchCompany }) {
    switchCompany(await remove(context, kind, id));
    return { removed: true as const };
  },
  startLogin: (context, { origin }) => startLogin(context, origin()),
  storeUserToken: (context, { body: { token, state } }) => finishLogin(context, token, state),
  getUserInfo: async (context) => ({ data: await context.upstream.userInfo(await userJwtOf(context)) }),
} satisfies Partial<Handlers>;
