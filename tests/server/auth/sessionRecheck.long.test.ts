import { describe, expect, it } from 'vitest';
import { identityProvider, type Behaviour } from '#tests/support/identityProvider.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';

const minute = 60_000;

/** A console with a provider whose behaviour the test changes. */
async function at(behaviour: Behaviour) {
  return sharedUse({ provider: (url) => identityProvider(url, behaviour) });
}

describe.each([
  ['the user’s claims', false],
  ['a refresh token', true],
])('A session rechecked by %s', (_, refreshes) => {
  it('continues while the provider confirms it, with one recheck for concurrent requests', async () => {
    const asked: string[] = [];
    const { signedIn, wait } = await at({ refreshes, asked });
    const { done } = await signedIn('ada');
    for (let passed = 0; passed < 20; passed += 2) {
      wait(2 * minute);
      asked.splice(0);
      await Promise.all(Array.from({ length: 10 }, () => done('getSettings')));
      expect(asked).toEqual(refreshes ? ['/token', '/me'] : ['/me']);
    }
  });

  it('ends within two minutes after the user was disabled; other users’ sessions continue (threat 2.12)', async () => {
    const disabled = new Set<string>();
    const { url, signedIn, wait } = await at({ refreshes, disabled });
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    disabled.add('ada');
    wait(2 * minute);
    expect(await ada.refused('getSettings')).toMatchObject({ status: 401, code: 'signed-out' });
    expect((await ada.visit(`${url}/settings`)).headers.get('location')).toMatch(/^\/signin/);
    disabled.clear();
    expect(await ada.refused('getSettings'), 'over is over').toMatchObject({ code: 'signed-out' });
    await ben.done('getSettings');
  });

  it.each(['cut', 'broken'] as const)(
    'continues for ten minutes while the provider is %s, then is refused until it responds (threat 2.12)',
    async (fails) => {
      const behaviour: Behaviour = { refreshes };
      const { signedIn, wait } = await at(behaviour);
      const { done, refused } = await signedIn('ada');
      behaviour.fails = fails;
      wait(9 * minute);
      await done('getSettings');
      wait(minute);
      expect(await refused('getSettings')).toMatchObject({
        status: 401,
        code: 'signed-out',
        detail: 'The sign-in service cannot be asked whether you may continue: try again later.',
      });
      behaviour.fails = undefined;
      wait(11 * minute);
      await done('getSettings');
    },
  );
});

describe('A session', () => {
  it('waits less than 9 s for an unresponsive identity provider, with one recheck for concurrent requests (threat 2.12)', async () => {
    const asked: string[] = [];
    const behaviour: Behaviour = { asked };
    const { signedIn, wait } = await at(behaviour);
    const { done } = await signedIn('ada');
    behaviour.fails = 'silent';
    asked.splice(0);
    wait(5 * minute);
    const started = performance.now();
    await Promise.all([done('getSettings'), done('getSettings')]);
    expect(performance.now() - started).toBeLessThan(9000);
    expect(asked).toEqual(['/me']);
  });

  it('gives the page a unique and constant subject id for its user (threat 2.13)', async () => {
    const { url, signedIn } = await sharedUse();
    const subjectOf = async (login: string) => {
      const { visit } = await signedIn(login);
      const text = await (await visit(`${url}/`)).text();
      return /name="subject" content="(\w+)"/.exec(text)?.[1];
    };
    // Both have the same display name.
    const [ada, other, again] = [await subjectOf('ada'), await subjectOf('ada 2'), await subjectOf('ada')];
    expect(ada).toMatch(/^[0-9a-f]{32}$/);
    expect(again).toBe(ada);
    expect(other).not.toBe(ada);
  });
});
