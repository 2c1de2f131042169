import { describe, expect, it } from 'vitest';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';

function back(outcome: string, facts = factsAfter('accessToken')) {
  const { actor } = live(userTokenMachine, { input: { outcome, interactionId: '', facts } });
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

  it.each([
    ['access_denied', 'login-refused', 'You declined', 'returned “access_denied”'],
    ['login_required', 'login-refused', 'The login was refused', 'returned “login_required”'],
    ['login-expired', 'login-expired', 'The token had expired', 'not stored'],
    ['login-unusable', 'login-unusable', 'The login could not be used', 'Nothing was stored'],
    ['server_error', 'login-unusable', 'The login could not be used', 'returned “server_error”'],
    ['constructor', 'login-unusable', 'The login could not be used', 'returned “constructor”'],
    ['upstream-timeout', 'upstream-timeout', 'The token of the login was not stored', ''],
    ['console-unreachable', 'console-unreachable', 'The token of the login was not stored', ''],
  ])(
    'tells the outcome %s by a text of its own, although a token is stored (behaviour 7.19)',
    (outcome, code, title, detail) => {
      const { value, context } = back(outcome, factsAfter('userToken'));
      expect([value, context.failure]).toMatchObject(['refused', { code, title }]);
      expect(context.failure?.detail).toContain(detail);
      expect(context.failure).not.toHaveProperty('interactionId');
    },
  );

  it('names the interaction in which the service rejected the token', () => {
    const input = { outcome: 'login-expired', interactionId: 'interaction-1', facts: factsAfter('accessToken') };
    const { context } = live(userTokenMachine, { input }).actor.getSnapshot();
    expect(context.failure).toMatchObject({ interactionId: 'interaction-1' });
  });
});
