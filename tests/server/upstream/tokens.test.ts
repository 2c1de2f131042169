import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { clientOf, company, problemOf, subscription } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

const senseless = ['soon', '1893456000', 1e15, 1e300, -1, -1e15, null, true, [], {}, undefined];

/** A token with this payload, which may hold numbers that JSON.stringify cannot write. */
const written = (payload: string) => `e30.${Buffer.from(payload).toString('base64url')}.signature`;

describe('An access token', () => {
  it.each<[string, string]>([
    ...senseless.map((exp): [string, string] => [JSON.stringify(exp) ?? 'none', unsignedJwt(0, { exp })]),
    ['beyond all numbers', written('{"exp":1e999}')],
    ['a payload that is no object', written('7')],
    ['in the past', unsignedJwt(-60)],
    ['no JWT', 'token'],
    ['a line break', `${unsignedJwt()}\r\nX-Evil: 1`],
    ['nothing', ''],
  ])('with the expiry %s is refused, and not requested again with each call (threat 3.11)', async (_, jwt) => {
    const service = await fakeUpstream({ [endpoints.accessToken]: answering({ jwt }) });
    const client = clientOf(service.url);
    for (let calls = 0; calls < 5; calls += 1)
      expect(await problemOf(client.subscription(company, 's'))).toMatchObject({
        code: 'upstream-invalid',
        detail: expect.stringContaining('The access token of the payments service') as string,
      });
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(1);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(0);
  });

  it.each([
    { companyId: 'another' },
    { organisationId: 'another', companyId: company.companyId },
    { organisationId: company.organisationId, companyId: 'ANOTHER' },
  ])('that is for %j is not used for another company (threat 3.32)', async (claims) => {
    const service = await fakeUpstream({ [endpoints.accessToken]: answering({ jwt: unsignedJwt(1200, claims) }) });
    const problem = await problemOf(clientOf(service.url).subscription(company, 's'));
    expect(problem).toMatchObject({ code: 'upstream-invalid' });
    expect(problem.detail).toContain('although one for');
    expect(service.askedFor(endpoints.subscriptions)).toEqual([]);
  });

  it('is not used for another company whose ids are the same when they are joined', async () => {
    const service = await fakeUpstream({
      [endpoints.accessToken]: (...exchange) => answering({ jwt: unsignedJwt() })(...exchange),
      [endpoints.subscriptions]: answering(subscription),
    });
    const client = clientOf(service.url);
    const { signingKey } = company;
    for (const [organisationId, companyId] of [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a","b', 'c'],
    ] as const)
      await client.subscription({ organisationId, companyId, signingKey }, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(3);
  });

  it('with a lifetime of seconds is used for half of it', async () => {
    const service = await fakeUpstream({
      [endpoints.accessToken]: answering({ jwt: unsignedJwt(20) }),
      [endpoints.subscriptions]: answering(subscription),
    });
    const client = clientOf(service.url);
    for (let calls = 0; calls < 5; calls += 1) await client.subscription(company, 's');
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(1);
  });

  it('that expired before it arrived, as after a suspended machine, is requested once more (wire 2.2.6)', async () => {
    let ahead = 0;
    const clock: Clock = {
      ...systemClock,
      now: () => Date.now() + ahead,
      steady: () => systemClock.steady() + ahead,
    };
    const day = 24 * 60 * 60_000;
    const service = await fakeUpstream({
      [endpoints.accessToken]: (response, asked) => {
        const jwt = unsignedJwt(1200 + ahead / 1000);
        if (ahead === 0) ahead = day;
        return answering({ jwt })(response, asked);
      },
      [endpoints.subscriptions]: answering(subscription),
    });
    expect(await clientOf(service.url, {}, clock).subscription(company, 's')).toMatchObject(subscription);
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(2);
  });

  it.each([
    ['has expired while the machine slept', 2 * 60 * 60_000],
    ['may have expired, because the clock was set back since', -60_000],
  ])('that %s is requested again instead of being sent', async (_, ms) => {
    let ahead = 0;
    const issued: string[] = [];
    const service = await fakeUpstream({
      [endpoints.accessToken]: (response, asked) => {
        issued.push(unsignedJwt(1200 + ahead / 1000, { jti: issued.length }));
        return answering({ jwt: issued.at(-1) })(response, asked);
      },
      [endpoints.subscriptions]: answering(subscription),
    });
    // The monotonic clock stops while a machine is suspended.
    const client = clientOf(service.url, {}, { ...systemClock, now: () => Date.now() + ahead });
    await client.subscription(company, 's');
    ahead = ms;
    await client.subscription(company, 's');
    await client.token(company);
    await client.provenToken(company);
    expect(service.askedFor(endpoints.subscriptions).map(({ headers }) => headers.authorization)).toEqual(
      issued.map((jwt) => `Bearer ${jwt}`),
    );
    expect(issued).toHaveLength(2);
  });

  it('proves for a minute that the service knows its company, or longer if the service is down', async () => {
    let now = Date.now();
    const service = await fakeUpstream({});
    const client = clientOf(service.url, { budget: 0 }, { ...systemClock, now: () => now });
    const { jwt } = await client.provenToken(company);
    service.scripts[endpoints.accessToken] = answering({ title: 'Busy' }, 503);
    for (const [ms, requests] of [
      [59_000, 1],
      [2000, 2],
      [59_000, 2],
      [2000, 3],
    ] as const) {
      now += ms;
      expect((await client.provenToken(company)).jwt).toBe(jwt);
      expect(service.askedFor(endpoints.accessToken)).toHaveLength(requests);
    }
  });

  it('no longer proves that the service knows its company after a 404', async () => {
    let passed = 0;
    const service = await fakeUpstream({ [endpoints.localInstruments]: answering({ data: [] }) });
    const client = clientOf(service.url, {}, { ...systemClock, now: () => Date.now() + passed });
    await client.provenToken(company);
    service.scripts[endpoints.accessToken] = answering({ title: 'Unknown' }, 404);
    passed += 61_000;
    expect(await problemOf(client.provenToken(company))).toMatchObject({ code: 'unknown-to-service' });
    expect(await problemOf(client.token(company))).toMatchObject({ code: 'unknown-to-service' });
  });

  it.each([
    ['once is requested once more', 1, 2, 'Authorised'],
    ['always is reported as unknown-to-service', Infinity, 2, 'unknown-to-service'],
  ])('that is refused %s (behaviour 6.8)', async (_, refusals, requests, outcome) => {
    const refused = { title: 'The token has expired', status: 401 };
    const service = await fakeUpstream({
      [endpoints.accessToken]: (response, asked) =>
        service.askedFor(endpoints.accessToken).length <= refusals
          ? answering(refused, 401)(response, asked)
          : answering({ jwt: unsignedJwt() })(response, asked),
      [endpoints.localInstruments]: answering({ data: [] }),
      [endpoints.subscriptions]: answering(subscription),
    });
    const asking = clientOf(service.url).subscription(company, 's');
    expect(
      await asking.then(
        ({ data }) => data.status,
        () => problemOf(asking).then(({ code }) => code),
      ),
    ).toBe(outcome);
    expect(service.askedFor(endpoints.accessToken)).toHaveLength(requests);
  });
});

describe('An access token that the service refuses', () => {
  it.each([400, 402, 404, 405, 409, 410, 422, 451, 499])(
    'with %i fails the call that needs it as a failure of the service, without its own words for that call (wire 2.2.11)',
    async (status) => {
      const refusal = { title: 'No', detail: 'No such thing', errors: [{ path: 'name', message: 'wrong' }] };
      const service = await fakeUpstream({
        [endpoints.accessToken]: answering(refusal, status),
        [endpoints.localInstruments]: answering({}, 500), // so that a 404 does not say that the organisation is unknown
      });
      const client = clientOf(service.url);
      for (const call of [
        client.createCompany(company, companyBody('Example & Co'), 'key'),
        client.batch(company, 'b'),
        client.subscription(company, 's'),
      ]) {
        const problem = await problemOf(call);
        expect(problem).toMatchObject({ code: 'upstream-failed', status: 502, upstream: { status } });
        expect(problem.detail).toBe(
          `The payments service gave no access token, which this request needs: it answered with status ${status}, No such thing.`,
        );
        expect(problem.errors).toBeUndefined();
      }
      const others = service.asked.filter(({ path }) => !/accessToken|localinstruments/.test(path));
      expect(others).toEqual([]);
    },
  );

  it.each([
    [401, 'key-rejected'],
    [403, 'upstream-forbidden'],
    [429, 'upstream-busy'],
    [503, 'upstream-busy'],
  ])('with %i is %s, as any other call would be', async (status, code) => {
    const service = await fakeUpstream({
      [endpoints.accessToken]: answering({ title: 'No' }, status),
      [endpoints.localInstruments]: answering({ title: 'No' }, status),
    });
    expect(await problemOf(clientOf(service.url).batch(company, 'b'))).toMatchObject({ code });
  });
});

describe('A user token', () => {
  it.each(senseless.slice(0, -1).map((exp) => [JSON.stringify(exp), exp]))(
    'with the expiry %s is refused and not stored',
    async (_, exp) => {
      const service = await fakeUpstream({ [endpoints.userInfo]: answering({ sub: 's', email: 'e' }) });
      const { done, refused, store } = await testConsole({ upstreamUrl: service.url });
      const { state = '' } = (await done('startLogin')).fields;
      const problem = await refused('storeUserToken', { body: { token: unsignedJwt(0, { exp }), state } });
      expect(problem.code).toMatch(/^(upstream-invalid|token-expired)$/);
      expect(await store.settings.read()).toEqual({});
      expect(service.asked).toEqual([]);
    },
  );
});
