import { describe, expect, it } from 'vitest';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

const odd = ['fïrma-ő', '会社', 'a\tb', 'a b', '\u{1f600}', 'a\u200bb', 'c'.repeat(201)];

describe('An id that no header or path can hold', () => {
  it.each(odd)('is refused as a setting, with what would be right: %j', async (value) => {
    const { refused, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    for (const key of ['organisationId', 'companyId'] as const)
      expect(await refused('setSetting', { body: { key, value } })).toMatchObject({
        code: 'invalid-request',
        outcome: 'not-sent',
        errors: [{ path: 'value', message: 'give an id of at most 200 visible characters of ASCII' }],
      });
    expect(await done('getSettings')).toMatchObject({ organisationId: '', companyId: '' });
  });

  it('is refused as a setting if it is longer than the service’s ids', async () => {
    const { refused } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    for (const key of ['accountId', 'dataSetId', 'subscriptionId', 'batchId'] as const)
      expect(await refused('setSetting', { body: { key, value: 'c'.repeat(1001) } })).toMatchObject({
        errors: [{ path: 'value', message: 'give an id of at most 1,000 characters' }],
      });
    const body = { subscriptionId: 'c'.repeat(1001) };
    expect(await refused('changeSettings', { body })).toMatchObject({ code: 'invalid-request' });
  });

  it.each([
    ['organisationId', 'organisation', 'x-organisation-id'],
    ['companyId', 'company', 'x-company-id'],
  ] as const)('is named if it was stored before: %s', async (key, what, name) => {
    const service = await fakeUpstream({});
    const { refused, store } = await testConsole({ upstreamUrl: service.url });
    const known = { organisationId: 'o', companyId: 'c', companySigningKey: 'secret-key', subscriptionId: 's' };
    await store.settings.writeAll({ ...known, [key]: '会社\u202e' });
    const told = {
      code: 'invalid-request',
      detail: expect.stringMatching(
        new RegExp(`^The id of the ${what}, 会社.+, cannot be sent in the header ${name}: `),
      ) as string,
    };
    expect(await refused('getSubscription', { params: { subscriptionId: 's' } })).toMatchObject(told);
    expect(await refused('createBatch', { body: batch, key: 'key' })).toMatchObject({ ...told, outcome: 'not-sent' });
    expect(service.asked).toEqual([]);
  });

  it('is not shown if it is a secret', async () => {
    const service = await fakeUpstream({});
    const { refused, store } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ userJwt: '会社会社', accountId: 'a' });
    const problem = await refused('getUserInfo');
    expect(problem).toMatchObject({ code: 'invalid-request' });
    expect(problem.detail).toMatch(/^A value cannot be sent in the header authorization: /);
    expect(JSON.stringify(problem)).not.toContain('会社');
    expect(service.asked).toEqual([]);
  });
});
