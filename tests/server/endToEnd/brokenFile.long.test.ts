import { randomBytes } from 'node:crypto';
import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'libsql';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';

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
/** A text of this length that cannot be compressed. */
const textOf = (length: number) => randomBytes(length).toString('base64').slice(0, length);
const providerId = (value: string) => ({ body: { key: 'providerId' as const, value } });

/** The provider's id as another console reads it from the file. */
async function committed(file: string): Promise<string | undefined> {
  const { done } = await consoleIn(dirname(file));
  return (await done('getSettings')).providerId;
}

/** Overwrites the file with rubbish from this byte on. */
function spoil(file: string, from: number): void {
  const handle = openSync(file, 'r+');
  const rubbish = Buffer.alloc(statSync(file).size - from, 'rubbish ');
  writeSync(handle, rubbish, 0, rubbish.length, from);
  closeSync(handle);
}

describe('A file locked by another process', () => {
  it('makes writes fail within 2 s; confirmed data stay, and writes succeed after its release (threat 7.3)', async () => {
    const folder = temporaryFolder();
    const { refused, done, file } = await consoleIn(folder);
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
    expect(await committed(file)).toBe('later');
  });
});

describe('A file lost while the console runs', () => {
  const losses: [string, (file: string) => void][] = [
    ['removed', (file) => rmSync(file)],
    ['moved away', (file) => renameSync(file, `${file}.old`)],
    ['replaced by a copy', (file) => (copyFileSync(file, `${file}.copy`), renameSync(`${file}.copy`, file))],
    ['emptied', (file) => truncateSync(file)],
    ['cut short', (file) => truncateSync(file, statSync(file).size - 4096)],
    ['removed, its write-ahead log alone', (file) => rmSync(`${file}-wal`)],
    ['emptied, its write-ahead log alone', (file) => truncateSync(`${file}-wal`)],
  ];

  it.each(losses)('makes each write and /readyz fail with 503: %s (threat 7.5)', async (_, lose) => {
    const { url, done, refused, file } = await consoleIn(temporaryFolder());
    await done('setSetting', providerId('confirmed'));
    lose(file);
    for (const attempt of ['first', 'second'])
      expect(await refused('setSetting', providerId(attempt))).toMatchObject({
        status: 503,
        code: 'store-failed',
        detail:
          'The console’s file was removed, replaced or cut short, and stores nothing any more: stop the console, put the file back and start it again.',
      });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ store: false });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('makes /readyz fail before any write (threat 7.5)', async () => {
    const { url, file } = await consoleIn(temporaryFolder());
    rmSync(file);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ store: false });
  });

  it('is written again after the same file was put back', async () => {
    const { done, refused, file } = await consoleIn(temporaryFolder());
    await done('setSetting', providerId('confirmed'));
    renameSync(file, `${file}.old`);
    await refused('setSetting', providerId('lost'));
    renameSync(`${file}.old`, file);
    expect((await done('setSetting', providerId('later'))).providerId).toBe('later');
    expect(await committed(file)).toBe('later');
  });
});

describe('A damaged file', () => {
  it('makes reads fail with 500 while the console runs, instead of returning empty lists (threat 7.10)', async () => {
    const { refused, done, db, file } = await consoleIn(temporaryFolder());
    for (let size = 0; size < 20; size += 1) await done('setSetting', providerId(textOf(5000 + size)));
    db.exec('pragma wal_checkpoint(truncate); pragma shrink_memory');
    spoil(file, 4096);
    for (const name of ['getSettings', 'getDebtors', 'getPostedBatches'] as const)
      expect(await refused(name), name).toMatchObject({ status: 500, code: 'store-failed' });
  });
});
