import { describe, expect, it } from 'vitest';
import { scopeHeader } from '#contract/constants.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import { blockers, requirementStatus } from '#machines/journeys.ts';
import { fourCompanies } from '#tests/support/companies.ts';
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
    for (const [n, order] of shuffles(keysOf(madeUp(0)), 8).entries()) {
      const server = await consoleWithSandbox();
      const { providerUrl } = await server.done('getSettings');
      await write(server, [...order, 'providerUrl', 'webhookData'], { ...madeUp(n), providerUrl, webhookData: '' });
    }
  }, 60_000);

  it('stay in any order where a company is in use, and that company keeps what it had (behaviour 3.22)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const { userJwt: _, ...before } = await server.done('getSettings');
    const { companies } = await server.done('getFacts');
    for (const [n, shuffled] of shuffles(keysOf(madeUp(0)), 6).entries()) {
      // A key of another organisation is refused while the organisation in use has one.
      const order = [...shuffled.filter((key) => key !== 'companySigningKey'), 'companySigningKey' as const];
      await write(server, order, madeUp(n));
      const { settings, lost } = await server.done('getFacts');
      expect([lost, settings.organisationId]).toEqual(['organisation', `o${n}`]);
      // As a page does it.
      const { scope } = companies[0]!;
      const answer = await server.done('getSettings', { headers: { [scopeHeader]: scope } });
      expect(answer).toMatchObject({
        ...{
          organisationId: before.organisationId,
          companyId: before.companyId,
          subscriptionId: before.subscriptionId,
        },
        ...{ providerId: before.providerId, accountId: before.accountId, companySigningKey: secretIsSet },
        subscriptions: before.subscriptions,
      });
    }
    for (const key of four) await set(server, key, before[key]);
    expect(await server.done('getFacts')).toMatchObject({ lost: '' });
  }, 60_000);

  it('leave no company behind that was only named on the way', async () => {
    const server = await consoleWithSandbox();
    await write(server, ['companyId', 'organisationId'], { organisationId: 'o', companyId: 'c' });
    await write(server, ['companyId', 'organisationId'], { organisationId: 'p', companyId: 'd' });
    const { companies } = await server.done('getFacts');
    expect(companies.map(({ organisationId, companyId }) => [organisationId, companyId])).toEqual([['p', 'd']]);
  });

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
    // It was not stored as the second company's, and can be removed from the settings.
    await server.done('removeRecord', { body: { kind: 'subscription', id: 'unknown' } });
    const { subscriptionId, subscriptions } = await server.done('getSettings');
    expect([subscriptionId, JSON.parse(subscriptions)]).toEqual([
      '',
      [expect.objectContaining({ subscriptionId: second!.subscriptionId })],
    ]);
  }, 60_000);

  it('that name another company’s subscription first select it there', async () => {
    const server = await consoleWithSandbox();
    const [first] = await fourCompanies(server);
    const { subscriptionId, provider, organisationId, companyId } = first!;
    await write(server, four, { subscriptionId, providerId: provider.providerId, organisationId, companyId });
    expect(await server.done('getFacts')).toMatchObject({ lost: '', subscription: { subscriptionId } });
  }, 60_000);

  it('do not go along when a page changes the company', async () => {
    const server = await consoleWithSandbox();
    const [first, second] = await fourCompanies(server);
    await set(server, 'companyId', first!.companyId);
    await set(server, 'subscriptionId', 'written');
    const asPage = { headers: { [scopeHeader]: first!.scope } };
    const body = { key: 'companyId' as const, value: second!.companyId };
    expect(await server.done('setSetting', { ...asPage, body })).toMatchObject({
      subscriptionId: second!.subscriptionId,
    });
    expect(await set(server, 'companyId', first!.companyId)).toMatchObject({ subscriptionId: 'written' });
    expect(await set(server, 'companyId', second!.companyId)).toMatchObject({ subscriptionId: second!.subscriptionId });
  }, 60_000);
});

const keysOf = (values: object) => Object.keys(values) as SettingKey[]; // its own members
