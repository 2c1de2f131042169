import { describe, expect, it } from 'vitest';
import { operationOf } from '#contract/serviceCalls.ts';
import type { Upstream } from '#server/upstream/client.ts';
import { timeouts } from '#server/upstream/timeouts.ts';
import type { TimeoutClass } from '#server/upstream/timeouts.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { clientOf, company, problemOf } from '#tests/support/client.ts';
import { fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const organisation = { organisationId: company.organisationId, signingKey: company.signingKey };
const scope = { country: 'GB', language: 'en' };
const batch = { externalId: 'e', requestedExecutionDateTime: executionDate, payments: [] };
const subscription = { data: { providerId: 'p', additionalData: '{}' } };
const body = { data: {} } as never; // not read, because no response follows

/** Each request of the client, and its time-out class. */
const asking: Readonly<
  Record<
    Exclude<keyof Upstream, 'partOf' | 'lab' | 'serviceClock'>,
    [TimeoutClass, (client: Upstream, url: string) => Promise<unknown>]
  >
> = {
  createOrganisation: ['usual', (client) => client.createOrganisation(body, 'key')],
  createCompany: ['usual', (client) => client.createCompany(organisation, body, 'key')],
  token: ['usual', (client) => client.token(company)],
  provenToken: ['usual', (client) => client.provenToken(company)],
  freshToken: ['usual', (client) => client.freshToken(company)],
  createAccount: ['usual', (client) => client.createAccount(unsignedJwt(), body, 'key')],
  createDataset: ['usual', (client) => client.createDataset(unsignedJwt(), body, 'key')],
  userInfo: ['usual', (client) => client.userInfo(unsignedJwt())],
  send: ['usual', (client) => client.send(company, 'creditorputs', body, 'key')],
  providers: ['usual', (client) => client.providers(scope)],
  provider: ['usual', (client) => client.provider('p', 'en')],
  localInstruments: ['usual', (client) => client.localInstruments('en')],
  fileFormats: ['usual', (client) => client.fileFormats(scope)],
  translation: ['usual', (client) => client.translation('key', 'en')],
  health: ['usual', (client) => client.health('consumer')],
  banks: ['banks', (client) => client.banks()],
  createSubscription: ['createSubscription', (client) => client.createSubscription(company, subscription, 'key')],
  subscription: ['subscription', (client) => client.subscription(company, 's')],
  patchSubscription: ['patchSubscription', (client) => client.patchSubscription(company, 's', body)],
  createBatch: ['createBatch', (client) => client.createBatch(company, batch, 'key')],
  batch: ['batch', (client) => client.batch(company, 'b')],
  paymentFile: ['paymentFile', (client, url) => client.paymentFile(`${url}/files/f`)],
};

describe('The time-out of a request to the service', () => {
  it.each(['banks', 'createSubscription', 'subscription', 'patchSubscription', 'createBatch', 'batch'] as const)(
    'is 100 s if the service may ask the bank: %s',
    (asked) => {
      expect(timeouts[asked].headers).toBe(100_000);
      expect(timeouts[asked].total).toBeGreaterThan(100_000);
    },
  );

  it('is less than 30 s if the service asks no bank', () => {
    expect(timeouts.usual.headers).toBeLessThan(30_000);
  });

  it.each(Object.entries(asking))('is that of its time-out class: %s (wire 13.1)', async (name, [asked, ask]) => {
    // Tokens are issued at once; nothing else gets a response.
    const service = await fakeUpstream({ '/': () => undefined });
    if (/token/i.test(name)) service.scripts[endpoints.accessToken] = () => undefined;
    const short = { headers: 300, body: 300, total: 300 };
    const client = clientOf(service.url, { table: { ...timeouts, [asked]: short } });
    expect((await problemOf(ask(client, service.url))).code).toBe('upstream-timeout');
    expect(service.asked.length).toBeGreaterThan(0);
    expect(service.asked.map(({ method, path }) => operationOf(method, path))).not.toContain(undefined); // serviceCalls.ts names it
  });
});
