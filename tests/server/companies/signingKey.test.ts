import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import type { SettingKey } from '#contract/settings.ts';
import { requirementStatus } from '#machines/journeys.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

type Server = Awaited<ReturnType<typeof consoleWithSandbox>>;

const write = ({ done }: Pick<Server, 'done'>, key: SettingKey, value: string) =>
  done('setSetting', { body: { key, value } });
const refusedKey = ({ refused }: Pick<Server, 'refused'>, value: string) =>
  refused('setSetting', { body: { key: 'companySigningKey', value } });
const storedKey = async ({ store }: Pick<Server, 'store'>) => (await store.settings.read()).companySigningKey;

/** A console with an organisation of two companies, and the organisation's key. */
async function withOrganisation() {
  const server = await consoleWithSandbox();
  await server.done('createOrganisation', { body: organisationBody });
  for (const name of ['One', 'Two']) await server.done('createCompany', { body: companyBody(name) });
  const { organisationId } = await server.done('getSettings');
  return { ...server, organisationId, key: (await storedKey(server))! };
}

/** Stores two companies of an organisation. */
async function storeTwo({ store }: Pick<Server, 'store'>) {
  for (const companyId of ['first', 'second'])
    await store.companies.write(companyId, { organisationId: 'o', companyId, companySigningKey: 'old' });
}

/** A service that accepts all signing keys, or none. */
async function serviceWithKeys() {
  let isAccepting = true;
  const service = await fakeUpstream({
    [endpoints.accessToken]: (response, request) =>
      (isAccepting
        ? answering({ jwt: unsignedJwt() })
        : answering({ title: 'The signature does not match', code: 'No' }, 401))(response, request),
    [endpoints.localInstruments]: answering({ data: [] }),
  });
  return { ...service, accept: (is: boolean) => void (isAccepting = is) };
}

describe('A written companySigningKey', () => {
  it('is refused with the reason if it is wrong, and the stored key goes on working (behaviour 3.24; threat 6.38)', async () => {
    const server = await withOrganisation();
    for (const wrong of ['wrong', `${server.key}x`, server.key.slice(1), server.key.toUpperCase()]) {
      expect(await refusedKey(server, wrong)).toMatchObject({
        status: 401,
        code: 'signing-key-rejected',
        detail: expect.stringContaining('The signing key that is stored stays') as string, // vitest types its matchers as any
      });
      expect(await storedKey(server)).toBe(server.key);
    }
    await server.done('createCompany', { body: companyBody('Three') });
    expect(await server.done('getFacts')).toMatchObject({ lost: '', companies: [{ hasPreviousKey: false }, {}, {}] });
  });

  it('replaces the key of all companies once the service accepts it, and the replaced key can be put back (behaviour 3.25)', async () => {
    const service = await serviceWithKeys();
    const server = await testConsole({ upstreamUrl: service.url });
    await storeTwo(server);
    const keys = async () =>
      Promise.all(['first', 'second'].map(async (each) => (await server.store.companies.read(each)).companySigningKey));
    expect(await write(server, 'companySigningKey', 'new')).not.toHaveProperty('note');
    expect(await keys()).toEqual(['new', 'new']);
    const body = { organisationId: 'o' };
    service.accept(false);
    expect(await server.refused('restoreSigningKey', { body })).toMatchObject({ code: 'signing-key-rejected' });
    expect(await keys()).toEqual(['new', 'new']);
    service.accept(true);
    for (const key of ['old', 'new', 'old']) {
      await server.done('restoreSigningKey', { body });
      expect(await keys()).toEqual([key, key]);
    }
  });

  it('that is removed can be put back', async () => {
    const server = await withOrganisation();
    await write(server, 'companySigningKey', '');
    expect(await server.done('getFacts')).toMatchObject({ lost: 'signingKey', settings: { companySigningKey: '' } });
    await server.done('restoreSigningKey', { body: { organisationId: server.organisationId } });
    expect(await storedKey(server)).toBe(server.key);
    expect(await server.done('getFacts')).toMatchObject({ lost: '' });
  });

  it('can be put back after POST /api/existing has replaced it, unless the service refuses it', async () => {
    const server = await withOrganisation();
    const { organisationId, key } = server;
    for (const { companyKey } of await server.store.companies.list())
      await server.store.companies.write(companyKey, { companySigningKey: 'out of date' });
    await server.done('useExisting', { body: { organisationId, companyId: '', signingKey: key } });
    expect(await server.refused('restoreSigningKey', { body: { organisationId } })).toMatchObject({
      code: 'signing-key-rejected',
    });
    expect(await storedKey(server)).toBe(key);
    expect(await server.refused('restoreSigningKey', { body: { organisationId: 'other' } })).toMatchObject({
      code: 'not-found',
    });
  });

  it.each([
    ['fails', 500],
    ['is busy', 503],
    ['refuses it without saying why', 401],
  ])('does not replace a key that works if the service %s', async (_, status) => {
    const service = await fakeUpstream({
      [endpoints.localInstruments]: answering({ data: [] }),
      // The first two requests, of which the second is a repeat, are those with the new key.
      [endpoints.accessToken]: (response, request) =>
        (status === 401 && service.askedFor(endpoints.accessToken).length > 2
          ? answering({ jwt: unsignedJwt() })
          : answering({ title: 'No' }, status))(response, request),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({ organisationId: 'o', companySigningKey: 'old' });
    expect((await refusedKey(server, 'new')).detail).toContain('The signing key that is stored stays');
    expect(await storedKey(server)).toBe('old');
  });

  it('is stored without proof, and says so, where no organisation is set or the service cannot be asked (behaviour 3.24)', async () => {
    const server = await consoleWithSandbox();
    expect((await write(server, 'companySigningKey', 'early')).note).toContain('no organisation is set');
    const { companySigningKey } = await write(server, 'organisationId', 'unknown');
    expect([companySigningKey, await storedKey(server)]).toEqual([secretIsSet, 'early']);

    const unreachable = await testConsole({ upstreamUrl: 'http://127.0.0.1:1' });
    await write(unreachable, 'organisationId', 'o');
    expect((await write(unreachable, 'companySigningKey', 'unproved')).note).toContain('not proved');
    expect(await storedKey(unreachable)).toBe('unproved');
    expect(await refusedKey(unreachable, 'another')).toMatchObject({ status: 502 });
    expect(await storedKey(unreachable)).toBe('unproved');
  });

  it('that is wrong is told as a wrong key, never as a deleted organisation (behaviour 6.10; wire 2.2.9)', async () => {
    const { url } = await testSandbox();
    const made = await testConsole({ upstreamUrl: url });
    await made.done('createOrganisation', { body: organisationBody });
    await made.done('createCompany', { body: companyBody('One') });
    const { organisationId, companyId } = await made.done('getSettings');
    const right = (await storedKey(made))!;
    // Another console, in which the ids come before the key.
    const other = await testConsole({ upstreamUrl: url });
    await write(other, 'organisationId', organisationId);
    await write(other, 'companyId', companyId);
    for (const [key, text] of [
      ['', 'no signing key is stored for it'],
      ['wrong', 'does not accept the signing key'],
    ] as const) {
      await other.store.settings.write('companySigningKey', key);
      const facts = await other.done('getFacts');
      expect(facts).toMatchObject({ lost: 'signingKey', accessToken: false });
      for (const each of ['organisation', 'company'] as const) expect(requirementStatus(each, facts)).toContain(text);
      expect(await other.refused('getToken')).toMatchObject({ status: 401, code: 'signing-key-rejected' });
    }
    await write(other, 'companySigningKey', right);
    expect(await other.done('getFacts')).toMatchObject({ lost: '' });
    expect((await other.done('getToken')).data.companyId).toBe(companyId);
  });
});

describe('A created organisation whose id is already stored', () => {
  it('has the key that the service gave with it, for all its companies, and the replaced key can be put back (behaviour 3.25)', async () => {
    const { server, keys } = await withCreated('new');
    expect(await server.done('createOrganisation', { body: organisationBody })).toMatchObject({
      organisationId: 'o',
      primarySigningKey: 'new',
    });
    expect(await keys()).toEqual([
      ['new', 'old'],
      ['new', 'old'],
    ]);
  });

  it('keeps the key that has replaced the one that the service gave (behaviour 3.25)', async () => {
    const { server, keys } = await withCreated('older');
    for (const companySigningKey of ['older', 'old'])
      await server.store.companies.write('first', { companySigningKey });
    await server.done('createOrganisation', { body: organisationBody });
    expect((await keys())[0]).toEqual(['old', 'older']);
  });

  /** A console with two companies of an organisation, which the service creates once more with this key. */
  async function withCreated(primarySigningKey: string) {
    const service = await fakeUpstream({
      '/': answering({ organisationId: 'o', primarySigningKey }),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    await storeTwo(server);
    const keys = () =>
      Promise.all(
        ['first', 'second'].map(async (companyKey) => {
          const { companySigningKey, previousSigningKey } = await server.store.companies.read(companyKey);
          return [companySigningKey, previousSigningKey];
        }),
      );
    return { server, keys };
  }
});
