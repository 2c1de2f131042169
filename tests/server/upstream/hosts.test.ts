import { textOf } from '#tests/support/api.ts';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { company, health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

const settings = { organisationId: company.organisationId, companyId: company.companyId, companySigningKey: 'k' };

const query = { batchId: 'b' };
/** A batch whose file is at the link. */
const batchWith = (link: () => string) =>
  ((response, asked) =>
    answering({ data: { ...query, status: 'PaymentFileAvailable' }, links: { paymentFile: link() } })(
      response,
      asked,
    )) satisfies Script;

describe('A service on several hosts', () => {
  it('gets each request at the host of its path (wire 1.3)', async () => {
    let link = '';
    const [api, auth, messages, network, files] = await Promise.all(
      [
        { [endpoints.banks]: answering({ data: [] }), [endpoints.batches]: batchWith(() => link) },
        {},
        { [endpoints.messaging]: answering({}, 202), [endpoints.messagingStatus]: answering(health) },
        { [endpoints.accounts]: answering({ data: { id: 'a' } }, 201) },
        { '/file': answering('text') },
      ].map(fakeUpstream),
    );
    const server = await testConsole({
      upstreamUrl: api!.url,
      changes: { authUrl: auth!.url, messagingUrl: messages!.url, networkUrl: network!.url, fileOrigins: [files!.url] },
    });
    await server.store.settings.writeAll({ ...settings, userJwt: unsignedJwt() });
    await server.done('getBanks');
    await server.done('queryDebtors', { body: { data: { subscriptionId: 's' } } });
    await server.done('getMessagingHealth');
    const attributes = { externalId: 'e', externalSource: 's' };
    const owner = { user: { email: 'e', locale: 'en', identityId: 'i' } };
    await server.done('createAccount', { body: { data: { type: 'Account', attributes, owner } } });
    link = `${files!.url}/file`;
    expect(textOf(await server.done('downloadPaymentFile', { params: { link }, query }))).toContain('text');
    const asked = [api, auth, messages, network, files].map((host) => host!.asked.map(({ path }) => path));
    expect(asked).toEqual([
      [endpoints.banks, `${endpoints.batches}/b`],
      [endpoints.accessToken],
      [`${endpoints.messaging}/debtoraccountlistqueries`, endpoints.messagingStatus],
      [endpoints.accounts],
      ['/file'],
    ]);
  });

  it('provides payment files from configured origins only, and without credentials', async () => {
    let link = '';
    const [api, files, foreign] = await Promise.all([
      fakeUpstream({ [endpoints.batches]: batchWith(() => link) }),
      fakeUpstream({ '/': answering('x') }),
      fakeUpstream({}),
    ]);
    const server = await testConsole({ upstreamUrl: api.url, changes: { fileOrigins: [files.url] } });
    await server.store.settings.writeAll(settings);
    const port = new URL(files.url).port;
    for (link of [
      `${foreign.url}/file`,
      `http://user:pass@127.0.0.1:${port}/file`,
      `https://127.0.0.1:${port}/`,
      'file:///etc/passwd',
    ])
      expect(await server.refused('downloadPaymentFile', { params: { link }, query })).toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining(`only fetched from ${api.url} or ${files.url}.`) as string,
      });
    link = `${files.url}/file?a=b`;
    await server.done('downloadPaymentFile', { params: { link }, query });
    expect(files.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(files.asked[0]?.headers).not.toHaveProperty('x-api-key');
    expect(foreign.asked).toEqual([]);
  });
});

it('An access token is requested by GET after a 405 for POST, and directly by GET from then on (wire 2.2.4)', async () => {
  const service = await fakeUpstream({
    [endpoints.accessToken]: (response, asked) =>
      asked.method === 'GET'
        ? answering({ access_token: unsignedJwt(31) })(response, asked)
        : answering({ error: { code: 'MethodNotAllowed', message: 'GET only' } }, 405)(response, asked),
    [endpoints.batches]: answering({ data: { batchId: 'b', status: 'x' } }),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll(settings);
  await server.done('getToken');
  await server.store.settings.writeAll({ ...settings, companyId: 'another' });
  await server.done('getToken');
  const [first, second, third, ...more] = service.askedFor(endpoints.accessToken);
  expect([first, second, third].map((each) => each?.method)).toEqual(['POST', 'GET', 'GET']);
  expect(second?.body).toBe('');
  expect(more).toEqual([]);
});
