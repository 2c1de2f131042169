import type * as fileSystem from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openStoreFile } from '#server/store/database.ts';
import { temporaryFolder } from '#tests/support/store.ts';

type Done = (error: NodeJS.ErrnoException | null) => void;
/** The disk: what is written to it is under way until a test ends it, and may fail. */
const disk = vi.hoisted(() => ({ underWay: [] as Done[], isHeld: true, waited: 0 }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof fileSystem>();
  return {
    ...fs,
    fdatasync: (file: number, done: Done) =>
      fs.fdatasync(file, (error) => (disk.isHeld ? disk.underWay.push(done) : done(error))),
    fdatasyncSync(file: number) {
      disk.waited += 1;
      fs.fdatasyncSync(file);
    },
  };
});
beforeEach(() => {
  Object.assign(disk, { underWay: [], isHeld: true, waited: 0 });
});

const broken = Object.assign(new Error('i/o error'), { code: 'EIO' });

/** Ends what is under way to the disk, once it is. */
async function end(error: NodeJS.ErrnoException | null = null): Promise<void> {
  await vi.waitFor(() => expect(disk.underWay).toHaveLength(1));
  disk.underWay.shift()!(error); // just seen
  await Promise.resolve();
}

function opened() {
  const file = `file:${join(temporaryFolder(), 'console.sqlite')}`;
  const db = openStoreFile(file);
  const confirmed: number[] = [];
  const versions: number[] = [];
  const insert = db.prepare('insert into set_aside values (?, ?, ?, ?)');
  const put = async (key: number) => {
    await db.together(() => {
      versions.push(db.version().own);
      insert.run('space', String(key), 'value', 0);
    });
    confirmed.push(key);
  };
  const keys = () => {
    const rows = db.prepare('select key from set_aside order by rowid').all() as { key: string }[]; // its column
    return rows.map(({ key }) => Number(key));
  };
  return { file, db, put, keys, confirmed, versions };
}

it('a write is confirmed only when the disk has it, and holds up nothing meanwhile', async () => {
  const { db, put, keys, confirmed } = opened();
  const first = put(1);
  await vi.waitFor(() => expect(disk.underWay).toHaveLength(1));
  expect(keys()).toEqual([1]);
  expect(confirmed).toEqual([]);
  await end();
  await first;
  expect(confirmed).toEqual([1]);
  expect(disk.waited).toBe(0);
  db.close();
});

it('what comes while the disk works is written when it is ready, in one transaction, and confirmed together', async () => {
  const { db, put, keys, confirmed, versions } = opened();
  const first = put(1);
  await vi.waitFor(() => expect(disk.underWay).toHaveLength(1));
  const others = Promise.all([2, 3, 4].map(put));
  await new Promise((turns) => setTimeout(turns, 20));
  expect(keys()).toEqual([1]);
  await end();
  await first;
  await vi.waitFor(() => expect(keys()).toEqual([1, 2, 3, 4]));
  expect(confirmed).toEqual([1]);
  await end();
  await others;
  expect(confirmed).toEqual([1, 2, 3, 4]);
  // Of a transaction's statements each counts one, and so does the transaction.
  expect([1, 2, 3].map((index) => versions[index]! - versions[index - 1]!)).toEqual([2, 1, 1]);
  db.close();
});

it('if the disk fails, what it was to take is refused, and all later writes until it has taken everything', async () => {
  const { file, db, put, keys } = opened();
  const [first, second] = [put(1), put(2)].map((each) =>
    expect(each).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' }),
  );
  await end(broken);
  await Promise.all([first, second]);

  // Another reader keeps the log from being emptied.
  const other = openStoreFile(file);
  other.exec('begin');
  other.prepare('select count(*) from set_aside').get();
  expect(() => db.insistOnKeeping()).toThrow('is in use');
  await expect(put(3)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  expect(() => db.prepare('delete from set_aside').run()).toThrow('is in use');
  other.exec('rollback');
  other.close();

  db.insistOnKeeping();
  disk.isHeld = false;
  await put(4);
  expect(keys()).toEqual([1, 2, 4]);
  db.close();
});

it('closing the file waits for the disk, confirms what it has, and writes what waits', async () => {
  const { db, put, confirmed } = opened();
  const first = put(1);
  await vi.waitFor(() => expect(disk.underWay).toHaveLength(1));
  const second = put(2);
  db.close();
  await Promise.all([first, second]);
  expect(disk.waited).toBe(1);
  expect(confirmed).toEqual([1, 2]);
  await end();
  await expect(put(3)).rejects.toThrow('is closed');
});

it('a claim made while the disk works waits for it, as SQLite does, and the disk then has both', async () => {
  const { db, put } = opened();
  const written = put(1);
  await vi.waitFor(() => expect(disk.underWay).toHaveLength(1));
  const level = () => db.prepare('pragma synchronous').get();
  const levels: unknown[] = [];
  db.relaxed(() => db.transaction(() => levels.push(level()))());
  db.transaction(() => {
    levels.push(level());
    db.prepare('insert into claims (key, fingerprint, claimed_at) values (?, ?, ?)').run('key', 'sealed', 0);
  })();
  db.relaxed(() => db.transaction(() => levels.push(level()))());
  db.exec('delete from probe');
  levels.push(level());
  expect(levels).toMatchObject([1, 2, 1, 2].map((synchronous) => ({ synchronous })));
  await end();
  await written;
  db.close();
});
