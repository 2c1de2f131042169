import type { Db } from '#server/sqlite/sqlite.ts';
import type { Row } from './engine.ts';
import { valueIn } from './adapter.ts';
import { ownedKinds, ownerTag } from './owners.ts';
import type { Seal } from './seal.ts';
import { UnreadableError } from './setAside.ts';

/** Number of rows per read. */
const atOnce = 1000;

interface Lacking extends Row {
  namespace: string;
}

/** A row of `entries` that cannot be read. */
export interface Unreadable {
  row: Lacking;
  error: UnreadableError;
}

/** Adds missing owners: an earlier version wrote the row, or the key has changed. Returns the unreadable rows. */
function addOwners(db: Db, seal: Seal): Unreadable[] {
  const lacking = db.prepare(
    `select position, namespace, key, value from entries
     where owner is null and position > ? and (${ownedKinds.map((kind) => `namespace glob '*/${kind}'`).join(' or ')})
     order by position limit ${atOnce}`,
  );
  const update = db.prepare('update entries set owner = ? where position = ?');
  const unreadable: Unreadable[] = [];
  /** Returns the tag of a row's owner; undefined if the row cannot be read. */
  const ownerOf = (row: Lacking): string | undefined => {
    const place = `${row.namespace}/${row.key}`;
    try {
      return ownerTag(valueIn(seal.open(row.value, place)), seal);
    } catch (cause) {
      unreadable.push({ row, error: new UnreadableError(place, cause) });
      return undefined;
    }
  };
  let last = 0;
  for (;;) {
    const rows = lacking.all(last) as Lacking[]; // the statement's columns
    if (rows.length === 0) break;
    db.transaction(() => {
      for (const row of rows) {
        const owner = ownerOf(row);
        if (owner !== undefined) update.run(owner, row.position);
      }
    })();
    last = rows.at(-1)!.position; // not empty
  }
  return unreadable;
}

const counted = "select namespace, coalesce(owner, '') as owner, count(*) as count from entries group by 1, 2";
const kept = 'select namespace, owner, count from tallies where count <> 0';

/**
 * Adds missing owners and recounts `entries`: a file of an earlier version has no tallies, and someone may have changed
 * the file by hand. Writes the tallies only if they differ. Returns the rows whose owner cannot be read.
 */
export function mendTallies(db: Db, seal: Seal): Unreadable[] {
  const unreadable = addOwners(db, seal);
  const { differs } = db
    .prepare(
      `select exists (select * from (${counted}) except ${kept}) or exists (select * from (${kept}) except ${counted})
       as differs`,
    )
    .get() as { differs: number }; // the statement's column
  if (!differs) return unreadable;
  db.transaction(() => {
    db.prepare('delete from tallies').run();
    db.prepare(`insert into tallies ${counted}`).run();
  })();
  return unreadable;
}
