import { describe, expect, it } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { systemClock } from '#server/clock.ts';
import { addCreatedCompany } from '#server/companies/addCompany.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import type { SettingKey } from '#contract/settings.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { fourCompanies, selectCompany } from '#tests/support/companies.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { onboard, subscribe, subscriptionBody } from '#tests/support/guidedPath.ts';
import { batchRecord } from '#tests/support/fixtures.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testStore } from '#tests/support/store.ts';

type Server = Awaited<ReturnType<typeof consoleWithSandbox>>;

const lists = async ({ done }: Pick<Server, 'done'>) => ({
  settings: await done('getSettings'),
  debtors: await done('getDebtors'),
  creditors: await done('getCreditors'),
  batches: await done('getPostedBatches'),
});

const actingFor = ({ companyKey }: { companyKey: string }) => ({ headers: { [companyHeader]: companyKey } });

describe('Two organisations with two companies each', () => {
  it('are listed, and selecting a company shows only its own data (behaviour 3.17, 3.18)', async () => {
    const server = await consoleWithSandbox();
    const made = await fourCompanies(server);
    const { companies, companyKey } = await server.done('getFacts');
    expect(companies.map(({ organisationId, companyId }) => [organisationId, companyId])).toEqual(
      made.map(({ organisationId, companyId }) => [organisationId, companyId]),
    );
    expect([new Set(companies.map((each) => each.companyKey)).size, companyKey]).toEqual([4, made[3]!.companyKey]);

    const seen = new Map<string, unknown>();
    for (const { companyId, companyKey: its, subscriptionId } of [...made, ...made.toReversed()]) {
      const settings = await selectCompany(server, { companyId, companyKey: its });
      expect(settings).toMatchObject({ companyId, subscriptionId });
      const now = await lists(server);
      expect(JSON.parse(now.settings.subscriptions)).toMatchObject([{ subscriptionId, status: 'Authorised' }]);
      expect(now.debtors.data.map((debtor) => debtor.subscriptionId)).toEqual([subscriptionId]);
      expect((await server.done('getFacts')).subscription).toMatchObject({ subscriptionId, status: 'Authorised' });
      expect(seen.get(companyId) ?? now).toEqual(now);
      seen.set(companyId, now);
    }
    expect(seen.size).toBe(4);
  }, 60_000);

  it('are selected by the companyKey header, which keeps requests and records separate (threat 6.36)', async () => {
    const server = await consoleWithSandbox();
    const [first, , third] = await fourCompanies(server);
    const [debtor] = (await server.done('getDebtors', actingFor(first!))).data;
    const before = await lists(server);

    // Another tab has switched; this one still shows the first company.
    await selectCompany(server, third!);
    const reply = await server.call('createSubscription', {
      body: subscriptionBody(first!.provider, first!.rules),
      ...actingFor(first!),
    });
    expect([reply.ok, reply.headers.get(companyHeader)]).toEqual([true, first!.companyKey]);
    const made = reply.ok ? reply.answer.data.subscriptionId : '';
    expect((await server.done('getSettings', actingFor(first!))).subscriptions).toContain(made);
    expect((await server.done('getSettings')).subscriptions).not.toContain(made);
    // The first company's token created it.
    expect(await server.refused('getSubscription', { params: { subscriptionId: made } })).toMatchObject({
      status: 404,
    });

    // A webhook for a company that is not current changes that company's records.
    const ids = { subscriptionId: first!.subscriptionId, debtorId: debtor!.debtorId };
    await server.done('deleteDebtor', { body: { data: ids }, ...actingFor(first!) });
    await eventually(async () => expect((await server.done('getDebtors', actingFor(first!))).data).toEqual([]));
    expect((await server.done('getDebtors')).data).toHaveLength(1);
    expect(before.debtors.data).toHaveLength(1);
  }, 60_000);
});

describe('An existing company', () => {
  it('is selected with its signing key, refused with a wrong key or id, and keeps its stored data (behaviour 3.20; threat 6.38)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { organisationId, companyId } = await server.done('getSettings');
    const { signingKey } = await server.done('revealSigningKey', { body: { organisationId } });
    await server.done('createOrganisation', { body: organisationBody });
    const before = await server.done('getFacts');

    for (const [body, code] of [
      [{ organisationId, companyId, signingKey: `${signingKey}x` }, 'signing-key-rejected'],
      [{ organisationId, companyId: 'other', signingKey }, 'unknown-to-service'],
      [{ organisationId: 'other', companyId, signingKey }, 'unknown-to-service'],
    ] as const)
      expect(await server.refused('useExisting', { body })).toMatchObject({ code });
    expect(await server.done('getFacts')).toEqual(before);

    const { companies } = before;
    await server.done('useExisting', { body: { organisationId, companyId, signingKey } });
    expect(await server.done('getFacts')).toMatchObject({
      companies,
      companyKey: companies[0]!.companyKey,
      settings: { companyId },
    });

    // On another console, which has no records of it.
    const elsewhere = await consoleWithSandboxOf(server);
    await elsewhere.done('useExisting', { body: { organisationId, companyId, signingKey } });
    expect(await elsewhere.done('getToken')).toMatchObject({ data: { companyId, organisationId } });
    expect(JSON.stringify(await elsewhere.done('getFacts'))).not.toContain(signingKey);
  });

  it('has its signing key revealed until the user confirms having stored it, and not again (behaviour 3.20; threat 6.37)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { organisationId } = await server.done('getSettings');
    const body = { organisationId };
    const { companySigningKey: signingKey } = await server.store.settings.read();
    // The key is returned again, because the first response may have been lost.
    for (let turn = 0; turn < 2; turn += 1)
      expect(await server.done('revealSigningKey', { body })).toEqual({ signingKey });
    for (let turn = 0; turn < 2; turn += 1) await server.done('confirmSigningKey', { body });
    expect((await server.refused('revealSigningKey', { body })).detail).toContain('revealed once already');
    for (const name of ['revealSigningKey', 'confirmSigningKey'] as const)
      expect(await server.refused(name, { body: { organisationId: 'other' } })).toMatchObject({ status: 409 });
  });
});

const consoleWithSandboxOf = async ({ config }: Server) => {
  return testConsole({ upstreamUrl: config.upstream.baseUrl });
};

describe('A new company', () => {
  it('is stored and selected atomically, and a repeat does not select it again', async () => {
    const store = await testStore();
    const first = { organisationId: 'organisation', companySigningKey: 'key', companyId: 'first' };
    const companyKey = await addCreatedCompany(store.at(await store.companies.current()), first);
    const ending = { ...store.companies, select: () => Promise.reject(new Error('the process ends here')) };
    const second = { ...first, companyId: 'second' };
    await expect(addCreatedCompany({ ...store, companyKey, companies: ending }, second)).rejects.toThrow('ends here');
    expect([await store.companies.current(), (await store.companies.list()).length]).toEqual([companyKey, 1]);

    const made = await addCreatedCompany({ ...store, companyKey }, second);
    expect([await store.companies.current(), (await store.settings.read()).companyId]).toEqual([made, 'second']);
    await store.companies.select(companyKey);
    expect(await addCreatedCompany({ ...store, companyKey }, second)).toBe(companyKey); // the user has moved on
  });
});

describe('Records that the service no longer knows', () => {
  async function reset({ config }: Server): Promise<void> {
    const body = new URLSearchParams({ token: sandboxCredentials.resetToken });
    expect((await fetch(`${config.upstream.baseUrl}/sandbox/reset`, { method: 'POST', body })).status).toBe(204);
  }

  it('are reported after a sandbox reset; the user can start over and remove them (behaviour 6.7)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const { organisationId, companyId, subscriptionId } = await server.done('getSettings');
    for (const [kind, id] of [
      ['subscription', subscriptionId],
      ['company', companyId],
      ['organisation', organisationId],
    ] as const)
      expect(await server.refused('removeRecord', { body: { kind, id } })).toMatchObject({ code: 'forbidden' });

    await reset(server);
    expect(await server.refused('getSubscription', { params: { subscriptionId } })).toMatchObject({
      code: 'unknown-to-service',
    });
    expect(await server.done('getFacts')).toMatchObject({
      lost: 'organisation',
      subscription: null,
      accessToken: false,
    });
    expect(await server.refused('getToken')).toMatchObject({ code: 'unknown-to-service' });

    await server.done('createOrganisation', { body: organisationBody });
    await server.done('createCompany', { body: companyBody('Anew') });
    expect(await server.done('getFacts')).toMatchObject({ lost: '', companies: [{ companyId }, {}] });

    await server.done('removeRecord', { body: { kind: 'organisation', id: organisationId } });
    const { companies, companyKey, settings } = await server.done('getFacts');
    expect(companies).toEqual([
      {
        companyKey,
        organisationId: settings.organisationId,
        companyId: settings.companyId,
        companyName: 'Anew',
        hasPreviousKey: false,
      },
    ]);
    expect(await server.refused('removeRecord', { body: { kind: 'organisation', id: organisationId } })).toMatchObject({
      status: 404,
    });
  });

  it('of a sandbox that was replaced and has another key are reported, and removed; a live service’s stay (behaviour 10.27.9)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const { upstream } = server.config;
    const headers = { authorization: `Bearer ${upstream.lab?.token}`, 'content-type': 'application/json' };
    const address = `${upstream.baseUrl}/sandbox/situation`;
    const moment = await (await fetch(address, { headers })).text();
    const { data } = JSON.parse(moment.replace(/(primarySigningKey\\":\\")[^\\]+/g, '$1another-key')) as {
      data: object;
    };
    expect((await fetch(address, { method: 'PUT', headers, body: JSON.stringify(data) })).status).toBe(204);
    await server.done('changeClock', { body: { move: 21 * 60_000 } });
    const { lost, settings } = await server.done('getFacts');
    expect(lost).toBe('signingKey');
    const record = { kind: 'organisation', id: settings.organisationId } as const;
    Object.assign(upstream, { environment: 'live' });
    expect(await server.refused('removeRecord', { body: record })).toMatchObject({ code: 'signing-key-rejected' });
    Object.assign(upstream, { environment: 'sandbox' });
    await server.done('removeRecord', { body: record });
    expect(await server.done('getFacts')).toMatchObject({ lost: '', companies: [] });
  });

  it.each([
    ['a company', 1],
    ['an organisation alone', 0],
  ])('are detected within a minute where there is %s and no subscription (behaviour 6.8)', async (_, companies) => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead, steady: () => systemClock.steady() + ahead };
    const server = await testConsole({ clock, upstreamUrl: async () => (await testSandbox()).url });
    await server.done('createOrganisation', { body: organisationBody });
    if (companies > 0) await server.done('createCompany', { body: companyBody('Example & Co') });
    expect(await server.done('getFacts')).toMatchObject({ lost: '' });
    await reset(server);
    ahead += 60_001;
    expect(await server.done('getFacts')).toMatchObject({ lost: 'organisation', accessToken: false });
  });

  it('are detected as soon as the service refuses to create another company', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    expect(await server.done('getFacts')).toMatchObject({ lost: '', accessToken: true });
    await reset(server);
    expect(await server.refused('createCompany', { body: companyBody('Another') })).toMatchObject({
      code: 'unknown-to-service',
    });
    expect(await server.done('getFacts')).toMatchObject({ lost: 'organisation', accessToken: false });
  });

  it('can be removed one by one while the service knows their company', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const { subscriptionId } = await server.done('getSettings');
    const dead = { subscriptionId: 'dead', providerId: 'p', status: 'Authorised', suspended: false, useMock: 'true' };
    await server.store.subscriptions.put('dead', dead);
    await server.store.batches.put('old', { ...batchRecord, batchId: 'old' });
    await server.done('setSetting', { body: { key: 'subscriptionId', value: 'dead' } });
    expect(await server.done('getFacts')).toMatchObject({ lost: 'subscription' });
    await server.done('removeRecord', { body: { kind: 'subscription', id: 'dead' } });
    await server.done('removeRecord', { body: { kind: 'batch', id: 'old' } });
    const settings = await server.done('getSettings');
    expect(settings).toMatchObject({ subscriptionId: '', postedBatches: '[]' });
    expect(JSON.parse(settings.subscriptions)).toMatchObject([{ subscriptionId }]);
  });
});

describe('Records while a gateway answers each request with 404', () => {
  it('are neither removed nor reported as lost (wire 2.2.11)', async () => {
    const service = await fakeUpstream({ [endpoints.accessToken]: answering({ title: 'No route', code: 'No' }, 404) });
    const server = await testConsole({ upstreamUrl: service.url });
    const { store } = server;
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 's' });
    const subscription = { subscriptionId: 's', providerId: 'p', status: 'Authorised', suspended: false };
    await store.subscriptions.put('s', { ...subscription, useMock: 'true' });
    await store.batches.put('b', { ...batchRecord, batchId: 'b' });
    for (const [kind, id] of [
      ['batch', 'b'],
      ['subscription', 's'],
    ] as const)
      expect(await server.refused('removeRecord', { body: { kind, id } })).toMatchObject({ code: 'upstream-failed' });
    expect(await store.batches.get('b')).toBeDefined();
    expect(await store.subscriptions.get('s')).toBeDefined();
    expect(await server.done('getFacts')).toMatchObject({ lost: '', subscription: { status: 'Authorised' } });
  });
});

describe('POST /api/settings with an id', () => {
  it('has facts report which one the service does not know, until it is a known one again (behaviour 3.2)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const known = await server.done('getSettings');
    const set = (key: SettingKey, value: string) => server.done('setSetting', { body: { key, value } });
    const keys = ['subscriptionId', 'companyId', 'organisationId'] as const;
    for (const key of keys) {
      expect(await set(key, 'unknown')).toMatchObject({ [key]: 'unknown' });
      expect(await server.done('getFacts')).toMatchObject({ lost: key.replace('Id', ''), subscription: null });
    }
    for (const key of keys.toReversed()) await set(key, known[key]);
    const { subscriptionId } = known;
    expect(await server.done('getFacts')).toMatchObject({ lost: '', settings: { subscriptionId } });
  }, 60_000);

  it('refuses the id of another company’s record, with the reason (threat 2.9)', async () => {
    const server = await consoleWithSandbox();
    const [first, , third] = await fourCompanies(server);
    await selectCompany(server, first!);
    const before = await server.done('getSettings');
    const { subscriptionId } = third!;
    const value = JSON.stringify([{ subscriptionId }]);
    expect(await server.refused('setSetting', { body: { key: 'subscriptions', value } })).toMatchObject({
      status: 403,
      detail: expect.stringContaining('belongs to another company') as string, // vitest types its matchers as any
    });
    expect(await server.done('getSettings')).toEqual(before);
  }, 60_000);

  it('changes the provider with its subscription for a page, and applies several settings all or none (behaviour 3.3)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId, provider } = await subscribe(server);
    const set = (key: SettingKey, value: string) => server.done('setSetting', { body: { key, value } });
    await server.store.settings.writeAll({ subscriptionId: '', providerId: 'another' });
    const { providerId } = provider;
    expect(await set('subscriptionId', subscriptionId)).toMatchObject({ subscriptionId, providerId: 'another' });
    const { companyKey } = await server.done('getFacts');
    const asPage = (value: string) =>
      server.done('setSetting', { body: { key: 'subscriptionId', value }, ...actingFor({ companyKey }) });
    expect(await asPage(subscriptionId)).toMatchObject({ subscriptionId, providerId });
    expect(await asPage('unknown')).toMatchObject({ subscriptionId: 'unknown', providerId: '' });

    const before = await server.done('getSettings');
    for (const body of [
      { subscriptionId, providerId: 'another' },
      { subscriptionId, providerCountry: 'XX' },
      { providerCountry: 'CA', acceptLanguage: 'xx' },
      { providerCountry: 'CA', companyId: 'c' },
    ])
      expect(await server.refused('changeSettings', { body })).toMatchObject({ status: 400 });
    expect(await server.done('getSettings')).toEqual(before);
    const body = { subscriptionId, providerId, providerCountry: 'CA', acceptLanguage: 'en-CA' };
    expect(await server.done('changeSettings', { body })).toMatchObject(body);
  }, 60_000);

  it('stores a subscription that only the service knows in the company’s records', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId } = await subscribe(server);
    await server.store.subscriptions.remove(subscriptionId);
    const { subscriptions } = await server.done('setSetting', {
      body: { key: 'subscriptionId', value: subscriptionId },
    });
    expect(JSON.parse(subscriptions)).toMatchObject([{ subscriptionId, status: 'Authorised' }]);
  });
});
