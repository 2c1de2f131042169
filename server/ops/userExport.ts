import { parse, stringify } from '#contract/json.ts';
import { isSecretName } from '#contract/secretNames.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { Session } from '#server/auth/sessions.ts';
import { iso } from '#server/clock.ts';
import { isSecretSetting } from '#server/companies/storedSettings.ts';
import { maskAll, type Mask } from '#server/mask.ts';
import type { Storage } from '#server/storage/open.ts';
import { ofWorkspace } from '#server/storage/schema.ts';
import type { StoredRow } from '#server/storage/workspaces.ts';

const isSecret = (name: string): boolean => isSecretSetting(name) || isSecretName(name);

/** Masks secrets in a value, by their names and forms and as they are stored. */
function masked(value: unknown, mask: Mask): unknown {
  const text = mask(stringify(value));
  try {
    return parse(text);
  } catch {
    return text; // masking has cut through its structure
  }
}

/** A row without the texts that are encrypted, and with times in words. */
const shownRow = ({ table, row, value }: StoredRow) => ({
  table,
  ...Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !['position', 'workspace', 'value', 'fingerprint', 'body', 'answer', 'words'].includes(name))
      .map(([name, each]) => [name, /(^|_)at$/.test(name) && each !== null ? iso(Number(each)) : each]),
  ),
  ...(value !== undefined && { value }),
});

/** Returns everything that is stored of a user, with secrets masked. Paid invoices are stored as tags, which name nothing. */
export async function exportOf(
  storage: Storage,
  workspace: string,
  sessions: readonly { session: Session }[],
): Promise<Readonly<Record<string, unknown>>> {
  const shared = (await storage.settings.of(workspace).get(ofWorkspace)) ?? {};
  const settings = [[ofWorkspace, shared] as const, ...(await storage.settings.companies(workspace))];
  const secrets = settings.flatMap(([, each]) =>
    Object.entries(each).flatMap(([name, value]) => (isSecret(name) && value !== '' ? [value] : [])),
  );
  const mask = maskAll(secrets);
  const hidden = settings.map(([companyKey, each]) => ({
    company_key: companyKey,
    ...Object.fromEntries(
      Object.entries(each).map(([name, value]) => [name, isSecret(name) ? secretIsSet : mask(value)]),
    ),
  }));
  const rows: unknown[] = [];
  for await (const row of storage.workspaces.rows(workspace)) rows.push(masked(shownRow(row), mask));
  return {
    settings: hidden,
    sessions: sessions.map(({ session: { name, userInfo, isLeft = false } }) =>
      masked({ name, isLeft, ...(userInfo && { userInfo }) }, mask),
    ),
    rows,
  };
}
