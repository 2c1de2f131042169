import { describe, it, expect } from 'vitest';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { testSandbox } from '../harness.ts';

type Sandbox = Awaited<ReturnType<typeof testSandbox>>;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const read = (sandbox: Sandbox, token: string, id: string) =>
  sandbox.call('GET', `${endpoints.subscriptions}/${id}`, { token });
const decide = (sandbox: Sandbox, id: string, decision: string) =>
  sandbox.call('POST', authorisePath(id), { body: new URLSearchParams({ decision }), headers: form });

/** A company and its subscription with a provider of the double, one step after creation. */
async function subscribed(sandbox: Sandbox, name: string) {
  const who = await sandbox.onboard();
  const created = await sandbox.subscribe(who, name);
  const id = created.body.data.subscriptionId;
  sandbox.clock.increment(1000);
  return { ...who, id, created };
}

describe('a subscription', () => {
  it.each([
    ['asks', 'AwaitingAuthorisation'],
    ['rejects', 'Rejected'],
    ['pends', 'Pending'],
    ['authorises', 'Authorised'],
  ])('with a provider that %s goes from Received to %s, with a webhook', async (name, status) => {
    const sandbox = await testSandbox();
    const { token, id, created } = await subscribed(sandbox, name);
    expect(created).toMatchObject({ status: 201, body: { data: { status: 'Received', suspendedByConsumer: false } } });
    expect((await read(sandbox, token, id)).body.data.status).toBe(status);
    const { webhook } = await sandbox.webhook('subscriptionUpdated');
    expect(webhook).toMatchObject({ subscriptionId: id, resource: { id, type: 'Subscription' }, data: { status } });
  });

  it('is refused with each rule that its data break (wire 5.1.1)', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const create = (providerId: string, additionalData: string) =>
      sandbox.subscribe(who, '', { body: { data: { providerId, additionalData } } });
    expect(await create('provider-asks', '{"account":"12"}')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'additionalData.account', message: 'additionalData.account is not valid' }] },
    });
    expect(await create('provider-asks', '{')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'data.additionalData', message: 'a string that contains JSON' }] },
    });
    expect((await create('provider-plain', '{}')).body.detail).toContain('does not support subscriptions');
    expect((await create('provider-none', '{}')).body.detail).toContain('unknown provider');
  });

  it('is created once under an idempotency key, which no other request may use; the repeat says that it is one (wire 4.2, 4.8)', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const headers = { [header.idempotency]: 'k-1' };
    const [one, two] = await Promise.all([
      sandbox.subscribe(who, 'asks', { headers }),
      sandbox.subscribe(who, 'asks', { headers }),
    ]);
    expect(two.body).toEqual(one.body);
    const replayed = [one, two].map((answer) => answer.headers.get(header.replayed));
    expect(replayed.toSorted()).toEqual(['true', null].toSorted());
    expect((await sandbox.subscribe(who, 'pends', { headers })).status).toBe(409);
  });

  it('needs the API key and the company that owns it (wire 2.1.2)', async () => {
    const sandbox = await testSandbox();
    const { token, organisationId, id } = await subscribed(sandbox, 'asks');
    const other = await sandbox.onboard();
    expect((await read(sandbox, other.token, id)).status).toBe(404);
    const path = pathOf('createSubscription', organisationId);
    const body = { data: { providerId: 'asks', additionalData: '{}' } };
    expect((await sandbox.call('POST', path, { token: other.token, body })).status).toBe(404);
    const noKey = { token, headers: { [header.apiKey]: 'wrong' } };
    expect((await sandbox.call('GET', `${endpoints.subscriptions}/${id}`, noKey)).status).toBe(401);
  });

  it('is suspended and resumed only while Authorised (wire 10.3)', async () => {
    const sandbox = await testSandbox();
    const suspend = (token: string, id: string, suspendedByConsumer: unknown) =>
      sandbox.call('PATCH', `${endpoints.subscriptions}/${id}`, { token, body: { data: { suspendedByConsumer } } });
    const pending = await subscribed(sandbox, 'pends');
    expect((await suspend(pending.token, pending.id, true)).status).toBe(422);
    const { token, id } = await subscribed(sandbox, 'authorises');
    expect((await suspend(token, id, 'yes')).body.errors[0]?.path).toBe('data.suspendedByConsumer');
    expect((await suspend(token, id, true)).body.data).toMatchObject({
      status: 'Authorised',
      suspendedByConsumer: true,
    });
    expect((await suspend(token, id, false)).body.data.suspendedByConsumer).toBe(false);
  });
});

describe('the authorise page', () => {
  it.each([
    ['approve', 'Authorised', 'is authorised'],
    ['reject', 'Rejected', 'was rejected'],
    ['cancel', 'Cancelled', 'was cancelled'],
  ])('on %s makes it %s, shows the outcome and notifies', async (decision, status, outcome) => {
    const sandbox = await testSandbox();
    const { token, id } = await subscribed(sandbox, 'asks');
    const { links } = (await read(sandbox, token, id)).body;
    const page = await sandbox.call('GET', links.authorise);
    expect(page.text).toContain('Let it expire</button>');
    expect(page.headers.get('x-frame-options')).toBeNull();

    const answer = await decide(sandbox, id, decision);
    expect(answer).toMatchObject({ status: 303 });
    expect((await sandbox.call('GET', answer.headers.get('location') ?? '')).text).toContain(outcome);
    expect((await read(sandbox, token, id)).body).toMatchObject({ data: { status } });
    expect((await sandbox.webhook('subscriptionUpdated', 1)).webhook.data).toMatchObject({ status });
  });

  it('decides once (wire 10.4)', async () => {
    const sandbox = await testSandbox();
    const { token, id } = await subscribed(sandbox, 'asks');
    await decide(sandbox, id, 'reject');
    const late = await decide(sandbox, id, 'approve');
    expect(late).toMatchObject({ status: 409 });
    expect(late.text).toMatch(/was rejected[^]*came too late/);
    expect((await decide(sandbox, id, 'reject')).status).toBe(303);
    expect((await read(sandbox, token, id)).body.data.status).toBe('Rejected');
  });

  it('that does not exist leads to an error page in a browser', async () => {
    const sandbox = await testSandbox();
    const { status, text } = await sandbox.call('GET', authorisePath('none'), {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });
    expect(status).toBe(404);
    expect(text).toContain('<p role="status">There is no subscription none</p>');
    expect((await sandbox.call('GET', authorisePath('none'))).body).toMatchObject({ status: 404 });
  });

  it('lets a link expire, and dates a new one, by the time of day, also if the machine slept', async () => {
    const sandbox = await testSandbox({ authoriseLinkLife: 60_000 });
    const { token, id } = await subscribed(sandbox, 'asks');
    await sandbox.settled(); // the link is issued before the machine sleeps
    const elapsed = sandbox.clock.now.bind(sandbox.clock);
    // Elapsed time stands still while a machine sleeps.
    Object.assign(sandbox.clock, { now: () => elapsed() + 60_000, steady: elapsed });
    expect((await sandbox.call('GET', authorisePath(id))).text).toContain('This link has expired');
    const { links } = (await read(sandbox, token, id)).body;
    expect(Date.parse(links.authoriseExpiresAt)).toBe(elapsed() + 120_000);
  });

  it('lets a link expire, by its button or by time; reading the subscription issues a new one (wire 5.2.1)', async () => {
    const sandbox = await testSandbox({ authoriseLinkLife: 60_000 });
    const { token, id } = await subscribed(sandbox, 'asks');
    const page = async () => (await sandbox.call('GET', authorisePath(id))).text;
    for (const expire of [
      () => decide(sandbox, id, 'expire'),
      () => Promise.resolve(sandbox.clock.increment(60_000)),
    ]) {
      await expire();
      expect(await page()).toContain('This link has expired');
      await decide(sandbox, id, 'approve');
      const { data, links } = (await read(sandbox, token, id)).body;
      expect(data.status).toBe('AwaitingAuthorisation');
      expect(Date.parse(links.authoriseExpiresAt) - sandbox.clock.now()).toBe(60_000);
      expect(await page()).toContain('Approve</button>');
    }
  });
});
