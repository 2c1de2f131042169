// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { UserTokenStep } from '#steps/onboarding/UserTokenStep.tsx';
import { secretIsSet } from '#contract/secrets.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { drawn } from './drawn.tsx';

const login = {
  action: 'http://identity.test/authorize',
  fields: { response_type: 'token', scope: 'openid profile email', state: 'state-1' },
};

function open(facts = factsAfter('accessToken'), outcome = '') {
  const step = drawn(userTokenMachine, UserTokenStep, { input: { outcome, interactionId: '', facts } });
  return step;
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('the user token', () => {
  it('says that the session has expired (behaviour 7.31)', () => {
    open(withFacts(factsAfter('accessToken'), { settings: { userJwt: secretIsSet } }));
    expect(screen.getByText('Session expired')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Log in' })).toBeTruthy();
  });

  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['ada@example.com', 'ada@example.com'],
    ['', 'The user token names nobody'],
  ])('says who has logged in as "%s" (behaviour 7.31)', (user, said) => {
    open(withFacts(factsAfter('userToken'), { user }));
    expect(screen.getByRole('heading', { level: 2, name: said })).toBeTruthy();
  });

  it('says what the token may be used for, and what needs it (behaviour 7.31)', () => {
    const login = { subject: '', issuedAt: '2026-11-26T15:00:00Z', expiresAt: '', scopes: ['openid', 'accounts:read'] };
    open(withFacts(factsAfter('account'), { login }));
    expect(screen.getByText('Expiry unknown')).toBeTruthy();
    expect(screen.getByText('Identifies the user')).toBeTruthy();
    expect(screen.getAllByText('accounts:read')).toHaveLength(2);
    const users = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(users.map(({ textContent }) => textContent)).toEqual(['Create AccountCreated', 'Create DataSetNext']);
  });

  it('says that somebody is logged in, and offers to log in again', () => {
    open(factsAfter('userToken'));
    expect(screen.getByText('Logged in')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Log in again' })).toBeTruthy();
  });

  it('goes to the identity provider with a GET form that carries the fields of the login (behaviour 7.5)', async () => {
    const submitted: HTMLFormElement[] = [];
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
      submitted.push(this);
    });
    const { user, answer } = open();
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    await answer('startLogin', login);
    const [form] = submitted;
    if (!form) throw new Error('No form was submitted');
    expect(form.method).toBe('get');
    expect(form.action).toBe(login.action);
    expect(Object.fromEntries(new FormData(form))).toEqual(login.fields);
  });
});
