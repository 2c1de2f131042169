import { alerts } from '#contract/alerts.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import { addExistingCompany, addCreatedCompany } from '#server/companies/addCompany.ts';
import { accounts, datasets } from '#server/companies/records.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { requireNewId } from '#server/companies/receivedIds.ts';
import { createLogins } from '#server/companies/userLogins.ts';
import type { Answer } from '#contract/shapes.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { remove } from '#server/companies/removal.ts';
import { restoreSigningKey } from '#server/companies/signingKey.ts';
import { companyOf, organisationOf } from '#server/companies/settings.ts';
import type { Handlers } from './handlers.ts';

/** The idempotency key that is completed once an organisation's signing key was shown. */
const maskedKey = (organisationId: string): string => `signing-key/${organisationId}`;

/** Returns the signing key that is stored for an organisation; '' for none. */
async function storedSigningKey({ scopes }: Store, organisationId: string): Promise<string> {
  const own = (await scopes.list()).find((each) => each.organisationId === organisationId);
  return (own && (await scopes.read(own.scope)).companySigningKey) ?? '';
}

const isShown = ({ idempotencyKeys, workspace }: Store, organisationId: string): Promise<boolean> =>
  idempotencyKeys.exists({ workspace, company: '' }, maskedKey(organisationId));

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

/**
 * Handlers for creating, selecting and removing organisations and companies; for the organisation's signing key and the
 * company's access token (wire, section 2.2); for the user's login, account and data set (wire, section 2.5).
 */
export function onboardingRoutes(deps: CompanyContext) {
  const { store, upstream } = deps;
  const logins = createLogins(deps);
  const wholeWorkspace = { workspace: store.workspace, company: '' };

  /** Throws `prerequisite-missing` if the workspace has no such organisation. */
  async function signingKeyOf(organisationId: string): Promise<string> {
    const companySigningKey = await storedSigningKey(store, organisationId);
    if (companySigningKey === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
    return companySigningKey;
  }

  return {
    async createOrganisation({ body, key, switchCompany }) {
      const { organisationId, primarySigningKey } = await upstream.createOrganisation(body, key);
      await requireNewId(deps, 'organisation', organisationId, key);
      // Stored at once: the service returns the key only once, and an organisation without its key is unusable.
      switchCompany(await addCreatedCompany(deps, { organisationId, companySigningKey: primarySigningKey }));
      // Without the key, because it is stored as the answer to a repeat; `discloseSigningKey` adds it.
      return { organisationId, primarySigningKey: secretIsSet };
    },
    async createCompany({ body, key, switchCompany }) {
      const organisation = await organisationOf(store);
      const { companyId } = await upstream.createCompany(organisation, body, key);
      await requireNewId(deps, 'company', companyId, key);
      const { organisationId, signingKey: companySigningKey } = organisation;
      switchCompany(
        await addCreatedCompany(deps, { organisationId, companySigningKey, companyId, companyName: body.name }),
      );
      return { companyId };
    },
    async getToken({ query }) {
      const company = await companyOf(store);
      const { jwt, expiresAt } = await upstream.token(company);
      const { companyId, organisationId } = company;
      await store.settings.write('accessTokenOf', companyId);
      const token = query.reveal === 'false' ? secretIsSet : jwt;
      return { data: { token, expiresAt: iso(expiresAt), companyId, organisationId } };
    },
    async useExisting({ body: { organisationId, companyId, signingKey }, switchCompany }) {
      // Nothing is stored until the service has accepted the key.
      await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
      const entered = { organisationId, companySigningKey: signingKey, ...(companyId && { companyId }) };
      switchCompany(await addExistingCompany(deps, entered));
      return { organisationId, companyId };
    },
    async revealSigningKey({ body: { organisationId } }) {
      const signingKey = await signingKeyOf(organisationId);
      if (await isShown(store, organisationId))
        throw new Failure(
          'forbidden',
          'The signing key of this organisation was revealed once already, and is not shown again: use the copy made then.',
        );
      return { signingKey };
    },
    async confirmSigningKey({ body: { organisationId } }) {
      await signingKeyOf(organisationId);
      const { idempotencyKeys } = store;
      const { state } = await idempotencyKeys.claim(wholeWorkspace, maskedKey(organisationId), organisationId);
      if (state === 'new' || state === 'inDoubt')
        await idempotencyKeys.complete(wholeWorkspace, maskedKey(organisationId), null);
      return { data: null };
    },
    async restoreSigningKey({ body: { organisationId } }) {
      const note = await restoreSigningKey(deps, organisationId);
      return { data: note === '' ? {} : { note } };
    },
    async removeRecord({ body: { kind, id }, switchCompany }) {
      switchCompany(await remove(deps, kind, id));
      return { removed: true as const };
    },
    startLogin: ({ origin }) => logins.start(origin()),
    storeUserToken: ({ body: { token, state } }) => logins.finish(token, state),
    getUserInfo: async () => ({ data: await upstream.userInfo(await logins.userJwt()) }),
    async createAccount({ body, key }) {
      const account = await upstream.createAccount(await logins.userJwt(), body, key);
      await requireNewId(deps, 'account', account.data.id, key);
      await store.records(accounts).insert(account.data.id, { id: account.data.id });
      await store.settings.write('accountId', account.data.id);
      return { data: account };
    },
    async createDataset({ body, key }) {
      const dataset = await upstream.createDataset(await logins.userJwt(), body, key);
      await requireNewId(deps, 'dataset', dataset.data.id, key);
      await store.records(datasets).insert(dataset.data.id, { id: dataset.data.id });
      await store.settings.write('dataSetId', dataset.data.id);
      return { data: dataset };
    },
  } satisfies Partial<Handlers>;
}
