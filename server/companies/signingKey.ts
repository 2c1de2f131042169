import type { SettingKey } from '#contract/settings.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { isSameId } from './comparableText.ts';
import type { CompanyContext } from './companyContext.ts';
import { invalidSetting } from './settings.ts';
import type { RecordKind } from '#server/storage/records.ts';

/** The organisations whose signing key was shown, by their ids; each key is shown once. */
export const shownSigningKeys: RecordKind<{ at: string }> = { kind: 'shownSigningKeys', isOfWorkspace: true };

/** Throws `invalid-request` for the text that stands for a secret, and for one that cannot be sent in a header. */
export function requireSecret(key: SettingKey, value: string): void {
  if (value === secretIsSet) throw invalidSetting(key, `give the secret itself: ${secretIsSet} only stands for it`);
  if (!/^[!-~]*$/.test(value)) throw invalidSetting(key, 'give ASCII characters without spaces');
}

/** Whether the service issues a token for the key: yes, or why not. */
const keyRefusal = (upstream: CompanyContext['upstream'], organisationId: string, signingKey: string) =>
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
async function proveAndStore(here: CompanyContext, key: string): Promise<string> {
  const { companyKey, upstream } = here;
  const { companies } = here.store;
  const { organisationId = '', companySigningKey: current = '' } = await companies.read(companyKey);
  if (key === current) return '';
  const refusal = key === '' ? undefined : await keyRefusal(upstream, organisationId, key);
  if (refusal?.problem.code === 'signing-key-rejected') throw current === '' ? refusal : stays(refusal);
  if (refusal && current !== '') {
    const isUseless = isRefusal(refusal) && (await keyRefusal(upstream, organisationId, current));
    if (!isUseless || !isRefusal(isUseless)) throw stays(refusal);
  }
  const isStored = await companies.transaction(async () => {
    if ((await companies.read(companyKey)).organisationId !== organisationId) return false;
    await companies.write(companyKey, { companySigningKey: key, unprovedKey: refusal ? key : '' });
    return true;
  });
  if (!isStored) return proveAndStore(here, key);
  return refusal ? `The key is stored, but not proved. ${refusal.problem.detail}` : '';
}

/**
 * Writes the signing key of the current organisation; '' removes it. Without an organisation the key is stored for the
 * one that is named later. Returns a note, or '' if the service has accepted the key.
 */
export async function writeSigningKey(here: CompanyContext, key: string): Promise<string> {
  requireSecret('companySigningKey', key);
  const { organisationId = '' } = await here.store.companies.read(here.companyKey);
  if (organisationId !== '') return proveAndStore(here, key);
  await here.store.settings.write('companySigningKey', key);
  return key === '' ? '' : 'The key is stored, but not proved: no organisation is set whose key it could be.';
}

/** Puts back the signing key that was replaced, if the service accepts it; it can be exchanged back in turn. */
export async function restoreSigningKey(here: CompanyContext, organisationId: string): Promise<string> {
  const { companies } = here.store;
  const own = (await companies.list()).find((each) => isSameId(each.organisationId, organisationId));
  const { previousSigningKey = '' } = own ? await companies.read(own.companyKey) : {};
  if (!own || previousSigningKey === '')
    throw new Failure('not-found', `No earlier signing key of the organisation ${organisationId} is stored here.`);
  return proveAndStore({ ...here, companyKey: own.companyKey }, previousSigningKey);
}
