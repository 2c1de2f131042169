import { alerts } from '#contract/alerts.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import { addExistingCompany, addCreatedCompany } from '#server/companies/addCompany.ts';
import { accounts, datasets } from '#server/companies/records.ts';
import { Failure } from '#server/failure.ts';
import { requireNewId } from '#server/companies/receivedIds.ts';
import { finishLogin, startLogin, userJwtOf } from '#server/companies/userLogins.ts';
import type { Answer } from '#contract/shapes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { remove } from '#server/companies/removal.ts';
import { restoreSigningKey } from '#server/companies/signingKey.ts';
import { companyOf, organisationOf, storedSettingsOf } from '#server/companies/settings.ts';
import type { Handlers } from './handlers.ts';

/** Returns the idempotency key that is completed once an organisation's signing key was shown. */
const shownKeyOf = (organisationId: string): string => `signing-key/${organisationId}`;

/** Returns the signing key that is stored for an organisation; '' for none. */
async function storedSigningKey({ scopes }: Store, organisationId: string): Promise<string> {
  const own = (await scopes.list()).find((each) => each.organisationId === organisationId);
  return (own && (await scopes.read(own.scope)).companySigningKey) ?? '';
}

const isShown = ({ idempotencyKeys, workspace }: Store, organisationId: string): Promise<boolean> =>
  idempotencyKeys.exists({ workspace, companyKey: '' }, shownKeyOf(organisationId));

/** Adds the signing key to the answer that creates an organisation, and to its repeats until the key was shown. */
export async function discloseSigningKey(
  store: Store,
  answer: Answer<'createOrganisation'>,
): Promise<Answer<'createOrganisation'>> {
  const { organisationId } = answer;
  if (await isShown(store, organisationId)) return answer;
  const primarySigningKey = await storedSigningKey(store, organisationId);
  return primarySigningKey === '' ? answer : { ...answer, primarySigningKey };
}

/** Returns an organisation's signing key. Throws `prerequisite-missing` if the workspace has no such organisation. */
async function signingKeyOf(store: Store, organisationId: string): Promise<string> {
  const companySigningKey = await storedSigningKey(store, organisationId);
  if (companySigningKey === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
  return companySigningKey;
}

/** Where the company has its accounts and data sets at the service, and the setting that says which is in use. */
const createdOf = {
  account: { kind: accounts, setting: 'accountId' },
  dataset: { kind: datasets, setting: 'dataSetId' },
} as const;

/** Stores the id of what the service has just created, as the one in use. */
async function selectCreated(context: CompanyContext, created: keyof typeof createdOf, id: string, key: string) {
  await requireNewId(context, created, id, key);
  const { kind, setting } = createdOf[created];
  await context.store.records(kind).insert(id, { id });
  await context.store.settings.write(setting, id);
}

/**
 * Throws `exists-already` if another organisation, company, account or data set is in use than the caller knows; one who
 * does not say what he knows is not asked.
 */
async function requireKnown(
  { store }: CompanyContext,
  setting: 'organisationId' | 'companyId' | 'accountId' | 'dataSetId',
  { beside }: { beside?: string | undefined },
): Promise<void> {
  const inUse = (await storedSettingsOf(store))[setting];
  if (beside !== undefined && beside !== inUse && inUse !== '')
    throw new Failure('exists-already', `${inUse} was created meanwhile and is in use. Nothing was sent.`);
}

/**
 * Handlers for creating, selecting and removing organisations and companies; for the organisation's signing key and the
 * company's access token (wire, section 2.2); for the user's login, account and data set (wire, section 2.5).
 */
export const onboardingHandlers = {
  async createOrganisation(context, { body, key, query, switchCompany }) {
    await requireKnown(context, 'organisationId', query);
    const { upstream } = context;
    const { organisationId, primarySigningKey } = await upstream.createOrganisation(body, key);
    await requireNewId(context, 'organisation', organisationId, key);
    // Stored at once: the service returns the key only once, and an organisation without its key is unusable.
    switchCompany(await addCreatedCompany(context, { organisationId, companySigningKey: primarySigningKey }));
    // Without the key, because it is stored as the answer to a repeat; `discloseSigningKey` adds it.
    return { organisationId, primarySigningKey: secretIsSet };
  },
  async createCompany(context, { body, key, query, switchCompany }) {
    await requireKnown(context, 'companyId', query);
    const { store, upstream } = context;
    const organisation = await organisationOf(store);
    const { companyId } = await upstream.createCompany(organisation, body, key);
    await requireNewId(context, 'company', companyId, key);
    const { organisationId, signingKey: companySigningKey } = organisation;
    switchCompany(
      await addCreatedCompany(context, { organisationId, companySigningKey, companyId, companyName: body.name }),
    );
    return { companyId };
  },
  async getToken(context, { query }) {
    const { store, upstream } = context;
    const company = await companyOf(store);
    const { jwt, expiresAt } = await upstream.token(company);
    const { companyId, organisationId } = company;
    await store.settings.write('accessTokenOf', companyId);
    const token = query.reveal === 'false' ? secretIsSet : jwt;
    return { data: { token, expiresAt: iso(expiresAt), companyId, organisationId } };
  },
  async useExisting(context, { body: { organisationId, companyId, signingKey }, switchCompany }) {
    const { upstream } = context;
    // Nothing is stored until the service has accepted the key.
    await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
    const entered = { organisationId, companySigningKey: signingKey, ...(companyId && { companyId }) };
    switchCompany(await addExistingCompany(context, entered));
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
  async confirmSigningKey(context, { body: { organisationId } }) {
    const { store } = context;
    await signingKeyOf(store, organisationId);
    const { idempotencyKeys, workspace } = store;
    const at = { workspace, companyKey: '' };
    const { state } = await idempotencyKeys.claim(at, shownKeyOf(organisationId), organisationId);
    if (state === 'new' || state === 'inDoubt') await idempotencyKeys.complete(at, shownKeyOf(organisationId), null);
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
  async createAccount(context, { body, key, query }) {
    await requireKnown(context, 'accountId', query);
    const data = await context.upstream.createAccount(await userJwtOf(context), body, key);
    await selectCreated(context, 'account', data.data.id, key);
    return { data };
  },
  async createDataset(context, { body, key, query }) {
    await requireKnown(context, 'dataSetId', query);
    const data = await context.upstream.createDataset(await userJwtOf(context), body, key);
    await selectCreated(context, 'dataset', data.data.id, key);
    return { data };
  },
} satisfies Partial<Handlers>;
