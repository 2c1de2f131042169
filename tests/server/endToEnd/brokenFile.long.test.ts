import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'libsql';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { connectionTo, spoil, temporaryFolder } from '#tests/support/store.ts';

/** All open connections, so that a test can write back what a console holds in memory. */
const opened = vi.hoisted(() => [] as { path: string; db: Database.Database }[]);
vi.mock('libsql', async (original) => {
  const { default: Driver } = await original<{ default: typeof Database }>();
  return {
    default: class extends Driver {
      constructor(path: string) {
        super(path);
        opened.push({ path, db: this });
      }
    },
  };
});
beforeEach(() => void opened.splice(0));

async function consoleIn(folder: string) {
  const server = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, folder });
  const { db } = opened.find(({ path }) => path.includes('console.sqlite'))!;
  return { ...server, db, file: join(folder, 'console.sqlite') };
}
const providerId = (value: string) => ({ body: { key: 'providerId' as const, value } });

// tests/server/storage/sqliteFile.test.ts has each way in which a file is locked or lost.
describe('A file of a running console', () => {
  it('that another program locks makes writes fail within 2 s, until it is released (threat 7.3)', async () => {
    const folder = temporaryFolder();
    const { refused, done } = await consoleIn(folder);
    await done('setSetting', providerId('confirmed'));
    const other = connectionTo(folder);
    other.exec('begin exclusive');
    const started = performance.now();
    expect(await refused('setSetting', providerId('refused'))).toMatchObject({
      status: 503,
      code: 'store-failed',
      detail: 'Another program has locked the console’s file: close that program.',
    });
    expect(performance.now() - started).toBeLessThan(2000);
    other.exec('rollback');
    expect((await done('getSettings')).providerId).toBe('confirmed');
    expect((await done('setSetting', providerId('later'))).providerId).toBe('later');
  });

  it('that is lost makes each write and /readyz fail with 503 (threat 7.5)', async () => {
    const { url, done, refused, file } = await consoleIn(temporaryFolder());
    await done('setSetting', providerId('confirmed'));
    rmSync(file);
    for (const attempt of ['first', 'second'])
      expect(await refused('setSetting', providerId(attempt))).toMatchObject({
        status: 503,
        code: 'store-failed',
        detail:
          'The console’s file was removed, replaced or cut short, and stores nothing any more: stop the console, put the file back and start it again.',
      });
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { store: false }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('that is lost makes /readyz fail before any write (threat 7.5)', async () => {
    const { url, file } = await consoleIn(temporaryFolder());
    rmSync(file);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ store: false });
  });

  it('that is damaged makes reads fail with 500, instead of returning empty lists (threat 7.10)', async () => {
    const { refused, done, db, file } = await consoleIn(temporaryFolder());
    for (let turn = 0; turn < 20; turn += 1) await done('setSetting', providerId(randomBytes(4000).toString('base64'))); // not to be compressed away
    db.exec('pragma wal_checkpoint(truncate); pragma shrink_memory');
    spoil(file, 4096);
    for (const name of ['getSettings', 'getDebtors', 'getPostedBatches'] as const)
      expect(await refused(name), name).toMatchObject({ status: 500, code: 'store-failed' });
  });
});
