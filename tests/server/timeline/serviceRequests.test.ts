import { expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { header } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

/** Reads that are not recorded, or that ask the sandbox's lab only. */
const unrecorded: readonly CallName[] = ['getTimeline', 'getDescription', 'getDrift', 'saveSituation'];
const reads = (Object.keys(calls) as CallName[]).filter(
  (name) => calls[name].method === 'GET' && !unrecorded.includes(name) && !calls[name].path.startsWith('/api/lab'),
);
/** The calls that cause requests to the service with these settings. */
const asking: readonly CallName[] = [
  'getFacts',
  'getProviders',
  'getProvider',
  'getLocalInstruments',
  'getBanks',
  'getSubscription',
  'getFileFormats',
  'getBatch',
  'downloadPaymentFile',
  'getUserInfo',
  'getToken',
  'getTranslation',
  'getConsumerHealth',
  'getMessagingHealth',
];

/** Makes a call twice concurrently, and expects that each of its requests to the service is recorded under its name and id. */
async function expectParts(name: CallName, isAsking: boolean, init?: RequestInit): Promise<void> {
  const service = await fakeUpstream({});
  const { url, store, timelines } = await testConsole({ upstreamUrl: service.url, limits: { backOff: 1 } });
  await store.settings.writeAll({
    organisationId: 'organisation',
    companyId: 'company',
    companySigningKey: 'c2lnbmluZy1rZXk=',
    subscriptionId: 'subscription',
    providerId: 'provider',
    userJwt: unsignedJwt(),
  });
  const path = calls[name].path
    .replace('{link}', `${encodeURIComponent(`${service.url}/files/1`)}?batchId=batch`)
    .replace(/\{(\w+)\}/g, (_, parameter: string) => parameter);
  await Promise.all([1, 2].map(() => fetch(url + path, init).then((reply) => reply.text())));

  const entries = await timelines.of('default').list();
  const its = entries.filter(({ kind }) => kind === 'service');
  expect(its.length).toBe(service.asked.length);
  expect(its.length > 0).toBe(isAsking);
  expect(its.map((each) => each.name)).toEqual(its.map(() => name));
  const ids = entries.filter(({ kind }) => kind === 'call').map(({ interactionId }) => interactionId);
  expect(new Set(ids).size).toBe(2);
  for (const { headers } of service.asked) expect(ids).toContain(headers[header.interaction.toLowerCase()]);
}

it.each(reads)(
  '%s records its requests to the service under its own name and interaction id, also when concurrent',
  (name) => expectParts(name, asking.includes(name)),
);

it('setSetting with a subscription id records its requests to the service under its own name', () =>
  expectParts('setSetting', true, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'subscriptionId', value: 'another' }),
  }));
