import { describe, expect, it } from 'vitest';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { identityProvider, type Behaviour } from '#tests/support/identityProvider.ts';
import { common, integratorAt } from '#tests/support/integrator.ts';
import { problemOf } from '#tests/support/programs.ts';
import { userAgent } from '#tests/support/userAgent.ts';

const minute = 60_000;
const hour = 60 * minute;
const paused = { status: 401, detail: expect.stringContaining('is paused: the sign-in service no longer confirms') as string }; // prettier-ignore

/** A console whose user has a program, and the provider's behaviour, which the test changes. */
async function withProgram(behaviour: Behaviour = { refreshes: true }) {
  const upstream = await fakeUpstream({ '/v3/': answering({}) });
  const shared = await sharedUse({
    upstreamUrl: () => Promise.resolve(upstream.url),
    provider: (url) => identityProvider(url, behaviour),
  });
  const user = await shared.signedIn('ada');
  const program = await integratorAt(shared.url, user);
  /** The status of a call of the program, and the problem if it is refused. */
  async function called() {
    const answered = await program.called('GET', '/v3/providers', common);
    return answered.status < 400 ? answered.status : problemOf(answered);
  }
  return { ...shared, user, upstream, called };
}

describe('A program’s token', () => {
  it.each([
    ['the browser was closed', () => Promise.resolve()],
    ['the user has signed out', async ({ user }: Awaited<ReturnType<typeof withProgram>>) => user.done('signOut')],
  ])(
    'works for days without its owner’s browser while the provider renews the refresh token, after %s (threat 6.43)',
    async (_, leave) => {
      const asked: string[] = [];
      const scene = await withProgram({ refreshes: true, asked });
      await leave(scene);
      for (const passed of [3 * minute, 13 * hour, 48 * hour, 15 * 24 * hour]) {
        scene.wait(passed);
        asked.splice(0);
        expect(await Promise.all([scene.called(), scene.called()])).toEqual([200, 200]);
        expect(asked).toEqual(['/token', '/me']);
        expect(await scene.called(), 'without another question').toBe(200);
        expect(asked).toHaveLength(2);
      }
      expect(await scene.user.refused('getSettings'), 'the browser has no session').toMatchObject({
        code: 'signed-out',
      });
    },
  );

  it.each([
    ['a refresh token', true],
    ['an access token alone', false],
  ])('is paused within two minutes once the provider disables its owner, by %s (threat 6.43)', async (_, refreshes) => {
    const disabled = new Set<string>();
    const { called, wait, upstream, signedIn } = await withProgram({ refreshes, disabled });
    expect(await called()).toBe(200);
    disabled.add('ada');
    wait(2 * minute);
    const before = upstream.asked.length;
    expect(await called()).toMatchObject(paused);
    expect(upstream.asked).toHaveLength(before);
    disabled.clear();
    wait(minute);
    expect(await called(), 'until the owner signs in').toMatchObject(paused);
    await signedIn('eve');
    wait(minute);
    expect(await called(), 'whoever else signs in').toMatchObject(paused);
    await signedIn('ada');
    wait(2000);
    expect(await called()).toBe(200);
  });

  it('is paused after a removal at the provider that happens while no browser is open (threat 6.43)', async () => {
    const disabled = new Set<string>();
    const { called, wait, signedIn } = await withProgram({ refreshes: true, disabled });
    wait(13 * hour);
    disabled.add('ada');
    await signedIn('eve'); // deletes sessions that are over
    expect(await called()).toMatchObject(paused);
  });

  it('works for ten minutes while the provider is down, is refused with 503 then, and works again (threat 6.43)', async () => {
    const behaviour: Behaviour = { refreshes: true };
    const { called, wait } = await withProgram(behaviour);
    behaviour.fails = 'cut';
    wait(9 * minute);
    expect(await called()).toBe(200);
    wait(2 * minute);
    expect(await called()).toMatchObject({ status: 503, retryAfter: 30 });
    behaviour.fails = undefined;
    wait(minute);
    expect(await called()).toBe(200);
  });

  it('that a user has never made leaves no session behind after signing out', async () => {
    const { signedIn, storage, url, wait } = await sharedUse();
    const { cookiesFor, done } = await signedIn('ada');
    const stolen = userAgent();
    stolen.cookiesFor(url).set('session', cookiesFor(url).get('session')!);
    await done('signOut');
    wait(minute);
    expect(await storage.sessions().all({ usedAt: 0, startedAt: 0 })).toEqual([]);
  });
});
