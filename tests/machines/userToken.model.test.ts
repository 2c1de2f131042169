import { describe, expect, it } from 'vitest';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';

function back(outcome: string, facts = factsAfter('accessToken')) {
  const { actor } = live(userTokenMachine, { input: { outcome, facts } });
  return actor.getSnapshot();
}

describe('the user token page', () => {
  it.each([
    ['before the first login', '', factsAfter('accessToken'), 'loggedOut'],
    ['while a token is stored', '', factsAfter('userToken'), 'loggedIn'],
    ['after a login that returned a token', 'ok', factsAfter('userToken'), 'loggedIn'],
    ['after a login whose token was deleted since', 'ok', factsAfter('accessToken'), 'loggedOut'],
  ])('shows, %s, whether there is a token', (_, outcome, facts, place) => {
    expect(back(outcome, facts)).toMatchObject({ value: place, context: { failure: null } });
  });

  it('shows how a login without a token ended, although a token is stored', () => {
    expect(back('access_denied', factsAfter('userToken'))).toMatchObject({
      value: 'refused',
      context: {
        failure: {
          type: 'about:blank',
          title: 'Login failed',
          detail: 'The identity provider returned "access_denied". Nothing was stored.',
          code: 'login-refused',
        },
      },
    });
  });
});
