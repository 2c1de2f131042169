import { describe, expect, it } from 'vitest';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { engines, here, tamper, testStorage } from '#tests/support/storage.ts';

describe.each(engines)('A received id on %s', (_, newDatabase) => {
  it('belongs to the first write that received it, on all servers and after a restart', async () => {
    const url = await newDatabase();
    const storages = [await testStorage(url), ...(isSharedUrl(url) ? [await testStorage(url)] : [])];
    const found = await Promise.all(
      Array.from({ length: 10 }, (__, index) =>
        storages[index % storages.length]!.receivedIds.record('batch', 'id', `key ${index}`),
      ),
    );
    expect(found.filter(Boolean)).toHaveLength(1);
    const first = `key ${found.indexOf(true)}`;
    for (const storage of storages) await storage.close();
    const { receivedIds } = await testStorage(url);
    expect(await receivedIds.record('batch', 'id', first)).toBe(true);
    expect(await receivedIds.record('batch', ' ID', 'other')).toBe(false);
    expect(await receivedIds.record('subscription', 'id', 'other')).toBe(true);
  });

  it('of what an earlier version has stored belongs to that, and outlives the company', async () => {
    const url = await newDatabase();
    await (await testStorage(url)).close();
    for (const [kind, id, company] of [
      ['batches', 'B-1', 'c'],
      ['batches', 'B-1', 'd'],
      ['debtors', 'D-1', 'c'],
    ])
      await tamper(
        url,
        `insert into records (kind, workspace, company, id, value) values ('${kind}', 'w', '${company}', '${id}', 'x')`,
      );
    await tamper(url, 'drop table received_ids');
    await tamper(url, `delete from console_migration where name = '003 received ids'`);
    const storage = await testStorage(url);
    await storage.removeCompany(here);
    expect(await storage.receivedIds.record('batch', 'b-1', 'key')).toBe(false);
    expect(await storage.receivedIds.record('batch', 'd-1', 'key')).toBe(true);
  });
});
