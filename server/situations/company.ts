import type { SandboxMoment } from '#contract/sandboxMoment.ts';
import { keptSettings, type SituationFile } from '#contract/situation.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import type { Settings } from '#contract/settings.ts';
import { addExistingCompany } from '#server/companies/addCompany.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { isSameId } from '#server/companies/companyList.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { paymentsIn, putPayments } from './payments.ts';

type SavedCompany = SituationFile['company'];

/** Returns what a file keeps of the current company; `view`: its settings as the page sees them, with whole lists. */
export async function savedCompanyOf(context: CompanyContext, view: Readonly<Settings>): Promise<SavedCompany> {
  const { store } = context;
  const { organisationId, companyId, companySigningKey: signingKey } = await storedSettingsOf(store);
  return {
    ...{ organisationId, companyId, signingKey },
    settings: Object.fromEntries(keptSettings.map((key) => [key, view[key]])) as SavedCompany['settings'], // of these keys
    debtors: await store.records(debtors).list(),
    creditors: await store.records(creditors).list(),
    payments: await paymentsIn(context),
  };
}

const wrong = (path: string, message: string) =>
  new Failure('invalid-request', `The file cannot be opened: ${path} is wrong. ${message}`, {
    errors: [{ path, message }],
  });

/** Throws a Failure unless the sandbox of the file has its organisation, with this key, and its company. */
export function requireCompany(
  { tables: { resources } }: SandboxMoment,
  { organisationId, companyId, signingKey }: SavedCompany,
): void {
  const recordOf = (kind: string, id: string) => {
    const { value = '' } = resources.find((each) => each.kind === kind && each.id === id) ?? {};
    const record = jsonIn(value);
    return isObject(record) ? record : undefined;
  };
  if (organisationId === '') return;
  const organisation = recordOf('organisation', organisationId);
  if (!organisation)
    throw wrong('company.organisationId', `give an organisation of the file’s sandbox: it has no ${organisationId}`);
  if (organisation['primarySigningKey'] !== signingKey)
    throw wrong(
      'company.signingKey',
      'give the placeholder of the key that the file’s sandbox has for the organisation',
    );
  if (companyId !== '' && recordOf('company', companyId)?.['organisationId'] !== organisationId)
    throw wrong(
      'company.companyId',
      `give a company of the organisation in the file’s sandbox: it has no ${companyId}`,
    );
}

/** The ids of what a sandbox has, which the next one may issue again. */
const idsIn = ({ tables: { resources } }: SandboxMoment): string[] => resources.map(({ id }) => id);

/** Stores the parties of a file, unless another user of the console has some under the same id. Returns what was not stored. */
async function putParties<Party>(
  { store }: CompanyContext,
  kind: RecordKind<Party>,
  named: string,
  parties: readonly (readonly [id: string, Party])[],
) {
  const own: (readonly [string, Party])[] = [];
  const notes: string[] = [];
  for (const party of parties)
    if ((await store.holderOf(kind, party[0])) === 'user')
      notes.push(`${named} ${party[0]}: another user of this console has it`);
    else own.push(party);
  await store.records(kind).putAll(own);
  return notes;
}

/**
 * Makes the company of a file the current one, with its payments, in place of what is stored of it, at a new `scope`: a sandbox that is
 * replaced no longer has what was paid there since. Returns what could not be stored. The caller has
 * obtained a token for the company, and `before` is what its sandbox had.
 */
export function replaceCompany(
  context: CompanyContext,
  { organisationId, companyId, signingKey, ...saved }: SavedCompany,
  {
    scope,
    before,
    contextIn,
  }: { scope: string; before: SandboxMoment; contextIn: (scope: string) => Promise<CompanyContext> },
): Promise<string[]> {
  const { store } = context;
  const { scopes, paidInvoices, receivedIds, workspace } = store;
  return store.transaction(async () => {
    for (const each of await scopes.list()) {
      if (!isSameId(each.organisationId, organisationId) || !isSameId(each.companyId, companyId)) continue;
      await paidInvoices.forget({ workspace, companyKey: each.scope });
      await scopes.remove(each.scope);
    }
    await receivedIds.forget(idsIn(before));
    const entered = { organisationId, companySigningKey: signingKey, ...(companyId && { companyId }) };
    // The idempotency keys of the scope before are not those of this moment.
    await addExistingCompany({ scope, store }, entered);
    const opened = await contextIn(scope);
    const notes = [
      ...(await putParties(
        opened,
        debtors,
        'debtor',
        saved.debtors.map((each) => [each.debtorId, each]),
      )),
      ...(await putParties(
        opened,
        creditors,
        'creditor',
        saved.creditors.map((each) => [each.creditorId, each]),
      )),
    ];
    await putPayments(opened, saved.payments);
    return notes;
  });
}
