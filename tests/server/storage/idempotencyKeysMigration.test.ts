import { sql } from 'kysely';
import { expect, describe, it } from 'vitest';
import { createEncryption, locationKey } from '#server/storage/encryption.ts';
import { earlierDatabase, engines, testStorage } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

const other = '6b1f1e0a-9c54-4f0b-8f6c-1f2d3e4a5b6c';
const removed = '11111111-2222-4333-8444-555555555555';

/** A database as the version before left it: a workspace with two companies, and these keys. */
async function before(url: string, keys: readonly (readonly [key: string, isDone: boolean])[]) {
  const database = await earlierDatabase(url, '003 received ids');
  const encryption = createEncryption([testKey()]);
  for (const company of ['first', other])
    await database.write((db) =>
      sql`insert into settings (workspace, company, key, value) values ('w', ${company}, 'organisationId', 'x')`.execute(
        db,
      ),
    );
  for (const [key, isDone] of keys) {
    const fingerprint = encryption.encrypt(`print of ${key}`, locationKey('fingerprint', 'w', key));
    const response = isDone ? encryption.encrypt(`"answer to ${key}"`, locationKey('response', 'w', key)) : null;
    await database.write((db) =>
      sql`insert into idempotency_keys (workspace, key, fingerprint, response, claimed_at)
        values ('w', ${key}, ${fingerprint}, ${response}, 1000)`.execute(db),
    );
  }
  await database.close();
}

describe.each(engines)('The idempotency keys of an earlier version on %s', (_, newDatabase) => {
  it.each<[string, string, string]>([
    ['write/key', 'first', 'write/key'],
    ['write/a/b', 'first', 'write/a/b'],
    ['write/first/key', 'first', 'write/first/key'],
    [`write/${other}/key`, other, 'write/key'],
    [`write/${other}/a/b`, other, 'write/a/b'],
    [`write/${other}`, 'first', `write/${other}`],
    [`write/${removed}/key`, 'first', `write/${removed}/key`],
    [`webhook/${other}/key`, '', `webhook/${other}/key`],
    ['signing-key/organisation', '', 'signing-key/organisation'],
  ])('keep their answers and their doubts: %s is %s, %s', async (former, companyKey, key) => {
    const url = await newDatabase();
    await before(url, [[former, true]]);
    const storage = await testStorage(url);
    const at = { workspace: 'w', companyKey };
    const print = `print of ${former}`;
    const done = { state: 'completed', response: `answer to ${former}` };
    expect(await storage.idempotencyKeys.claim(at, key, print)).toEqual(done);
    expect(await storage.idempotencyKeys.claim(at, key, 'other')).toMatchObject({ state: 'conflict' });
    await storage.close();
    const rotated = await testStorage(url, { keys: [testKey(1), testKey()] });
    expect(await rotated.idempotencyKeys.claim(at, key, print)).toEqual(done);
  });

  it('are in doubt as before, and are completed under their new place', async () => {
    const url = await newDatabase();
    const former = `write/${other}/key`;
    await before(url, [[former, false]]);
    const { idempotencyKeys: keys } = await testStorage(url);
    const at = { workspace: 'w', companyKey: other };
    const claim = await keys.claim(at, 'write/key', `print of ${former}`);
    expect(claim).toEqual({ state: 'inDoubt', claimedAt: 1000, former });
    expect(await keys.isMine(at, 'write/key')).toBe(true);
    await keys.complete(at, 'write/key', 'done');
    expect(await keys.claim(at, 'write/key', `print of ${former}`)).toMatchObject({ response: 'done' });
  });

  it('that could be those of two companies belong to the one, and the other’s is blocked (threat 6.41)', async () => {
    const url = await newDatabase();
    const former = `write/${other}/key`;
    await before(url, [[former, true]]);
    const { idempotencyKeys: keys } = await testStorage(url);
    expect(await keys.claim({ workspace: 'w', companyKey: 'first' }, former, `print of ${former}`)).toEqual({
      state: 'unreadable',
    });
    expect(await keys.claim({ workspace: 'w', companyKey: 'first' }, 'write/key', 'print')).toMatchObject({
      state: 'new',
    });
    expect(await keys.claim({ workspace: 'v', companyKey: 'first' }, former, 'print')).toMatchObject({ state: 'new' });
  });
});
