import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '#server/storage/errors.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { engines, here, testDatabase, testStorage, payer } from '#tests/support/storage.ts';

describe.each(engines)('A paid invoice on %s', (_, newDatabase) => {
  const opened = async () => (await testStorage(await newDatabase())).paidInvoices;

  it('is reserved by one of several concurrent payments', async () => {
    const url = await newDatabase();
    const storages = [await testStorage(url), ...(isSharedUrl(url) ? [await testStorage(url)] : [])];
    const found = await Promise.all(
      Array.from({ length: 10 }, (__, index) =>
        storages[index % storages.length]!.paidInvoices.reserve(payer, {
          ...{ key: `key ${index}`, identities: ['invoice', `own ${index}`] },
        }),
      ),
    );
    expect(found.filter((others) => others.length === 0)).toHaveLength(1);
    const winner = `key ${found.findIndex((others) => others.length === 0)}`;
    const [{ paidInvoices }] = storages as [(typeof storages)[0]];
    expect((await paidInvoices.covering(payer, ['invoice'])).map(({ key }) => key)).toEqual([winner]);
    // The others have reserved nothing else either.
    const owns = Array.from({ length: 10 }, (__, index) => `own ${index}`);
    expect(await paidInvoices.covering(payer, owns)).toHaveLength(1);
  });

  it('stays covered until its payment is refused, and after it was confirmed', async () => {
    const invoices = await opened();
    expect(await invoices.reserve(payer, { key: 'a', identities: ['one', 'two'] })).toEqual([]);
    expect(await invoices.reserve(payer, { key: 'b', identities: ['two', 'three'] })).toMatchObject([
      { identity: 'two', key: 'a', batchId: '' },
    ]);
    await invoices.free(here, 'a');
    expect(await invoices.reserve(payer, { key: 'b', identities: ['two', 'three'] })).toEqual([]);
    await invoices.confirm(here, 'b', 'batch');
    expect(await invoices.reserve(payer, { key: 'a', identities: ['one', 'three'] })).toMatchObject([
      { identity: 'three', key: 'b', batchId: 'batch' },
    ]);
  });

  it('is reserved again under the same key, as after a lost response', async () => {
    const invoices = await opened();
    await invoices.reserve(payer, { key: 'a', identities: ['one', 'one'] });
    expect(await invoices.reserve(payer, { key: 'a', identities: ['one', 'two'] })).toEqual([]);
    expect((await invoices.covering(payer, ['one', 'two'])).map(({ identity }) => identity)).toEqual(['one', 'two']);
  });

  it('is reserved a second time with a reason, and covered until each payment is freed', async () => {
    const invoices = await opened();
    await invoices.reserve(payer, { key: 'a', identities: ['one'] });
    const again = { key: 'b', identities: ['one'], reason: 'the user wants it again' };
    expect(await invoices.reserve(payer, again)).toMatchObject([{ key: 'a' }]);
    const keys = async () => (await invoices.covering(payer, ['one'])).map(({ key }) => key);
    expect(await keys()).toEqual(['a', 'b']);
    await invoices.free(here, 'a');
    expect(await keys()).toEqual(['b']);
    expect(await invoices.reserve(payer, { key: 'c', identities: ['one'] })).toMatchObject([{ key: 'b' }]);
    await invoices.free(here, 'b');
    expect(await invoices.reserve(payer, { key: 'c', identities: ['one'] })).toEqual([]);
  });

  it('is separate for each application, organisation and company', async () => {
    const invoices = await opened();
    await invoices.reserve(payer, { key: 'a', identities: ['one'] });
    for (const [name, value] of Object.entries({ application: 'b', organisationId: 'p', companyId: 'd' })) {
      const other = { ...payer, owner: { ...payer.owner, [name]: value } };
      expect(await invoices.reserve(other, { key: 'b', identities: ['one'] })).toEqual([]);
    }
  });

  it('is listed with its batch once it was paid, and forgotten with all others of its record (behaviour 10.27.5)', async () => {
    const invoices = await opened();
    await invoices.reserve(payer, { key: 'b', identities: ['one', 'two'], at: 2000 });
    await invoices.reserve(payer, { key: 'a', identities: ['three'], sums: ['sum'], at: 1000 });
    expect(await invoices.madeAt(here)).toEqual([]);
    await invoices.confirm(here, 'b', 'batch');
    expect(await invoices.madeAt(here)).toEqual([{ key: 'b', batchId: 'batch', reservedAt: 2000 }]);
    await invoices.forget({ ...here, companyKey: 'another' });
    expect(await invoices.covering(payer, ['one', 'three'])).toHaveLength(2);
    await invoices.forget(here);
    expect(await invoices.covering(payer, ['one', 'two', 'three'])).toEqual([]);
    expect(await invoices.undecided(payer, ['sum'])).toEqual([]);
  });

  it('of a batch of 2,000 payments is reserved with all others or not at all', async () => {
    const invoices = await opened();
    const identities = Array.from({ length: 8000 }, (__, index) => `invoice ${index}`);
    await invoices.reserve(payer, { key: 'a', identities: ['invoice 7999'] });
    expect(await invoices.reserve(payer, { key: 'b', identities })).toHaveLength(1);
    expect(await invoices.covering(payer, identities)).toHaveLength(1);
    await invoices.free(here, 'a');
    expect(await invoices.reserve(payer, { key: 'b', identities })).toEqual([]);
    expect(await invoices.covering(payer, identities)).toHaveLength(8000);
  });

  it('is reserved in the transaction that claims the key, and neither remains after an error', async () => {
    const storage = await testStorage(await newDatabase());
    const pay = (fail: boolean) =>
      storage.transaction('w', async () => {
        const claim = await storage.idempotencyKeys.claim(here, 'a', 'print');
        await storage.paidInvoices.reserve(payer, { key: 'a', identities: ['one'] });
        if (fail) throw new Error('on purpose');
        return claim;
      });
    await expect(pay(true)).rejects.toThrow('on purpose');
    expect(await storage.paidInvoices.covering(payer, ['one'])).toEqual([]);
    expect(await pay(false)).toMatchObject({ state: 'new' });
    expect(await storage.paidInvoices.covering(payer, ['one'])).toHaveLength(1);
  });

  it('has at most one row without a reason, by a constraint of the database', async () => {
    const url = await newDatabase();
    const database = await testDatabase(url);
    const insert = (key: string, reason: string | null) =>
      database.write((db) =>
        sql`insert into invoice_payments (workspace, company_key, identity, idempotency_key, batch_id, reserved_at, reason)
          values ('w', 'c', 'one', ${key}, '', 0, ${reason})`.execute(db),
      );
    await insert('a', null);
    await expect(insert('b', null)).rejects.toBeInstanceOf(DatabaseError);
    await insert('b', 'a reason');
    await database.close();
  });
});
