import { describe, expect, it } from 'vitest';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';

function back(outcome: string, facts = factsAfter('accessToken')) {
  const { actor } = live(userTokenMachine, { input: { outcome, facts } });
  return actor.getSnapshot();
}

describe('the page of the user token', () => {
  it.each([
    ['before the first login', '', factsAfter('accessToken'), 'loggedOut'],
    ['while a token is stored', '', factsAfter('userToken'), 'loggedIn'],
    ['back from a login that gave one', 'ok', factsAfter('userToken'), 'loggedIn'],
    ['back from a login whose token has gone since', 'ok', factsAfter('accessToken'), 'loggedOut'],
  ])('shows, %s, whether there is a token', (_, outcome, facts, place) => {
    expect(back(outcome, facts)).toMatchObject({ value: place, context: { failure: null } });
  });

  it('says how a login ended that gave no token, although one is stored', () => {
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
