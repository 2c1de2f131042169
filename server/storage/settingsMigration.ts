import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { parse, stringify } from '#contract/json.ts';
import { locationKey, UnknownKeyError } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { columnTypes } from './migrate.ts';

/** A setting as versions before stored it: each under its own key, encrypted for its place. */
export interface EarlierSetting {
  workspace: string;
  company: string;
  key: string;
  value: string;
}

/** The place of such a setting. */
const placeOf = ({ workspace, company, key }: Omit<EarlierSetting, 'value'>): string =>
  locationKey('settings', workspace, company, key);

export const encryptEarlierSetting = (encryption: Encryption, at: Omit<EarlierSetting, 'value'>, value: string) =>
  encryption.encrypt(stringify({ value }), placeOf(at));

/**
 * Returns the settings of one location as one value. If one of them cannot be read, none can: the text holds them as they
 * were, so that nothing looks unset. Throws UnknownKeyError if a key is missing.
 */
function together(rows: readonly EarlierSetting[], encryption: Encryption): string {
  const [{ workspace, company }] = rows as [EarlierSetting]; // there is one
  try {
    const values = rows.map((row): [string, string] => {
      const { value } = parse(encryption.decrypt(row.value, placeOf(row))) as { value: string }; // as Keyv serialised it
      return [row.key, value];
    });
    return encryption.encrypt(
      stringify({ value: Object.fromEntries(values) }),
      locationKey('settings', workspace, company),
    );
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return `unreadable ${JSON.stringify(rows)}`;
  }
}

/**
 * Puts the settings of each company, and of each workspace, into one value. Servers of an earlier version, which lack the
 * table's column `key`, fail before they write. Without `encryption`, only a store that has no settings is taken over.
 */
export const settingsInOneValue = (encryption: Encryption | undefined): Migration => ({
  async up(db: Kysely<unknown>) {
    const { position, key } = columnTypes(db);
    const { rows } = await sql<EarlierSetting>`select workspace, company, key, value from settings
      order by position`.execute(db);
    await sql.raw('drop table settings').execute(db);
    await sql
      .raw(
        `create table settings (
          position ${position},
          workspace ${key} not null,
          company ${key} not null,
          value text not null,
          unique (workspace, company)
        )`,
      )
      .execute(db);
    const byLocation = new Map<string, EarlierSetting[]>();
    for (const row of rows) {
      const name = JSON.stringify([row.workspace, row.company]);
      byLocation.set(name, [...(byLocation.get(name) ?? []), row]);
    }
    for (const its of byLocation.values()) {
      if (!encryption) throw new Error('settings can be taken over with the keys of the store only');
      const [{ workspace, company }] = its as [EarlierSetting]; // there is one
      await sql`insert into settings (workspace, company, value)
        values (${workspace}, ${company}, ${together(its, encryption)})`.execute(db);
    }
  },
});
