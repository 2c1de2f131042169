import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStoreFile } from '#server/store/database.ts';
import { temporaryFolder, testStores } from '#tests/support/store.ts';

function opened() {
  const file = `file:${join(temporaryFolder(), 'console.sqlite')}`;
  const db = openStoreFile(file);
  const insert = db.prepare('insert into set_aside values (?, ?, ?, ?)');
  const put = (key: number) => db.together(() => void insert.run('space', String(key), 'value', 0));
  /** What another connection reads: what would be there after the console was killed. */
  const committed = () => {
    const other = openStoreFile(file);
    const rows = other.prepare('select key from set_aside order by rowid').all() as { key: string }[]; // its column
    other.close();
    return rows.map(({ key }) => Number(key));
  };
  const writesOf = () => db.version().own;
  return { db, put, committed, writesOf };
}

const numbers = Array.from({ length: 50 }, (_, number) => number);

it('writes that come together are kept by one transaction, in order, and confirmed after it', async () => {
  const { db, put, committed, writesOf } = opened();
  const before = writesOf();
  const seen = await Promise.all(numbers.map((number) => put(number).then(() => number === 0 && committed())));
  expect(seen[0]).toEqual(numbers);
  // The transaction, and its statements within it.
  expect(writesOf() - before).toBe(1 + numbers.length);
  await put(50);
  expect(committed()).toEqual([...numbers, 50]);
  db.close();
});

it('if one of them fails, all are refused and none is kept; later ones are', async () => {
  const { db, put, committed } = opened();
  const wrong = db.together(() => {
    throw new Error('it cannot be written');
  });
  const results = await Promise.allSettled([put(1), wrong, put(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(committed()).toEqual([]);
  await put(3);
  expect(committed()).toEqual([3]);
  db.close();
});

it('what waits when the file is closed is kept, and nothing is taken afterwards', async () => {
  const { db, put, committed } = opened();
  const written = put(1);
  db.close();
  await written;
  await expect(put(2)).rejects.toThrow('is closed');
  // Without waiting for the disk either: the driver would end the process.
  expect(() => db.relaxed(() => db.prepare('delete from set_aside').run())).toThrow('is closed');
  expect(committed()).toEqual([1]);
});

it('settings written at the same time are all kept, and the last value of each is read', async () => {
  const folder = temporaryFolder();
  const { settings } = (await testStores(folder)).of('default');
  await Promise.all(
    numbers.flatMap((number) => [
      settings.write('providerId', `provider-${number}`),
      settings.write('providerCountry', number % 2 === 0 ? 'GB' : 'US'),
    ]),
  );
  expect(await settings.read()).toMatchObject({ providerId: 'provider-49', providerCountry: 'US' });
});
