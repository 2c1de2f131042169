import type { SettingKey } from '#contract/settings.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { isSameId } from './companyList.ts';
import type { CompanyContext } from './companyContext.ts';
import type { Scopes } from './companyList.ts';
import { invalidSetting } from './settings.ts';
import { noteWritten, writeForProgram } from './writtenSettings.ts';
import type { RecordKind } from '#server/storage/records.ts';

/** The organisations whose signing key was shown, by their ids; each key is shown once. */
export const shownSigningKeys: RecordKind<{ at: string }> = { kind: 'shownSigningKeys', isOfWorkspace: true };

type Here = Pick<CompanyContext, 'scope' | 'store' | 'upstream'>;

/** Throws `invalid-request` for the text that stands for a secret, and for one that cannot be sent in a header. */
export function requireSecret(key: SettingKey, value: string): void {
  if (value === secretIsSet) throw invalidSetting(key, `give the secret itself: ${secretIsSet} only stands for it`);
  if (!/^[!-~]*$/.test(value)) throw invalidSetting(key, 'give ASCII characters without spaces');
}

/** The organisation's signing key, and the one that it replaced; '' for none. */
async function keysOf({ scope, store: { scopes } }: Pick<Here, 'scope' | 'store'>, organisationId: string) {
  const own = (await scopes.list()).filter((each) => isSameId(each.organisationId, organisationId));
  const found = own.find((each) => each.scope === scope) ?? own[0];
  const { companySigningKey = '', previousSigningKey = '' } = found ? await scopes.read(found.scope) : {};
  return { current: companySigningKey, previous: previousSigningKey };
}

/** Stores the signing key of an organisation for all its companies, and keeps the one that it replaces. */
export async function replaceSigningKey(scopes: Scopes, organisationId: string, key: string): Promise<void> {
  for (const each of await scopes.list()) {
    if (!isSameId(each.organisationId, organisationId)) continue;
    const { companySigningKey = '' } = await scopes.read(each.scope);
    await scopes.write(each.scope, {
      companySigningKey: key,
      ...(companySigningKey !== '' && companySigningKey !== key && { previousSigningKey: companySigningKey }),
    });
  }
}

/** Whether the service issues a token for the key: yes, or why not. */
const keyRefusal = (upstream: Here['upstream'], organisationId: string, signingKey: string) =>
  upstream.freshToken({ organisationId, signingKey }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    },
  );

const stays = ({ problem }: Failure) => {
  const { code, detail, upstream, interactionId, retryAfter } = problem;
  return new Failure(code, `${detail} The signing key that is stored stays.`, {
    ...(upstream && { upstream }),
    ...(interactionId !== undefined && { interactionId }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
};

/**
 * Stores a signing key of an organisation after the service has issued a token for it. Returns '', or why the key is
 * stored although the service has not: there is no key that it would replace, or none that works. Otherwise rejects
 * with the reason, and the stored key stays.
 */
async function proveAndStore(here: Here, organisationId: string, key: string) {
  const { scope, upstream } = here;
  const { scopes } = here.store;
  const { current } = await keysOf(here, organisationId);
  if (key === current) return '';
  const refusal = key === '' ? undefined : await keyRefusal(upstream, organisationId, key);
  if (refusal?.problem.code === 'signing-key-rejected') throw current === '' ? refusal : stays(refusal);
  if (refusal && current !== '') {
    const isUseless = isRefusal(refusal) && (await keyRefusal(upstream, organisationId, current));
    if (!isUseless || !isRefusal(isUseless)) throw stays(refusal);
  }
  await scopes.transaction(async () => {
    await replaceSigningKey(scopes, organisationId, key);
    if (refusal) await noteWritten(scopes, scope, { companySigningKey: { value: key, before: current } });
  });
  return refusal ? `The key is stored, but not proved. ${refusal.problem.detail}` : '';
}

/**
 * Writes the signing key of the current organisation; '' removes it. Without an organisation the key is stored for the
 * one that is named later. Returns a note, or '' if the service has accepted the key.
 */
export async function writeSigningKey(here: Here, key: string): Promise<string> {
  requireSecret('companySigningKey', key);
  const { organisationId = '' } = await here.store.scopes.read(here.scope);
  if (organisationId !== '') return proveAndStore(here, organisationId, key);
  await writeForProgram(here.store, { companySigningKey: key });
  return key === '' ? '' : 'The key is stored, but not proved: no organisation is set whose key it could be.';
}

/** Puts back the signing key that was replaced, if the service accepts it; it can be exchanged back in turn. */
export async function restoreSigningKey(here: Here, organisationId: string): Promise<string> {
  const { previous } = await keysOf(here, organisationId);
  if (previous === '')
    throw new Failure('not-found', `No earlier signing key of the organisation ${organisationId} is stored here.`);
  return proveAndStore(here, organisationId, previous);
}
