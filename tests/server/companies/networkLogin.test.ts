import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

async function loggingIn(userInfo = answering({ sub: 'user', email: 'user@example.com' })) {
  const service = await fakeUpstream({
    [endpoints.userInfo]: userInfo,
    [endpoints.accounts]: answering({ data: { id: 'a' } }),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  const start = async () => {
    const { fields } = await server.done('startLogin', {});
    return fields['state'] ?? '';
  };
  return { ...server, service, start };
}
const account = {
  data: {
    type: 'Account' as const,
    attributes: { externalId: 'e', externalSource: 'console' },
    owner: { user: { email: 'user@example.com', locale: 'en-GB', identityId: 'user' } },
  },
};

describe('The network login', () => {
  it('sends the user to the identity provider with a new state and this console’s redirect URI', async () => {
    const { done, url, config } = await loggingIn();
    const [first, second] = [await done('startLogin', {}), await done('startLogin', {})];
    expect(first).toEqual({
      action: config.upstream.authorizeUrl,
      fields: {
        response_type: 'token',
        scope: 'openid profile email',
        client_id: config.upstream.clientId,
        redirect_uri: `${url}/api/jwtredirect`,
        state: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, // vitest types its matchers as any
      },
    });
    expect(second.fields['state']).not.toBe(first.fields['state']);
  });

  it('stores the token after the identity provider has confirmed it, and never returns it (threat 3.26)', async () => {
    const { done, start, service } = await loggingIn();
    const token = unsignedJwt(600);
    const answer = await done('storeUserToken', { body: { token, state: await start() } });
    expect(answer).toMatchObject({ email: 'user@example.com' });
    expect(Date.parse(answer.expiresAt)).toBeGreaterThan(Date.now());
    const { headers } = service.askedFor(endpoints.userInfo)[0]!;
    expect(headers.authorization).toBe(`Bearer ${token}`);
    expect(headers, 'the identity provider is another party than the one who gave the API key').not.toHaveProperty(
      'x-api-key',
    );
    expect((await done('getSettings')).userJwt).toBe('••••••••');
  });

  it('accepts each state once, also from concurrent requests (threat 1.7)', async () => {
    const { call, start } = await loggingIn();
    const body = { token: unsignedJwt(), state: await start() };
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('storeUserToken', { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it('is refused after ten minutes', async () => {
    const { refused, store } = await loggingIn();
    await store.logins.put('late', { startedAt: Date.now() - 10 * 60_000 });
    const body = { token: unsignedJwt(), state: 'late' };
    expect(await refused('storeUserToken', { body })).toMatchObject({ status: 401, code: 'login-expired' });
  });

  it('is refused with a state that was not issued (threat 1.7)', async () => {
    const { refused, done } = await loggingIn();
    const body = { token: unsignedJwt(), state: 'invented' };
    expect(await refused('storeUserToken', { body })).toMatchObject({ status: 401, code: 'login-unusable' });
    expect((await done('getSettings')).userJwt).toBe('');
  });

  it.each([
    ['state', { token: unsignedJwt(), state: '' }],
    ['token', { token: '', state: 'state' }],
  ])('is refused without a %s, and names what is missing (behaviour 7.7)', async (missing, body) => {
    const { refused } = await loggingIn();
    const { code, detail } = await refused('storeUserToken', { body });
    expect([code, detail]).toEqual(['login-unusable', `The identity provider returned no ${missing}: log in again.`]);
  });

  it('does not store a token that the identity provider rejects, and names the interaction (behaviour 7.19)', async () => {
    const { refused, done, start } = await loggingIn(answering({ title: 'expired', status: 401, code: 'No' }, 401));
    const body = { token: unsignedJwt(-10), state: await start() };
    expect(await refused('storeUserToken', { body })).toMatchObject({
      status: 401,
      code: 'login-expired',
      interactionId: expect.any(String) as unknown,
    });
    expect((await done('getSettings')).userJwt).toBe('');
  });
});

it.each([
  [{ name: 'Ada', email: 'ada@example.test' }, 'Ada'],
  [{ name: '', email: 'ada@example.test' }, 'ada@example.test'],
  [{ name: 5 }, ''],
  [{}, ''],
])('GET /api/facts names the user of a token with the claims %j as "%s"', async (claims, user) => {
  const { done, store } = await loggingIn();
  await store.settings.write('userJwt', unsignedJwt(1200, claims));
  expect(await done('getFacts')).toMatchObject({ userToken: true, user });
});

describe('Creating a network account', () => {
  it('requires a user token that has not expired', async () => {
    const { refused, store, service } = await loggingIn();
    expect(await refused('createAccount', { body: account })).toMatchObject({
      status: 409,
      code: 'prerequisite-missing',
      detail: 'You must get a user token before creating an account',
    });
    await store.settings.write('userJwt', unsignedJwt(-1));
    expect(await refused('createAccount', { body: account })).toMatchObject({ status: 401, code: 'token-expired' });
    expect(service.askedFor(endpoints.accounts)).toEqual([]);
  });

  it('sends the user token as bearer token and stores the account’s id', async () => {
    const { done, store, service } = await loggingIn();
    const token = unsignedJwt();
    await store.settings.write('userJwt', token);
    expect(await done('createAccount', { body: account })).toEqual({ data: { data: { id: 'a' } } });
    expect(service.askedFor(endpoints.accounts)[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect((await done('getSettings')).accountId).toBe('a');
    await store.settings.write(
      'userJwt',
      unsignedJwt(1200, { sub: 'u', exp: 4e9, iat: 1.7e9, scope: 'openid accounts:read' }),
    );
    const login = { subject: 'u', issuedAt: '2023-11-14T22:13:20.000Z', expiresAt: '2096-10-02T07:06:40.000Z' };
    expect((await done('getFacts')).login).toEqual({ ...login, scopes: ['openid', 'accounts:read'] });
    await store.settings.write('userJwt', 'opaque');
    const unknown = { subject: '', issuedAt: '', expiresAt: '', scopes: ['openid', 'profile', 'email'] };
    expect((await done('getFacts')).login, 'of a token that is no JWT: what was asked for').toEqual(unknown);
    await store.settings.write('userJwt', unsignedJwt(-1, { name: 'Ada' }));
    expect(await done('getFacts'), 'once it has expired').toMatchObject({
      userToken: false,
      user: '',
      login: null,
      settings: { accountId: 'a' },
    });
  });
});
