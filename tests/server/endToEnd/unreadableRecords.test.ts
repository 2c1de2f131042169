import { describe, expect, it } from 'vitest';
import type { Creditor } from '#contract/party.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { creditor } from '#tests/support/fixtures.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';

const creditorOf = (creditorId: string): Creditor => ({ ...creditor, creditorId, subscriptionId: '' });

const consoleIn = async (folder: string) => {
  const service = await fakeUpstream({
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
    [endpoints.consumerStatus]: answering(health),
  });
  return testConsole({ upstreamUrl: service.url, folder });
};

/** Changes the file without the console. */
const spoil = (folder: string, statement: string) => void connectionTo(folder).exec(statement);

const ready = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as unknown };
};

describe('An unreadable record', () => {
  // tests/server/storage/encryption.test.ts has each way in which a record is unreadable.
  it('is quarantined and listed while everything else works (threat 7.11)', async () => {
    const folder = temporaryFolder();
    const { url, store, done } = await consoleIn(folder);
    await store.creditors.put('one', creditorOf('one'));
    await store.creditors.put('two', creditorOf('two'));
    spoil(folder, `update records set kind = 'debtors' where id = 'one'`);
    for (let times = 0; times < 2; times += 1) {
      expect((await done('getCreditors')).data.map(({ creditorId }) => creditorId)).toEqual(['two']);
      expect((await done('getDebtors')).data).toEqual([]);
    }
    const [named, ...more] = (await done('getSetAside')).data;
    expect(more).toEqual([]);
    expect((await done('getFacts')).setAside).toEqual({ total: 1, latest: [named] });
    expect(named).toMatchObject({ id: 'one', kind: 'debtors' });
    expect(await ready(url)).toEqual({ status: 200, body: { store: true, upstream: true, setAside: 1 } });
    // The same id can be used again, and the quarantined record is still stored.
    await store.creditors.put('one', creditorOf('one'));
    expect((await done('getCreditors')).data).toHaveLength(2);
    expect((await done('getSetAside')).data).toHaveLength(1);
  });

  it('of a setting makes requests and /readyz fail, instead of looking unset (threat 7.12)', async () => {
    const folder = temporaryFolder();
    const { url, refused, store } = await consoleIn(folder);
    await store.settings.write('companyId', 'company');
    expect(await ready(url)).toMatchObject({ status: 200 });
    spoil(folder, `update settings set value = 'x' where company_key = 'first'`);
    expect(await refused('getFacts')).toMatchObject({
      code: 'store-failed',
      detail: expect.stringContaining('settings') as string,
    });
    // A result is reused for a second.
    await eventually(async () => expect(await ready(url)).toMatchObject({ status: 503, body: { store: false } }));
  });
});

describe('A write with an unreadable row', () => {
  it.each([
    ['answer', 'done'],
    ['body', 'lost'],
  ])(
    'is refused with the outcome unknown, and no other key is: the %s of one that is %s (threat 7.11)',
    async (column, state) => {
      const folder = temporaryFolder();
      let made = 0;
      const service = await fakeUpstream({
        [endpoints.createOrganisation]: (...exchange) =>
          (made += 1) === 1 && state === 'lost'
            ? void exchange[0].destroy()
            : answering({ organisationId: `o-${made}`, primarySigningKey: 'k' }, 201)(...exchange),
      });
      const { call, done, refused } = await testConsole({ upstreamUrl: service.url, folder });
      await call('createOrganisation', { body: organisationBody, key: 'key' });
      spoil(folder, `update writes set ${column} = substr(${column}, 1, 40) || 'AAAA'`);
      for (let times = 0; times < 2; times += 1)
        expect(await refused('createOrganisation', { body: organisationBody, key: 'key' })).toMatchObject({
          code: 'outcome-unknown',
          outcome: 'unknown',
          detail: expect.stringContaining('not sent again under its idempotency key') as string,
        });
      expect(service.askedFor(endpoints.createOrganisation)).toHaveLength(1);
      await done('createOrganisation', { body: organisationBody, key: 'another' });
    },
  );

  it('of a webhook lets the webhook be accepted again', async () => {
    const folder = temporaryFolder();
    const { notify, unread } = await notified(folder);
    const webhook = { type: 'debtorqueries', subscriptionId: `not ${subscriptionId}`, data: { debtors: [] } };
    expect(await notify(webhook, { id: 'one' })).toBe(204);
    spoil(folder, `update records set value = 'x' where kind = 'receivedWebhooks'`);
    expect(await notify(webhook, { id: 'one' })).toBe(204);
    expect((await unread()).map(({ id }) => id)).toEqual(['one']);
  });
});
