import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import { codeOf } from '#app/journey/inspector/code.ts';
import { languages } from '#app/journey/inspector/code/languages.ts';
import { shownAfter } from '#app/journey/inspector/shownRequest.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { batchIn, pay, walk } from '#tests/support/guidedPath.ts';
import { paymentForm } from '#rules/field.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { calls, type CallName } from '#contract/calls.ts';
import { header } from '#server/upstream/wire.ts';
import { fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

async function everything({ done }: Awaited<ReturnType<typeof consoleWithSandbox>>): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  let after: string | undefined;
  do {
    const page = await done('getTimeline', { query: { limit: '100', ...(after !== undefined && { after }) } });
    all.push(...page.data);
    after = page.next;
  } while (after !== undefined);
  return all;
}

it('The timeline of a whole guided path, its code samples, HAR and support bundle contain no secret (threat 6.21)', async () => {
  const server = await consoleWithSandbox();
  const { subscriptionId, rules } = await walk(server);
  const { fileFormatId, specification } = (await server.done('getFileFormats')).data[0]!;
  const filed = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
  const link = (await batchIn(server, 'PaymentFileAvailable', filed)).links!.paymentFile!;
  await server.done('downloadPaymentFile', { params: { link } });
  const { token } = (await server.done('getToken', { query: { reveal: 'true' } })).data;
  const { organisationId, companySigningKey = '', userJwt = '' } = await server.store.settings.read();
  const { signingKey: revealed } = await server.done('revealSigningKey', { body: { organisationId: organisationId! } });
  const { apiKey, signingKey, webhookSecret } = sandboxCredentials;
  const secrets = [
    companySigningKey,
    userJwt,
    token,
    revealed,
    apiKey,
    signingKey,
    webhookSecret,
    new URL(link).search,
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);

  const entries = await everything(server);
  // The number of polls differs between runs.
  expect(entries.length).toBeGreaterThan(40);
  const code = entries.flatMap((entry) =>
    languages.map((language) => codeOf({ ...shownAfter(entry), url: new URL(entry.url, server.url).href }, language)),
  );
  const har = await (await fetch(`${server.url}/api/timeline.har`)).text();
  // The address of the download without its secret only (behaviour 10.25.8).
  expect(har).toContain(`/files/${filed}?token=$TOKEN`);
  const zip = await (await fetch(`${server.url}/api/timeline.zip`)).arrayBuffer();
  const bundle = Object.values(unzipSync(new Uint8Array(zip))).map((file) => strFromU8(file));
  const written = { record: JSON.stringify(entries), code: code.join('\n'), har, bundle: bundle.join('\n') };
  for (const [what, text] of Object.entries(written)) {
    expect(text.length, what).toBeGreaterThan(10_000);
    const encoded = (secret: string) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ];
    for (const secret of secrets.flatMap(encoded)) expect(text.includes(secret), what).toBe(false);
    // No JWT of any kind.
    expect(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+/.exec(text), what).toBeNull();
  }
});

/** The reads that are recorded. */
const reads = (Object.keys(calls) as CallName[]).filter(
  (name) => calls[name].method === 'GET' && !('unrecorded' in calls[name] && calls[name].unrecorded),
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
