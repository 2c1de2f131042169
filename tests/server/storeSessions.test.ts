import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '#server/clock.ts';
import { bytesIn, temporaryFolder, testStores } from '#tests/support/store.ts';

const hour = 60 * 60_000;
const session = { workspace: 'workspace-1', name: 'A User', idToken: 'the-id-token' };

/** Sessions on a clock that the test sets. */
function sessionsFrom(folder?: string) {
  let now = 0;
  const clock: Clock = { ...systemClock, now: () => now };
  const { sessions } = testStores(folder, undefined, clock);
  return { ...sessions, at: (ms: number) => (now = ms) };
}

describe('a session', () => {
  it('is known by its id alone until it is ended, beside other sessions', () => {
    const sessions = sessionsFrom();
    const [one, other] = [sessions.begin(session), sessions.begin({ ...session, name: 'Another' })];
    expect(sessions.use('unknown')).toBeUndefined();
    expect(sessions.use(one)).toEqual(session);
    sessions.end(one);
    expect(sessions.use(one)).toBeUndefined();
    expect(sessions.use(other)).toMatchObject({ name: 'Another' });
  });

  it('ends after an hour without a request', () => {
    const sessions = sessionsFrom();
    const id = sessions.begin(session);
    sessions.at(hour - 1);
    expect(sessions.use(id)).toEqual(session);
    sessions.at(2 * hour - 2);
    expect(sessions.use(id)).toEqual(session);
    sessions.at(3 * hour - 2);
    expect(sessions.use(id)).toBeUndefined();
  });

  it('ends after twelve hours in any case', () => {
    const sessions = sessionsFrom();
    const id = sessions.begin(session);
    for (let passed = hour / 2; passed < 12 * hour; passed += hour / 2) {
      sessions.at(passed);
      expect(sessions.use(id)).toEqual(session);
    }
    sessions.at(12 * hour);
    expect(sessions.use(id)).toBeUndefined();
  });

  it('shows neither its id nor the user in the file', () => {
    const folder = temporaryFolder();
    const sessions = sessionsFrom(folder);
    const id = sessions.begin(session);
    expect(id).toMatch(/^[\w-]{43}$/);
    const bytes = bytesIn(folder);
    expect(bytes).toContain('aes256gcm:');
    for (const secret of [id, 'the-id-token', 'A User']) expect(bytes).not.toContain(secret);
  });
});
