import { describe, expect, it } from 'vitest';
import { connectElsewhere } from '#app/client/elsewhere.ts';
import { sendRecorded } from '#app/client/sendRecorded.ts';
import type { Answer, Body } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import { callOf, notAgain, type AgainKey } from '#rules/replay.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { onboard, walk } from '#tests/support/guidedPath.ts';

type Console = Awaited<ReturnType<typeof consoleWithSandbox>>;

const entriesOf = async ({ done }: Pick<Console, 'done'>, query = {}): Promise<TimelineEntry[]> =>
  (await done('getTimeline', { query: { limit: '100', ...query } })).data;
const lastOf = async (server: Pick<Console, 'done'>, name: string) =>
  (await entriesOf(server, { kind: 'call' })).find((entry) => entry.name === name)!; // it was made
/** Sends a recorded call again as the page does, from any entry of it. */
async function again(server: Console, from: TimelineEntry, key: AgainKey = 'same') {
  const call = callOf(from, (await entriesOf(server)).toReversed())!; // it is a call's
  const leave = connectElsewhere({ origin: server.url, headers: {} });
  const entry = await sendRecorded({ call, key, isLive: false }).finally(leave);
  return { entry, replayed: entry.response.headers['idempotent-replay'] === 'true' };
}
/** Requests to the service that write, other than for tokens. */
const writes = async (server: Pick<Console, 'done'>) =>
  (await entriesOf(server, { kind: 'service' })).filter(
    ({ method, url }) => method !== 'GET' && !url.endsWith('/accessToken'),
  ).length;

/** A console for a service that moves money. */
const liveConsole = async () =>
  testConsole({ upstreamUrl: (await testSandbox()).url, changes: { environment: 'live' } });

describe('A call sent again from the timeline', () => {
  it('is executed again if it is a read, also when started from its service request', async () => {
    const server = await consoleWithSandbox();
    await server.done('getConsumerHealth');
    const [asked] = await entriesOf(server, { kind: 'service' });
    const { entry, replayed } = await again(server, asked!);
    expect(entry).toMatchObject({ kind: 'call', name: 'getConsumerHealth', status: 200 });
    expect(replayed).toBe(false);
    expect(Number(entry.id)).toBeGreaterThan(Number(asked!.id));
    const asks = (await entriesOf(server, { kind: 'service' })).filter(({ url }) => url === asked!.url);
    expect(asks).toHaveLength(2);
    expect(notAgain({ call: entry, key: 'new', isLive: false })).not.toBe('');
  });

  it('returns the stored response for the same idempotency key and sends nothing (threat 6.33)', async () => {
    const server = await consoleWithSandbox();
    await server.done('createOrganisation', { body: organisationBody });
    const { companyId } = await server.done('createCompany', { body: companyBody('First') });
    const before = await writes(server);
    const first = await lastOf(server, 'createCompany');
    const { entry, replayed } = await again(server, first);
    expect(replayed).toBe(true);
    expect(entry).toMatchObject({ interactionId: first.interactionId, status: 200 });
    expect(entry.response.headers['idempotent-replay']).toBe('true');
    expect(JSON.parse(entry.response.body)).toMatchObject({ companyId });
    expect(await writes(server)).toBe(before);
  });

  it('is refused with 409 and sends nothing if the stored response was deleted', async () => {
    const server = await consoleWithSandbox();
    await server.done('createOrganisation', { body: organisationBody });
    const first = await lastOf(server, 'createOrganisation');
    await server.store.writes.forgetAll(server.store.workspace);
    const before = await writes(server);
    const { entry } = await again(server, first);
    expect(entry).toMatchObject({ status: 409 });
    expect(entry.response.body).toContain('no longer kept');
    expect(await writes(server)).toBe(before);
  });

  it('is sent as a new request under a new key in the sandbox only; a live service refuses (threat 6.33)', async () => {
    const server = await consoleWithSandbox();
    await server.done('createOrganisation', { body: organisationBody });
    const { companyId } = await server.done('createCompany', { body: companyBody('First') });
    const { entry } = await again(server, await lastOf(server, 'createCompany'), 'new');
    const { companyId: other } = JSON.parse(entry.response.body) as Answer<'createCompany'>;
    expect(other).not.toBe(companyId);

    const live = await liveConsole();
    await live.done('createOrganisation', { body: organisationBody });
    const made = await lastOf(live, 'createOrganisation');
    const before = await writes(live);
    expect(notAgain({ call: made, key: 'new', isLive: true })).toContain('only to the sandbox');
    expect((await again(live, made)).replayed).toBe(true);
    expect(await writes(live)).toBe(before);
  });

  it('makes no second payment of a paid invoice, under the same or a new key (behaviour 10.17.11; threat 6.33)', async () => {
    const server = await consoleWithSandbox();
    await walk(server);
    const paid = await lastOf(server, 'createBatch');
    const before = await writes(server);
    expect(await again(server, paid)).toMatchObject({ replayed: true, entry: { status: 200 } });
    const { entry } = await again(server, paid, 'new');
    expect(entry).toMatchObject({ status: 409 });
    expect(entry.response.body).toContain('paid-already');
    // The confirmation of a second payment does not confirm a third one.
    const body = JSON.parse(paid.request.body) as Body<'createBatch'>;
    await server.done('createBatch', { body, query: { again: 'true' } });
    const twice = await lastOf(server, 'createBatch');
    const after = await writes(server);
    expect((await again(server, twice, 'new')).entry.response.body).toContain('paid-already');
    expect((await again(server, twice)).replayed).toBe(true);
    expect([before + 1, await writes(server)]).toEqual([after, after]);
  });

  it('may not be sent if it was a payment that failed: the user reviews it on the payment page (threat 6.33)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await server.refused('createBatch', { body: { payments: [] } as never });
    const entry = await lastOf(server, 'createBatch');
    expect(notAgain({ call: entry, key: 'same', isLive: false })).toContain('reviewed');
  });

  it('is executed for its original company even if another company is current (threat 6.34)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await server.done('getFacts');
    const first = await lastOf(server, 'createAccount');
    await server.done('createCompany', { body: companyBody('Second') });
    const { entry, replayed } = await again(server, first);
    expect(replayed).toBe(true);
    expect(entry.request.headers[companyHeader]).toBe(first.request.headers[companyHeader]);
  });

  it('may not be sent if it changed a setting, its body was truncated or its key is a secret (threat 6.33)', async () => {
    const server = await consoleWithSandbox();
    await server.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    await server.call('setSetting', { body: { key: 'companySigningKey', value: 'a-key-that-nobody-may-see' } });
    const settings = (await entriesOf(server, { kind: 'call' })).filter(({ name }) => name === 'setSetting');
    expect(settings).toHaveLength(2);
    for (const call of settings) expect(notAgain({ call, key: 'same', isLive: false })).not.toBe('');
    const long = { ...organisationBody, name: 'x'.repeat(40_000) };
    await server.call('createOrganisation', { body: long });
    const entry = await lastOf(server, 'createOrganisation');
    expect(notAgain({ call: entry, key: 'new', isLive: false })).toContain('Only part of its body');
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLW9mLWEtdG9rZW4';
    await server.call('createOrganisation', { body: organisationBody, key: token });
    const secret = await lastOf(server, 'createOrganisation');
    expect(JSON.stringify(secret)).not.toContain(token);
    expect(notAgain({ call: secret, key: 'same', isLive: false })).toContain('secret');
  });

  it('rejects with the refusal if the server did not carry it out', async () => {
    const server = await consoleWithSandbox();
    await server.done('getConsumerHealth');
    const call = await lastOf(server, 'getConsumerHealth');
    const elsewhere = { ...call, request: { ...call.request, headers: { [companyHeader]: 'none' } } };
    await expect(again(server, elsewhere)).rejects.toMatchObject({ code: 'company-unknown' });
  });

  it('keeps the step at which it was made, and the exact digits of its body', async () => {
    const server = await consoleWithSandbox();
    await walk(server);
    const subscriptionId = (await server.done('getSettings')).subscriptionId;
    await server.done('queryDebtors', {
      body: { data: { subscriptionId } },
      headers: { [stepHeader]: 'debtorQuery/asking' },
    });
    const { entry } = await again(server, await lastOf(server, 'queryDebtors'), 'new');
    expect(entry).toMatchObject({ journey: 'debtorQuery', step: 'asking', status: 200 });
  });
});
