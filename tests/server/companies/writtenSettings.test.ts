import { describe, expect, it } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import { blockers, requirementStatus } from '#machines/journeys.ts';
import { fourCompanies, selectCompany } from '#tests/support/companies.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { permutations, shuffles } from '#tests/support/permutations.ts';

type Server = Awaited<ReturnType<typeof consoleWithSandbox>>;
type Values = Partial<Record<SettingKey, string>>;

const set = ({ done }: Pick<Server, 'done'>, key: SettingKey, value: string) =>
  done('setSetting', { body: { key, value } });

/** As GET /api/settings shows a value. */
const asShown = (key: string, value: string): string =>
  ['companySigningKey', 'userJwt'].includes(key) && value !== '' ? secretIsSet : value;

/** Writes the settings in this order; after each write, all that were written so far must be shown. */
async function write(server: Server, order: readonly SettingKey[], values: Values) {
  const written: Record<string, string> = {};
  for (const key of order) {
    await set(server, key, values[key]!);
    written[key] = asShown(key, values[key]!);
    expect(await server.done('getSettings'), order.join(', ')).toMatchObject(written);
  }
}

const four = ['subscriptionId', 'providerId', 'organisationId', 'companyId'] as const;
/** A value of each setting that nobody knows; `n` makes them different. */
const madeUp = (n: number): Omit<Settings, 'providerUrl' | 'webhookData'> => ({
  subscriptionId: `s${n}`,
  providerId: `p${n}`,
  providerCountry: 'CA',
  fileFormatCountry: 'US',
  acceptLanguage: 'en-CA',
  useMock: 'false',
  useNetwork: 'false',
  organisationId: `o${n}`,
  companyId: `c${n}`,
  companySigningKey: `key-${n}`,
  accountId: `a${n}`,
  dataSetId: `d${n}`,
  userJwt: 'e30.e30.x',
  batchId: `b${n}`,
  subscriptions: JSON.stringify([
    { subscriptionId: `l${n}`, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' },
  ]),
  postedBatches: JSON.stringify([
    { batchId: `m${n}`, status: 'Received', amount: '1.00 GBP', kind: 'file', postedAt: '2026-11-20T00:00:00.000Z' },
  ]),
});

describe('Settings written one by one by a program', () => {
  it('stay in all 24 orders of subscription, provider, organisation and company (behaviour 3.22)', async () => {
    const server = await consoleWithSandbox();
    for (const [n, order] of permutations(four).entries()) await write(server, order, madeUp(n));
  });

  it('stay in any order of the 18 keys, in an empty console (behaviour 3.22)', async () => {
    for (const [n, order] of shuffles(keysOf(madeUp(0)), 2).entries()) {
      const server = await consoleWithSandbox();
      const { providerUrl } = await server.done('getSettings');
      await write(server, [...order, 'providerUrl', 'webhookData'], { ...madeUp(n), providerUrl, webhookData: '' });
    }
  }, 60_000);

  it('stay in any order where a company is in use (behaviour 3.22)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const { userJwt: _, ...before } = await server.done('getSettings');
    for (const [n, shuffled] of shuffles(keysOf(madeUp(0)), 2).entries()) {
      // A key of another organisation is refused while the organisation in use has one.
      const order = [...shuffled.filter((key) => key !== 'companySigningKey'), 'companySigningKey' as const];
      await write(server, order, madeUp(n));
      const { settings, lost, companies } = await server.done('getFacts');
      expect([lost, settings.organisationId, companies.length]).toEqual(['organisation', `o${n}`, 1]);
    }
    // Its signing key was not among what was written: it is the organisation's.
    for (const key of four) await set(server, key, before[key]);
    expect(await server.done('getFacts')).toMatchObject({ lost: '', settings: { companySigningKey: secretIsSet } });
  }, 60_000);

  it('give the current company other ids, in place, and leave its records and those of other companies (behaviour 3.22)', async () => {
    const server = await consoleWithSandbox();
    const made = await fourCompanies(server);
    const [first, , , last] = made;
    const records = async () => {
      const { subscriptions, postedBatches, accountId, providerId } = await server.done('getSettings');
      const debtors = (await server.done('getDebtors')).data;
      return { subscriptions, postedBatches, accountId, providerId, debtors };
    };
    const before = await records();
    for (const [key, value] of [
      ['companyId', first!.companyId],
      ['organisationId', first!.organisationId],
      ['companyId', 'unknown'],
      ['organisationId', ''],
      ['companyId', ''],
      ['companyId', last!.companyId],
      ['organisationId', last!.organisationId],
    ] as const) {
      const answer = await set(server, key, value);
      expect(answer).toMatchObject({ [key]: value });
      // The company of another organisation is told of as long as the organisation is not written as well.
      const isForeign = value === first!.companyId;
      expect((answer.note ?? '').includes(`stored here for the organisation ${first!.organisationId}`)).toBe(isForeign);
      expect(await records(), `${key} ${value}`).toEqual(before);
    }
    const { companyKey, companies, lost } = await server.done('getFacts');
    expect([companyKey, lost]).toEqual([last!.companyKey, '']);
    expect(companies.map(({ companyId, companyName }) => [companyId, companyName])).toEqual(
      made.map(({ companyId, name }) => [companyId, name]),
    );
  }, 60_000);

  it('name no company by the name of another', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await set(server, 'companyId', 'other');
    expect((await server.done('getFacts')).companies).toMatchObject([{ companyId: 'other', companyName: '' }]);
  });

  it('that give a company the ids of another one leave both to be selected by a page, each with its records', async () => {
    const server = await consoleWithSandbox();
    const [first, second] = await fourCompanies(server);
    await selectCompany(server, second!);
    await set(server, 'companyId', first!.companyId);
    for (const { companyKey, subscriptionId } of [first!, second!, first!]) {
      expect(await selectCompany(server, { companyKey, companyId: first!.companyId })).toMatchObject({
        subscriptionId,
      });
      expect((await server.done('getFacts')).companyKey).toBe(companyKey);
    }
  }, 60_000);

  it('are reported where the current company’s service does not know them (behaviour 3.23)', async () => {
    const server = await consoleWithSandbox();
    const [first, second, third] = await fourCompanies(server);
    const values = { organisationId: second!.organisationId, companyId: second!.companyId };
    // The first company's subscription, then the second company, in the printed order.
    for (const subscriptionId of [first!.subscriptionId, third!.subscriptionId, 'unknown']) {
      await write(server, four, { ...values, subscriptionId, providerId: first!.provider.providerId });
      const facts = await server.done('getFacts');
      expect(facts).toMatchObject({ lost: 'subscription', subscription: null, provider: null });
      expect(requirementStatus('usableSubscription', facts)).toContain(`Subscription ${subscriptionId} is not known`);
      for (const journey of ['electronicPayment', 'debtor'] as const)
        expect(blockers(journey, facts)).toContain('usableSubscription');
      const { note } = await set(server, 'subscriptionId', subscriptionId);
      expect(note).toContain('does not know it');
    }
    // It was not stored as this company's, and can be removed from the settings.
    const before = await server.done('getSettings');
    await server.done('removeRecord', { body: { kind: 'subscription', id: 'unknown' } });
    expect(await server.done('getSettings')).toEqual({ ...before, subscriptionId: '' });
    expect(before.subscriptions).not.toContain('unknown');
  }, 60_000);

  it('that name another company’s subscription first, and then that company, can be used', async () => {
    const server = await consoleWithSandbox();
    const [first] = await fourCompanies(server);
    const { subscriptionId, provider, organisationId, companyId } = first!;
    await write(server, four, { subscriptionId, providerId: provider.providerId, organisationId, companyId });
    expect(await server.done('getFacts')).toMatchObject({ lost: '', subscription: { subscriptionId } });
  }, 60_000);

  it('do not go along when a page changes the company', async () => {
    const server = await consoleWithSandbox();
    const [first, second] = await fourCompanies(server);
    await selectCompany(server, first!);
    await set(server, 'subscriptionId', 'written');
    const asPage = { headers: { [companyHeader]: first!.companyKey } };
    const body = { key: 'companyId' as const, value: second!.companyId };
    expect(await server.done('setSetting', { ...asPage, body })).toMatchObject({
      subscriptionId: second!.subscriptionId,
    });
    expect(await selectCompany(server, first!)).toMatchObject({ subscriptionId: 'written' });
  }, 60_000);
});

describe('The signing key of an organisation', () => {
  it('stays the organisation’s while a program calls its only company by other ids with other keys (behaviour 3.24)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const before = await server.done('getSettings');
    const key = (await server.store.settings.read()).companySigningKey;
    for (const n of [1, 2]) {
      await set(server, 'organisationId', `o${n}`);
      expect((await set(server, 'companySigningKey', `key-${n}`)).note).toContain('not proved');
    }
    const { note } = await set(server, 'organisationId', before.organisationId);
    expect(note).toContain('keeps its stored signing key');
    expect((await server.store.settings.read()).companySigningKey).toBe(key);
    expect(await server.done('getFacts')).toMatchObject({ lost: '' });
  });

  it('is forgotten with the last company of the organisation', async () => {
    const { store } = await consoleWithSandbox();
    for (const [companyKey, companyId] of [
      ['one', 'a'],
      ['two', 'b'],
    ] as const)
      await store.companies.write(companyKey, { organisationId: 'o', companyId, companySigningKey: 'the-key' });
    await store.companies.remove('one');
    expect(await store.companies.read('two')).toMatchObject({ companySigningKey: 'the-key' });
    await store.companies.remove('two');
    await store.companies.write('three', { organisationId: 'o' });
    expect(await store.companies.read('three')).toEqual({ organisationId: 'o' });
  });
});

const keysOf = (values: object) => Object.keys(values) as SettingKey[]; // its own members
