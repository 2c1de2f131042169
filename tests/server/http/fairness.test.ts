import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { health } from '#tests/support/client.ts';
import { integratorAt } from '#tests/support/integrator.ts';
import { userAgent } from '#tests/support/userAgent.ts';

/** A burst of five requests, then one in a thousand seconds. */
const rate = { perSecond: 0.001, burst: 5 };

const statuses = async (times: number, ask: () => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let asked = 0; asked < times; asked += 1) found.push((await ask()).status);
  return found;
};

describe('The rate limit', () => {
  it('refuses no request because the machine’s clock is set forward or back (threat 7.9)', async () => {
    let step = 0;
    const clock = { ...systemClock, now: () => Date.now() + step };
    const { url } = await testConsole({
      upstreamUrl: (await fakeUpstream({})).url,
      rate: { perSecond: 1000, burst: 20 },
      clock,
    });
    for (const ms of [0, -600_000, 3_600_000, -86_400_000]) {
      step = ms;
      expect(new Set(await statuses(20, () => fetch(`${url}/api/openapi.json`))), String(ms)).toEqual(new Set([200]));
      expect((await fetch(`${url}/readyz`)).status, String(ms)).not.toBe(429);
    }
  });

  it('is separate for each user behind one address, and per address for clients without a session (threat 6.9)', async () => {
    const { url, signedIn } = await sharedUse({ rate });
    const [ada, ben] = [await signedIn('ada', '/signin'), await signedIn('ben', '/signin')];
    const get = () => ada.visit(`${url}/api/settings`);
    expect(await statuses(6, get)).toEqual([200, 200, 200, 200, 200, 429]);
    await ben.done('getSettings');

    // Clients with invented sessions are counted by address.
    const stranger = () => {
      const agent = userAgent();
      agent.cookiesFor(url).set('session', crypto.randomUUID());
      return agent.visit(`${url}/api/settings`);
    };
    expect(await statuses(6, stranger)).toEqual([401, 401, 401, 401, 401, 429]);
    await ben.done('getSettings');
    await (await signedIn('cleo', '/signin')).done('getSettings');
  });

  it('is shared by all sessions of a user (threat 6.9)', async () => {
    const { url, signedIn } = await sharedUse({ rate });
    const [desk, phone] = [await signedIn('ada', '/signin'), await signedIn('ada', '/signin')];
    const both = [desk, phone, desk, phone, desk, phone, desk];
    const found = [];
    for (const { visit } of both) found.push((await visit(`${url}/api/settings`)).status);
    expect(found).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await desk.refused('getSettings')).toMatchObject({
      detail: expect.stringMatching(/ came from you\.$/) as string,
    });
  });

  it('uses X-Forwarded-For for each client behind a trusted proxy, and ignores it otherwise (threat 6.11)', async () => {
    const said = async (trustedProxies: readonly string[]) => {
      const { url } = await sharedUse({ rate, trustedProxies });
      const from = (client: string) => async () =>
        fetch(`${url}/api/settings`, { headers: { 'x-forwarded-for': `${crypto.randomUUID()}, ${client}` } });
      return [await statuses(6, from('198.51.100.7')), await statuses(1, from('198.51.100.8'))];
    };
    expect(await said(['127.0.0.1'])).toEqual([[401, 401, 401, 401, 401, 429], [401]]);
    expect(await said(['10.0.0.0/8'])).toEqual([[401, 401, 401, 401, 401, 429], [429]]);
  });

  it('is shared by all addresses of an IPv6 /64 network (threat 6.11)', async () => {
    const { url } = await sharedUse({ rate, trustedProxies: ['127.0.0.1'] });
    let host = 0;
    const from = (network: string) => () =>
      fetch(`${url}/api/settings`, { headers: { 'x-forwarded-for': `${network}::${(host += 1)}` } });
    expect(await statuses(6, from('2001:db8:1:2'))).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await statuses(1, from('2001:db8:1:3'))).toEqual([401]);
  });

  it('of static files is separate from that of API calls, for each user and without a session (threat 6.10)', async () => {
    const { url, signedIn } = await sharedUse({ rate, steady: () => 0 });
    const [ada, ben] = [await signedIn('ada', '/signin'), await signedIn('ben', '/signin')];
    const file = (visit: (at: string) => Promise<{ status: number }>) => () => visit(`${url}/main.js`);
    expect(await statuses(20, file(ada.visit))).toEqual(Array.from({ length: 20 }, () => 200));
    await ada.done('getSettings');
    const many = await Promise.all(Array.from({ length: 981 }, () => ada.visit(`${url}/none.js`)));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(1);
    await ada.done('getSettings');
    expect(await statuses(1, file(ben.visit))).toEqual([200]);
    expect(await statuses(1, file(fetch))).toEqual([200]);
  });

  it('of static files does not apply to an API path in another spelling (threat 6.10)', async () => {
    const { url } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, rate });
    const call = () => fetch(`${url}/API/Providers/a.js`);
    expect((await statuses(6, call)).at(-1)).toBe(429);
  });

  it('of a user’s programs is shared by all their tokens, and separate from that of the pages (threat 6.28)', async () => {
    const upstream = await fakeUpstream({ '/v3/': answering({}) });
    const { url, done } = await testConsole({ upstreamUrl: upstream.url, rate });
    const [one, another] = [await integratorAt(url), await integratorAt(url)];
    const found = [];
    for (const program of [one, another, one, another, one, another])
      found.push((await program.called('GET', '/v3/providers')).status);
    expect(found).toEqual([200, 200, 200, 200, 200, 429]);
    await done('getSettings');
  });

  it('does not apply to health checks, webhooks and sign-in (threat 6.10)', async () => {
    const { url, signedIn } = await sharedUse({ rate });
    expect((await statuses(7, () => fetch(`${url}/api/openapi.json`))).at(-1)).toBe(429);
    expect(await statuses(20, () => fetch(`${url}/healthz`))).toEqual(Array.from({ length: 20 }, () => 200));
    const notify = () => fetch(`${url}/notifications`, { method: 'POST' });
    for (const status of await statuses(20, notify)) expect(status).toBe(403);
    await (await signedIn('ada', '/signin')).done('getSettings');
  });

  it('of /healthz is 1,000 requests, separate from those of webhooks and /readyz (threat 6.10)', async () => {
    const clock = { ...systemClock, steady: () => 0 };
    const { url } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, rate, clock });
    const look = async () => (await fetch(`${url}/healthz`)).status;
    const found = await Promise.all(Array.from({ length: 1001 }, look));
    expect(found.filter((status) => status === 429)).toHaveLength(1);
    expect((await fetch(`${url}/notifications`, { method: 'POST' })).status).toBe(403);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

describe('Reads to a service that does not respond', () => {
  it('delay neither another user’s requests nor the same user’s writes (threat 6.8)', async () => {
    const held: ServerResponse[] = [];
    let released = false;
    const service = await fakeUpstream({
      [endpoints.providers]: (response, { path }) => {
        if (path.includes('hanging') && !released) held.push(response);
        else response.writeHead(404).end();
      },
      [endpoints.createOrganisation]: answering({ organisationId: 'o', primarySigningKey: 'k' }, 201),
      [endpoints.consumerStatus]: answering(health),
    });
    const { url, signedIn } = await sharedUse({ upstreamUrl: () => Promise.resolve(service.url) });
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const reads = Array.from({ length: 64 }, (_, each) =>
      ada.call('getProvider', { params: { providerId: `hanging-${each}` } }),
    );
    await eventually(() => expect(held.length).toBeGreaterThanOrEqual(32));
    const started = performance.now();
    await ben.call('getProvider', { params: { providerId: 'prompt' } });
    await ada.done('createOrganisation', {
      body: organisationBody,
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(service.asked.map(({ path }) => path)).toContain(`${endpoints.providers}/prompt`);
    // Waiting requests get their turn.
    released = true;
    for (const response of held) response.writeHead(404).end();
    expect(await Promise.all(reads)).toHaveLength(64);
  });
});

describe('/readyz', () => {
  it('checks the service once for concurrent requests, and again after a second (threat 6.13)', async () => {
    const service = await fakeUpstream({ [endpoints.consumerStatus]: answering(health) });
    let passed = 0;
    const clock = { ...systemClock, steady: () => systemClock.steady() + passed };
    const { url } = await testConsole({ upstreamUrl: service.url, clock });
    const look = async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/readyz`)));
      expect(answers.every(({ ok }) => ok)).toBe(true);
    };
    await look();
    expect(service.asked).toHaveLength(1);
    passed += 1000;
    await look();
    expect(service.asked).toHaveLength(2);
  });

  it('has one request to the service at a time, and answers 200 if that times out (threat 6.13)', async () => {
    const held: ServerResponse[] = [];
    const service = await fakeUpstream({ [endpoints.consumerStatus]: (response) => void held.push(response) });
    let passed = 0;
    const clock = {
      ...systemClock,
      steady: () => systemClock.steady() + passed,
      setTimeout: (run: () => void) => systemClock.setTimeout(run, 20),
    };
    const { url } = await testConsole({ upstreamUrl: service.url, clock });
    const looked = async () => {
      const answer = await fetch(`${url}/readyz`);
      expect(answer.status).toBe(200);
      passed += 1000;
      return (await answer.json()) as object;
    };
    expect(await looked()).toMatchObject({ store: true });
    await expect.poll(looked).toEqual({ store: true, upstream: false });
    expect(service.asked).toHaveLength(1);
    for (const response of held) response.end();
  });
});
