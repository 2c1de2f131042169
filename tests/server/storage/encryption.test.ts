import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createEncryption, keyIdOf, createTagger, UnknownKeyError } from '#server/storage/encryption.ts';
import { DatabaseError, UnreadableError } from '#server/storage/errors.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import type { Storage } from '#server/storage/open.ts';
import { factsOf, payerOf } from '#server/writes/invoices.ts';
import { tableNames } from '#server/storage/schema.ts';
import { statement } from '#tests/support/postgres.ts';
import { collectionIn, engines, here, tamper, testDatabase, testStorage } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

const since = { usedAt: 0, startedAt: 0 };

/** The contents of the database: its files, or the rows of all tables. */
async function contentsOf(url: string): Promise<string> {
  if (isSharedUrl(url)) {
    const tables = await Promise.all(tableNames.map((table) => statement(url, `select * from ${table}`)));
    expect(tables.filter((rows) => rows.length === 0)).toEqual([]);
    return JSON.stringify(tables);
  }
  const folder = dirname(url.slice('file:'.length));
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

const collectionsOf = (storage: Storage) => ({
  notes: collectionIn<string>(storage, { kind: 'notes', columns: { subject: (note) => note } }),
  payments: collectionIn<string>(storage, { kind: 'payments', isVital: true }),
});

const aWrite = ({ tag }: Storage, key: string) => ({
  ...here,
  key,
  call: 'createBatch',
  fingerprint: tag('fingerprint', 'secret fingerprint'),
  serviceKey: `of ${key}`,
  serviceTime: undefined,
  body: { to: 'secret body' },
});

/** The facts of a payment of a company, in which each text is secret. */
const factsIn = ({ tag }: Storage) =>
  factsOf(tag, payerOf(tag, 'secret application', 'secret-o', 'secret-c'), {
    reference: 'secret invoice',
    note: 'secret note',
    sum: '1 GBP secret',
    payee_ids: 'secret id',
    ibans: 'secret iban',
    numbers: 'secret number',
    name: 'secret name',
  });

/** Stores one record of every kind. */
async function fill(storage: Storage): Promise<void> {
  const { notes, payments } = collectionsOf(storage);
  await notes.put(here, 'note', 'secret note');
  await payments.put(here, 'payment', 'secret payment');
  await storage.settings.of<string>(here.workspace).set('companyId', 'secret setting');
  const { writes, invoiceLines } = storage;
  const done = await writes.claim(aWrite(storage, 'key'));
  await invoiceLines.add(done!.position, [factsIn(storage)]);
  await writes.end(done!, { answer: { answer: 'secret answer' }, created: { kind: 'batch', id: 'b' } });
  const lost = await writes.claim(aWrite(storage, 'lost'));
  await writes.loseTrack(lost!, 'secret words');
  await storage.sessions<string>().begin('session', { value: 'secret user', startedAt: 1, usedAt: 1 });
  await storage.timeline<string>().append('w', [{ id: '1', at: 1, length: 1, isRead: false, value: 'secret entry' }]);
}

/** What is known of the writes that `fill` has made. */
async function writesIn(storage: Storage) {
  const { writes } = storage;
  const [done, lost] = [await writes.find(here, 'key'), await writes.find(here, 'lost')];
  return {
    isSame: done!.fingerprint === aWrite(storage, 'key').fingerprint,
    writes: [
      await writes.bodyOf(done!),
      await writes.doneOf(done!),
      await writes.bodyOf(lost!),
      await writes.wordsOf(lost!),
    ],
  };
}

/** What `fill` has put there. */
async function read(storage: Storage) {
  const { notes, payments } = collectionsOf(storage);
  return {
    note: await notes.get(here, 'note'),
    notes: await notes.count(here, { subject: 'secret note' }),
    payment: await payments.get(here, 'payment'),
    setting: await storage.settings.of<string>(here.workspace).get('companyId'),
    ...(await writesIn(storage)),
    invoices: (await storage.invoiceLines.like([factsIn(storage)])).map(({ key, batchId }) => [key, batchId]),
    session: (await storage.sessions<string>().find('session', since))?.value,
    entries: (await storage.timeline<string>().latest('w', 9)).map(({ value }) => value),
  };
}
const filled = {
  note: 'secret note',
  notes: 1,
  payment: 'secret payment',
  setting: 'secret setting',
  isSame: true,
  invoices: [['key', 'b']],
  writes: [{ to: 'secret body' }, { answer: { answer: 'secret answer' } }, { to: 'secret body' }, 'secret words'],
  session: 'secret user',
  entries: ['secret entry'],
};

/** Asserts that nothing of the writes that `fill` has made is believed, while their keys stay claimed. */
async function expectUnreadableWrites(storage: Storage): Promise<void> {
  const { writes } = storage;
  for (const [key, state] of [
    ['key', 'done'],
    ['lost', 'unknown'],
  ] as const) {
    expect(await writes.claim(aWrite(storage, key)), key).toBeUndefined();
    const row = await writes.find(here, key);
    expect(row).toMatchObject({ state });
    await expect(writes.bodyOf(row!)).rejects.toThrow();
    if (state === 'unknown') await expect(writes.wordsOf(row!)).rejects.toThrow();
  }
  await expect(writes.doneOf((await writes.find(here, 'key'))!)).rejects.toThrow();
}

describe('An encrypted value', () => {
  it('is decrypted by later versions with the same key, and by no other key or prefix', () => {
    const encryption = createEncryption([testKey(1)]);
    const encrypted = 'aes256gcm:02d25eca535dbe42:OYr6tv3tFsTTjTeB8VgCPvQvXBz9+mZUBirFDOQx9BP6gN4=';
    expect(encryption.decrypt(encrypted, 'place')).toBe('Grüße');
    expect(() => encryption.decrypt(`x${encrypted}`, 'place')).toThrow('not encrypted');
    expect(() => createEncryption([testKey(2)]).decrypt(encrypted, 'place')).toThrow(UnknownKeyError);
  });

  it.each([
    ['a long one', JSON.stringify(Array.from({ length: 2000 }, (_, index) => `Grüße ${index}`))],
    ['one that begins like a compressed one', '\0 Grüße'],
    ['an empty one', ''],
  ])('is decrypted at its own location only, also if it was compressed: %s', (_, text) => {
    const encryption = createEncryption([testKey(1)]);
    const encrypted = encryption.encrypt(text, 'place');
    expect(encryption.decrypt(encrypted, 'place')).toBe(text);
    if (text.length > 10_000) expect(encrypted.length).toBeLessThan(text.length / 2);
    expect(() => encryption.decrypt(encrypted, 'elsewhere')).toThrow('authenticate');
  });

  it('differs each time, while an index tag is deterministic and unambiguous', () => {
    const encryption = createEncryption([testKey(1)]);
    expect(encryption.encrypt('text', 'place')).not.toBe(encryption.encrypt('text', 'place'));
    const tag = createTagger(Buffer.alloc(32, 1));
    expect(tag('a', 'b')).toBe(tag('a', 'b'));
    expect(tag('a', 'b')).not.toBe(tag('ab'));
    expect(tag('a', 'b')).not.toBe(createTagger(Buffer.alloc(32, 2))('a', 'b'));
  });
});

describe.each(engines)('The contents of an encrypted database on %s', (_, newDatabase) => {
  it('reveal nothing but ids and idempotency keys (threat 2.18)', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    await fill(storage);
    // One record is in quarantine as well.
    await collectionIn<string>(storage, { kind: 'others' }).put(here, 'moved', 'secret and moved');
    await storage.close();
    await tamper(url, `update records set company_key = 'other' where id = 'moved'`);
    const again = await testStorage(url);
    expect(
      await collectionIn(again, { kind: 'others' }).get({ ...here, companyKey: 'other' }, 'moved'),
    ).toBeUndefined();
    expect(await again.quarantine.count()).toBe(1);
    const contents = await contentsOf(url);
    expect(contents).toContain('payment'); // ids are not encrypted, which shows that this is the right place
    expect(contents).not.toMatch(/secret/);
    expect(await read(again)).toEqual(filled);
  });

  it('are unreadable after they were moved to another location (threat 2.17)', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const { notes, payments } = collectionsOf(storage);
    await notes.putAll(here, [
      ['one', 'first'],
      ['two', 'second'],
    ]);
    await payments.put(here, 'one', 'first');
    for (const key of ['one', 'two']) await storage.writes.claim(aWrite(storage, key));
    const settings = storage.settings.of<string>(here.workspace);
    await settings.setMany([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]);
    await storage.close();
    await tamper(url, `update records set value = (select value from records where id = 'two') where id = 'one'`);
    await tamper(
      url,
      `update settings set value = (select value from settings where company_key = 'b') where company_key = 'a'`,
    );
    // A record’s subject cannot be changed either, so that a creditor of one subscription is not another’s.
    await tamper(url, `update records set subject = 'x' where id = 'two'`);
    const move = (column: string, from: string) =>
      `update writes set ${column} = (select ${from} from writes where key = 'one') where key = 'two'`;
    for (const [column, from] of [
      ['body', 'body'],
      ['answer', 'body'],
      ['words', 'body'],
    ] as const)
      await tamper(url, move(column, from));
    const after = await testStorage(url);
    const moved = await after.writes.find(here, 'two');
    for (const reading of ['bodyOf', 'doneOf', 'wordsOf'] as const)
      await expect(after.writes[reading](moved!), reading).rejects.toThrow('authenticate');
    expect(await after.writes.bodyOf((await after.writes.find(here, 'one'))!)).toEqual({ to: 'secret body' });
    const read = collectionsOf(after);
    expect(await read.notes.get(here, 'one')).toBeUndefined();
    expect(await read.notes.get(here, 'two')).toBeUndefined();
    await expect(read.payments.get(here, 'one')).rejects.toThrow(UnreadableError);
    await expect(after.settings.of(here.workspace).get('a')).rejects.toThrow('settings/w/a cannot be read');
    expect(await after.settings.of(here.workspace).get('b')).toBe('2');
  });

  it('are not trusted if they were never encrypted (threat 2.17)', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    await fill(storage);
    await storage.close();
    await tamper(url, `update records set value = '"mine"'`);
    await tamper(url, `update settings set value = '{"value":"mine"}'`);
    await tamper(url, `update writes set answer = '{"answer":{"batchId":"mine"}}', body = '"mine"', words = 'mine'`);
    await tamper(url, `update sessions set value = '"mine"'`);
    await tamper(url, `update timeline set value = '"mine"'`);
    const after = await testStorage(url);
    const { notes, payments } = collectionsOf(after);
    expect(await notes.get(here, 'note')).toBeUndefined();
    await expect(payments.get(here, 'payment')).rejects.toThrow('it is not encrypted');
    await expect(after.settings.of(here.workspace).get('companyId')).rejects.toThrow('it is not encrypted');
    await expectUnreadableWrites(after);
    expect(await after.sessions().find('session', since)).toBeUndefined();
    expect(await after.timeline().latest('w', 9)).toEqual([]);
  });
});

describe.each(engines)('Rotating the key on %s', (_, newDatabase) => {
  const [old, fresh] = [testKey(1), testKey(2)];

  it('re-encrypts everything at the start, after which the previous key is not needed (threat 2.15)', async () => {
    const url = await newDatabase();
    const before = await testStorage(url, { keys: [old] });
    await fill(before);
    const many = collectionIn<string>(before, { kind: 'many' });
    await many.putAll(
      here,
      Array.from({ length: 450 }, (__, index) => [`id ${index}`, 'text']),
    );
    await before.close();
    await (await testStorage(url, { keys: [fresh, old] })).close();
    const after = await testStorage(url, { keys: [fresh] });
    expect(await read(after)).toEqual(filled);
    let readable = 0;
    for await (const value of collectionIn<string>(after, { kind: 'many' }).earliest(here))
      readable += Number(value === 'text');
    expect(readable).toBe(450);
    if (!after.isShared) expect(await contentsOf(url)).not.toContain(keyIdOf(old));
  });

  it('leaves tampered values unreadable, with and without the previous key (threat 2.17)', async () => {
    const url = await newDatabase();
    const before = await testStorage(url, { keys: [old] });
    await fill(before);
    await before.close();
    for (const [table, column] of [
      ['records', 'value'],
      ['settings', 'value'],
      ['writes', 'body'],
      ['writes', 'answer'],
      ['writes', 'words'],
      ['sessions', 'value'],
    ])
      await tamper(url, `update ${table} set ${column} = substr(${column}, 1, 40) || 'AAAA'`);
    await (await testStorage(url, { keys: [fresh, old] })).close();
    const after = await testStorage(url, { keys: [fresh] });
    const { notes, payments } = collectionsOf(after);
    expect(await notes.get(here, 'note')).toBeUndefined();
    expect(await after.quarantine.list('w')).toMatchObject([{ kind: 'notes', id: 'note' }]);
    await expect(payments.get(here, 'payment')).rejects.toThrow(UnreadableError);
    await expect(after.settings.of(here.workspace).get('companyId')).rejects.toThrow(UnreadableError);
    await expectUnreadableWrites(after);
    expect(await after.sessions().find('session', since)).toBeUndefined();
  });

  it('without the previous key prevents the start and changes nothing (threat 2.19)', async () => {
    const url = await newDatabase();
    const before = await testStorage(url, { keys: [old] });
    await fill(before);
    await before.close();
    await expect(testStorage(url, { keys: [fresh] })).rejects.toThrow(new UnknownKeyError(keyIdOf(old)));
    expect(await read(await testStorage(url, { keys: [old] }))).toEqual(filled);
  });

  it('continues at the next start after an interruption', async () => {
    const url = await newDatabase();
    const before = await testStorage(url, { keys: [old] });
    await fill(before);
    await before.close();
    const database = await testDatabase(url);
    // As after a crash that followed the first table.
    const half = createEncryption([fresh, old]);
    const { rows } = await database.read((db) =>
      sql<{
        workspace: string;
        company_key: string;
        value: string;
      }>`select workspace, company_key, value from settings`.execute(db),
    );
    expect(rows).not.toHaveLength(0);
    for (const { workspace, company_key: companyKey, value } of rows) {
      const changed = half.reencrypt(value, JSON.stringify(['settings', workspace, companyKey]));
      await database.write((db) =>
        sql`update settings set value = ${changed} where workspace = ${workspace} and company_key = ${companyKey}`.execute(
          db,
        ),
      );
    }
    await database.close();
    await (await testStorage(url, { keys: [fresh, old] })).close();
    expect(await read(await testStorage(url, { keys: [fresh] }))).toEqual(filled);
  });

  it('is refused if the index key cannot be read', async () => {
    const url = await newDatabase();
    await (await testStorage(url)).close();
    await tamper(url, `update index_key set value = substr(value, 1, 40) || 'AAAA'`);
    const refused = testStorage(url);
    await expect(refused).rejects.toThrow(DatabaseError);
    await expect(refused).rejects.toThrow('the key of its index cannot be read, restore a backup');
  });
});

describe('Rotating the key of several servers', () => {
  const [old, fresh] = [testKey(1), testKey(2)];

  it('is refused while one lacks the new key, and completes after each has it', async () => {
    const url = await engines[1][1]();
    const first = await testStorage(url, { keys: [old] });
    await fill(first);
    await expect(testStorage(url, { keys: [fresh, old] })).rejects.toThrow(
      'a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first',
    );
    await first.close();
    const [knowing, second] = [
      await testStorage(url, { keys: [old, fresh] }),
      await testStorage(url, { keys: [fresh, old] }),
    ];
    // That server still encrypts under the old key after the rotation.
    await knowing.settings.of<string>(here.workspace).set('later', 'written under the old key');
    expect(await second.settings.of<string>(here.workspace).get('later')).toBe('written under the old key');
    expect(await read(second)).toEqual(filled);
    expect(await read(knowing)).toEqual(filled);
    await knowing.close();
    await second.sweep([]);
    await second.close();
    const last = await testStorage(url, { keys: [fresh] });
    expect(await last.settings.of<string>(here.workspace).get('later')).toBe('written under the old key');
  });

  it('quarantines no records that another server encrypted under a key unknown here', async () => {
    const url = await engines[1][1]();
    const [one, other] = [await testStorage(url, { keys: [old, fresh] }), await testStorage(url, { keys: [old] })];
    const [notes, seen] = [
      collectionIn<string>(one, { kind: 'notes' }),
      collectionIn<string>(other, { kind: 'notes' }),
    ];
    await notes.put(here, 'one', 'text');
    const rows = await statement(url, `select value from records`);
    const value = createEncryption([fresh, old]).reencrypt(
      String(rows[0]!['value']),
      JSON.stringify(['records', 'notes', 'w', 'c', 'one', null, null]),
    );
    await statement(url, `update records set value = '${value}'`);
    await expect(seen.get(here, 'one')).rejects.toThrow(UnreadableError);
    expect(await notes.get(here, 'one')).toBe('text');
    expect(await other.quarantine.count()).toBe(0);
  });
});
