import { describe, it, expect } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { testSandbox } from '../harness.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const query = {
  response_type: 'token',
  scope: 'openid profile email',
  client_id: sandboxCredentials.clientId,
  redirect_uri: 'http://127.0.0.1:3000/api/jwtredirect',
  state: 's&1',
};
const page = (changes = {}) => `${endpoints.authorize}?${new URLSearchParams({ ...query, ...changes })}`;

type Sandbox = Awaited<ReturnType<typeof testSandbox>>;

/** Sends the login form; returns the address and parameters of the redirect. */
async function logIn(sandbox: Sandbox, outcome: string, person = { name: 'Sandbox User', email: 'User@Example.com' }) {
  const body = new URLSearchParams({ ...query, ...person, outcome });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await sandbox.call('POST', page(), { body, headers });
  const [address, fragment] = (answer.headers.get('location') ?? '').split('#');
  return { status: answer.status, body: answer.body, address, back: Object.fromEntries(new URLSearchParams(fragment)) };
}

const account = (identityId: string) => ({
  data: {
    type: 'Account',
    attributes: { externalId: 'a-1', externalSource: 'console' },
    owner: { user: { email: 'user@example.com', locale: 'en', identityId } },
  },
});
const dataset = {
  data: { type: 'DataSet', attributes: { name: 'D', country: 'GB', externalId: 'd-1', externalSource: 'console' } },
};

describe('the identity provider', () => {
  it('asks for a name and an e-mail address, and offers its outcomes', async () => {
    const sandbox = await testSandbox();
    const { status, text } = await sandbox.call('GET', page());
    expect(status).toBe(200);
    for (const part of ['name="name"', 'name="email"', 'Log in</button>', 'Refuse</button>', 'expired token</button>'])
      expect(text).toContain(part);
    expect(text).toContain('value="s&amp;1"');
  });

  it('redirects the user with a token that identifies them (wire 2.5.1)', async () => {
    const sandbox = await testSandbox();
    const { status, address, back } = await logIn(sandbox, 'login');
    expect({ status, address }).toEqual({ status: 303, address: query.redirect_uri });
    expect(back).toMatchObject({ token_type: 'Bearer', expires_in: '1200', state: 's&1' });
    const who = await sandbox.call('GET', endpoints.userInfo, { token: back['access_token'] ?? '' });
    expect(who.body).toMatchObject({ email: 'user@example.com', name: 'Sandbox User' });
    const again = await logIn(sandbox, 'login', { name: 'Another Name', email: 'user@example.com' });
    const same = await sandbox.call('GET', endpoints.userInfo, { token: again.back['access_token'] ?? '' });
    expect(same.body.sub).toBe(who.body.sub);
  });

  it('redirects a refusal with the state and without a token', async () => {
    const sandbox = await testSandbox();
    expect((await logIn(sandbox, 'refuse', { name: '', email: '' })).back).toEqual({
      error: 'access_denied',
      state: 's&1',
    });
  });

  it('can issue an expired token', async () => {
    const sandbox = await testSandbox();
    const { back } = await logIn(sandbox, 'expired');
    const answer = await sandbox.call('GET', endpoints.userInfo, { token: back['access_token'] ?? '' });
    expect(answer).toMatchObject({ status: 401, body: { detail: 'The token has expired' } });
  });

  it('refuses a foreign redirect address, an unknown client and an invalid address', async () => {
    const sandbox = await testSandbox({ redirectUris: ['https://console.example/back'] });
    const ask = async (changes: object) => (await sandbox.call('GET', page(changes))).status;
    expect(await ask({ redirect_uri: 'https://evil.example/' })).toBe(400);
    expect(await ask({ redirect_uri: 'http://127.0.0.1.evil.example/' })).toBe(400);
    expect(await ask({ redirect_uri: 'javascript:alert(1)' })).toBe(400);
    expect(await ask({ client_id: 'someone' })).toBe(400);
    expect(await ask({ redirect_uri: 'https://console.example/back' })).toBe(200);
  });

  it('names the invalid field of the login form', async () => {
    const sandbox = await testSandbox();
    const { status, body } = await logIn(sandbox, 'login', { name: 'Sandbox User', email: 'nowhere' });
    expect({ status, path: body.errors[0]?.path }).toEqual({ status: 400, path: 'email' });
  });
});

describe('network accounts and data sets', () => {
  it('are created in this order, for the user of the token (wire 2.5.2, 2.5.3)', async () => {
    const sandbox = await testSandbox();
    const token = (await logIn(sandbox, 'login')).back['access_token'] ?? '';
    const { sub } = (await sandbox.call('GET', endpoints.userInfo, { token })).body;
    const post = (path: string, body: unknown) => sandbox.call('POST', path, { body, token });

    expect((await post(endpoints.datasets, dataset)).status).toBe(422);
    expect((await post(endpoints.accounts, account('someone else'))).body.errors[0]?.path).toBe(
      'data.owner.user.identityId',
    );
    const made = await post(endpoints.accounts, account(sub));
    expect(made).toMatchObject({ status: 201, body: { data: { type: 'Account' } } });
    expect(made.body.data.id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await post(endpoints.datasets, dataset)).status).toBe(201);
    const abroad = { data: { ...dataset.data, attributes: { ...dataset.data.attributes, country: 'GBR' } } };
    expect((await post(endpoints.datasets, abroad)).body.errors[0]?.path).toBe('data.attributes.country');
    expect((await sandbox.call('POST', endpoints.datasets, { body: dataset })).status).toBe(401);
  });
});
