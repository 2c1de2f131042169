import { describe, expect, it } from 'vitest';
import { createSessions, pruneUndatedSessions } from '#server/auth/sessions.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { aSession, bytesIn, connectionTo, temporaryFolder, storageIn } from '#tests/support/store.ts';

const hour = 60 * 60_000;
const session = { ...aSession, name: 'A User', idToken: 'the-id-token', refreshToken: 'the-refresh-token' };

/** Sessions on a steady clock that the test moves from `now` (ms), addressed by key instead of id. */
async function sessionsFrom(folder?: string, now = 0) {
  const clock: Clock = { ...systemClock, steady: () => now };
  const storage = await storageIn(folder, undefined, clock);
  await pruneUndatedSessions(storage, clock);
  const sessions = createSessions(storage, clock);
  return {
    ...sessions,
    begin: async (each: typeof session) => sessions.keyOf(await sessions.begin(each)),
    at: (ms: number) => (now = ms),
  };
}

describe('A stored session', () => {
  it('expires after an hour without a request', async () => {
    const sessions = await sessionsFrom();
    const id = await sessions.begin(session);
    sessions.at(hour - 1);
    expect(await sessions.use(id)).toEqual(session);
    sessions.at(2 * hour - 2);
    expect(await sessions.use(id)).toEqual(session);
    sessions.at(3 * hour - 2);
    expect(await sessions.use(id)).toBeUndefined();
  });

  it('expires after twelve hours even if it is used', async () => {
    const sessions = await sessionsFrom();
    const id = await sessions.begin(session);
    for (let passed = hour / 2; passed < 12 * hour; passed += hour / 2) {
      sessions.at(passed);
      expect(await sessions.use(id)).toEqual(session);
    }
    sessions.at(12 * hour);
    expect(await sessions.use(id)).toBeUndefined();
  });

  it('reveals neither its id, its tokens nor the user’s name in the database file', async () => {
    const folder = temporaryFolder();
    const sessions = createSessions(await storageIn(folder), systemClock);
    const id = await sessions.begin(session);
    expect(id).toMatch(/^[\w-]{43}$/);
    const bytes = bytesIn(folder);
    expect(bytes).toContain('aes256gcm:');
    for (const secret of [id, 'the-id-token', 'the-access-token', 'the-refresh-token', 'A User'])
      expect(bytes).not.toContain(secret);
  });

  it('neither expires early nor late when the machine’s clock is set forward or back (threat 7.9)', async () => {
    let wall = Date.now();
    let steady = 0;
    const clock = { ...systemClock, now: () => wall, steady: () => steady };
    const sessions = createSessions(await storageIn(undefined, undefined, clock), clock);
    const key = sessions.keyOf(await sessions.begin(session));
    for (const step of [13 * hour, -26 * hour]) {
      wall += step;
      expect(await sessions.use(key)).toEqual(session);
    }
    steady += hour;
    expect(await sessions.use(key)).toBeUndefined();
  });

  it('has expired after a restart if its time is in the future because the clock was set back (threat 7.9)', async () => {
    const folder = temporaryFolder();
    const before = await sessionsFrom(folder, 24 * hour);
    const key = await before.begin(session);
    expect(await (await sessionsFrom(folder, 24 * hour)).use(key)).toEqual(session);
    expect(await (await sessionsFrom(folder, 23 * hour)).use(key)).toBeUndefined();
  });

  it('is not restored by an update after it has ended', async () => {
    const sessions = await sessionsFrom();
    const key = await sessions.begin(session);
    await sessions.change(key, { confirmedAt: 1 });
    expect(await sessions.use(key)).toEqual({ ...session, confirmedAt: 1 });
    await sessions.end(key);
    await sessions.change(key, { confirmedAt: 2 });
    expect(await sessions.use(key)).toBeUndefined();
  });

  it('reports each operation as failed while another process locks the file, and ends correctly afterwards', async () => {
    const folder = temporaryFolder();
    const sessions = await sessionsFrom(folder);
    const key = await sessions.begin(session);
    const other = connectionTo(folder);
    other.exec('begin exclusive');
    sessions.at(5000);
    for (const write of [
      () => sessions.use(key),
      () => sessions.begin(session),
      () => sessions.change(key, { confirmedAt: 1 }),
      () => sessions.end(key),
    ])
      await expect(write()).rejects.toThrow(/locked|another process is using it/);
    other.exec('rollback');
    await sessions.end(key);
    expect(await (await sessionsFrom(folder)).use(key)).toBeUndefined();
  });
});
