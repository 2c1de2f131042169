import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { copyStorage } from '#server/storage/copy.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openEncrypted } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { collectionIn, here, tamper, temporaryFile, testStorage } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

const copied = (file: string, url: string, keys: StoreKeys = [testKey()]) =>
  copyStorage(file.slice('file:'.length), url, { keys, clock: systemClock, onError: () => undefined });

const notesIn = (storage: Storage) =>
  collectionIn<string>(storage, { kind: 'notes', columns: { subject: (note) => note.slice(0, 1) } });

const aWrite = (key: string) => ({
  ...here,
  key,
  call: 'createBatch',
  fingerprint: 'print',
  serviceKey: `of ${key}`,
  serviceTime: 5,
  body: { of: key },
});
const invoice = {
  reference: 'invoice',
  note: '',
  sum: 'sum',
  payee_ids: 'payee',
  ibans: '',
  numbers: '',
  name: 'name',
};

/** A file with records in every table. */
async function filled(): Promise<string> {
  const file = await temporaryFile();
  const storage = await testStorage(file);
  await notesIn(storage).putAll(
    here,
    Array.from({ length: 450 }, (_, index) => [`id ${index}`, `${index % 2} note`]),
  );
  await storage.settings.of<string>(here.workspace).set('companyId', 'c');
  const { writes, invoiceLines } = storage;
  const done = await writes.claim(aWrite('done'));
  await invoiceLines.add(done!.position, [invoice]);
  await writes.end(done!, { answer: 'response', created: { kind: 'batch', id: 'B' } });
  const lost = await writes.claim(aWrite('lost'));
  await invoiceLines.add(lost!.position, [{ ...invoice, reference: 'other' }]);
  await writes.loseTrack(lost!, 'It took too long.');
  await storage.sessions<string>().begin('session', { value: 'user', startedAt: 1, usedAt: 1 });
  await storage.timeline<string>().append('w', [{ id: '1', at: 1, length: 1, isRead: false, value: 'entry' }]);
  await storage.close();
  await tamper(file, `update records set value = 'x' where id = 'id 0'`);
  const again = await testStorage(file);
  expect(await notesIn(again).get(here, 'id 0')).toBeUndefined();
  await again.close();
  return file;
}

describe('Copying an SQLite file to PostgreSQL', () => {
  it('copies every table, so that servers continue where the file ended', async () => {
    const [file, url] = [await filled(), await temporaryDatabase()];
    expect(await copied(file, url)).toEqual({
      index_key: 1,
      records: 449,
      writes: 2,
      invoice_lines: 2,
      timeline: 1,
      sessions: 1,
      settings: 1,
      quarantine: 1,
    });
    const storage = await testStorage(url);
    const notes = notesIn(storage);
    expect(await notes.count(here, { subject: '1' })).toBe(225);
    const before = await notes.page(here, { limit: 1, order: 'desc' });
    expect(before.entries).toMatchObject([{ id: 'id 449' }]);
    await notes.put(here, 'new', 'new');
    expect((await notes.page(here, { limit: 1, order: 'desc' })).entries).toMatchObject([{ id: 'new' }]);
    expect(await storage.settings.of(here.workspace).get('companyId')).toBe('c');
    const { writes, invoiceLines } = storage;
    for (const key of ['done', 'lost']) expect(await writes.claim(aWrite(key)), key).toBeUndefined();
    const done = await writes.find(here, 'done');
    expect(await writes.doneOf(done!)).toEqual({ answer: 'response' });
    expect(await writes.creatorOf('batch', 'b')).toEqual(done);
    const lost = await writes.find(here, 'lost');
    expect(lost).toMatchObject({ state: 'unknown', serviceTime: 5 });
    expect([await writes.bodyOf(lost!), await writes.wordsOf(lost!)]).toEqual([{ of: 'lost' }, 'It took too long.']);
    expect(await invoiceLines.like([invoice])).toMatchObject([
      { key: 'done', write: done!.position, batchId: 'B', reference: 'invoice' },
    ]);
    expect(await invoiceLines.like([{ ...invoice, reference: '' }])).toMatchObject([{ key: 'done' }, { key: 'lost' }]);
    const next = await writes.claim(aWrite('next'));
    expect(next!.position).toBeGreaterThan(lost!.position);
    expect(await storage.sessions().find('session', { usedAt: 0, startedAt: 0 })).toMatchObject({ value: 'user' });
    expect(await storage.timeline().latest('w', 9)).toMatchObject([{ value: 'entry' }]);
    expect(await storage.quarantine.list('w')).toMatchObject([{ id: 'id 0' }]);
  });

  it('copies a file once, and overwrites nothing that servers have written since', async () => {
    const [file, url] = [await filled(), await temporaryDatabase()];
    await copied(file, url);
    const storage = await testStorage(url);
    await notesIn(storage).put(here, 'id 1', 'written since');
    await storage.close();
    expect(await copied(file, url)).toBeUndefined();
    expect(await notesIn(await testStorage(url)).get(here, 'id 1')).toBe('written since');
  });

  it('is refused while a server runs on the database, and keeps servers from starting', async () => {
    const [file, url] = [await filled(), await temporaryDatabase()];
    const running = await testStorage(url);
    await expect(copied(file, url)).rejects.toThrow('a server runs on it, stop it first');
    await running.close();
    const { database: copying } = await openEncrypted(
      { url, keys: [testKey()], clock: systemClock, onError: () => undefined },
      true,
    );
    onTestFinished(() => copying.close());
    await expect(testStorage(url)).rejects.toThrow('a store is being copied into it, wait until that is done');
  });

  it('is refused if the database holds records that are not of the file', async () => {
    const [file, url] = [await filled(), await temporaryDatabase()];
    await (await testStorage(url)).close();
    await expect(copied(file, url)).rejects.toThrow('it holds records that are not of this file, give an empty one');
  });

  it('re-encrypts the records under the current key', async () => {
    const [file, url] = [await filled(), await temporaryDatabase()];
    await copied(file, url, [testKey(2), testKey()]);
    const storage = await testStorage(url, { keys: [testKey(2)] });
    expect(await notesIn(storage).get(here, 'id 1')).toBe('1 note');
  });
});
