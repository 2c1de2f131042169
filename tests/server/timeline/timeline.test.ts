import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { callOf, notAgain } from '#rules/replay.ts';
import { paymentForm } from '#rules/field.ts';
import { eventsPath } from '#server/api/events.ts';
import { systemClock } from '#server/clock.ts';
import { createTimelines, defaultEntries } from '#server/timeline/timeline.ts';
import { header } from '#server/upstream/wire.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox, silent, testConsole, testSandbox } from '#tests/support/console.ts';
import { onboard, pay, subscribe, walk } from '#tests/support/guidedPath.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder, testKey, storageIn } from '#tests/support/store.ts';

const require = createRequire(import.meta.url);
type Console = Awaited<ReturnType<typeof consoleWithSandbox>>;

const timelineOf = async ({ done }: Pick<Console, 'done'>, query = {}) =>
  (await done('getTimeline', { query: { limit: '100', ...query } })).data;

describe('The timeline', () => {
  it('groups a call and its requests to the service by one interaction id, which the service receives', async () => {
    const server = await consoleWithSandbox();
    await server.done('createOrganisation', {
      body: { sageCRMId: 'crm', primaryCountry: 'GBR', adminEmail: 'admin@example.com', defaultLanguage: 'EN' },
      headers: { [stepHeader]: 'organisation/submitting' },
    });
    const [call] = await timelineOf(server, { journey: 'organisation', kind: 'call' });
    expect(call).toMatchObject({ name: 'createOrganisation', status: 200, step: 'submitting', method: 'POST' });
    const joined = await timelineOf(server, { interaction: call!.interactionId });
    const [service, ...others] = joined.filter(({ kind }) => kind === 'service').reverse();
    expect(joined).toHaveLength(others.length + 2);
    expect(service!.request.headers[header.interaction]).toBe(call!.interactionId);
    expect(service).toMatchObject({ status: 201, journey: 'organisation', attempt: 1 });
    expect(JSON.parse(service!.request.body)).toMatchObject({ sageCRMId: 'crm' });
  });

  it('tells a program’s call of the console from a page’s, which names its company in each (behaviour 10.20.14)', async () => {
    const server = await consoleWithSandbox();
    const { done } = server;
    await done('getProviders', { query: { country: 'GB' } });
    await done('getProviders', { query: { country: 'CA' }, headers: { [companyHeader]: '' } });
    const [ofPage, ofProgram] = await timelineOf(server, { name: 'getProviders', kind: 'call' });
    expect([ofPage?.byProgram, ofProgram?.byProgram]).toEqual([undefined, true]);
  });

  it('shows base strings, but neither signing keys nor tokens (threat 6.21)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const all = await timelineOf(server);
    const signed = all.filter(({ baseString }) => baseString !== '');
    expect(signed.length).toBeGreaterThan(1);
    expect(signed.every(({ baseString }) => /^(POST|GET)&http/.test(baseString))).toBe(true);
    const { companySigningKey = '', userJwt = '' } = await server.store.settings.read();
    const { apiKey, signingKey, webhookSecret } = sandboxCredentials;
    const secrets = [companySigningKey, userJwt, apiKey, signingKey, webhookSecret];
    expect(secrets.every((secret) => secret.length > 10)).toBe(true);
    const kept = JSON.stringify(all);
    for (const secret of secrets) expect(kept).not.toContain(secret);
    expect(kept).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(kept).toContain('$TOKEN');
  });

  it('shows whether a webhook’s signature is valid and which message it answers', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const answer = await eventually(async () => {
      const [found] = (await timelineOf(server, { kind: 'webhook' })).filter(({ answers }) => answers !== '');
      expect(found).toBeDefined();
      return found!;
    });
    expect(answer).toMatchObject({ signature: 'valid', status: 204, interactionId: answer.answers });
    const kinds = (await timelineOf(server, { interaction: answer.answers })).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['call', 'service', 'webhook']));

    await fetch(`${server.url}/notifications`, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-id': 'x', 'content-type': 'application/json' },
    });
    const [refused] = await timelineOf(server, { kind: 'webhook', status: '403' });
    expect(refused).toMatchObject({ signature: 'invalid', answers: '' });
  });

  it('filters by journey, id, kind, status and text, page by page', async () => {
    const server = await consoleWithSandbox();
    const headers = { [stepHeader]: 'providers/looking' };
    await server.done('getProviders', { query: { country: 'GB', language: 'en' }, headers });
    await server.call('getProvider', { params: { providerId: 'missing-provider' } });
    expect((await timelineOf(server, { journey: 'providers' })).every(({ journey }) => journey === 'providers')).toBe(
      true,
    );
    expect((await timelineOf(server, { status: '4xx' })).length).toBeGreaterThan(0);
    expect((await timelineOf(server, { status: '4xx' })).every(({ status }) => status >= 400 && status < 500)).toBe(
      true,
    );
    expect((await timelineOf(server, { text: 'missing-provider' })).length).toBeGreaterThan(0);
    expect(await timelineOf(server, { text: 'no such text anywhere' })).toEqual([]);
    const first = await server.done('getTimeline', { query: { limit: '1', kind: 'call' } });
    const second = await server.done('getTimeline', { query: { limit: '1', kind: 'call', after: first.next! } });
    expect(Number(second.data[0]!.id)).toBeLessThan(Number(first.data[0]!.id));
    expect(await server.refused('getTimeline', { query: { kind: 'nothing' } })).toMatchObject({ status: 400 });
  });

  it('filters by failure and time, and leaves out contents of brief entries, of which a page holds more (behaviour 10.17.14)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await server.call('getBatch', { params: { batchId: 'unknown' } });
    const failed = await timelineOf(server, { failed: 'true' });
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ status }) => status >= 400)).toBe(true);
    const all = await timelineOf(server);
    const [from, to] = [all[3]!.at, all[1]!.at];
    const between = await timelineOf(server, { from, to });
    expect(between).toEqual(all.filter(({ at }) => at >= from && at < to));
    const brief = await timelineOf(server, { brief: 'true', limit: '999' });
    expect(brief.map(({ id }) => id)).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
    expect(brief.every(({ request, response }) => !request.body && !response.body && Object.keys(request.headers).length === 0)).toBe(true); // prettier-ignore
    expect(await server.refused('getTimeline', { query: { from: 'yesterday' } })).toMatchObject({ status: 400 });
  });

  it('finds the calls of an interaction by its id however often other calls name it (behaviour 10.17.13)', async () => {
    const server = await consoleWithSandbox();
    const { subscriptionId, rules } = await walk(server);
    await pay(server, subscriptionId, paymentForm(rules));
    const [paid] = await timelineOf(server, { kind: 'service', text: '/batchpayments', status: '201' });
    const { interactionId } = paid!;
    // The facts of a page name the last write.
    for (let turn = 0; turn < 105; turn += 1) await server.done('getFacts');
    expect((await timelineOf(server, { text: interactionId })).map(({ name }) => name)).not.toContain('createBatch');
    const found = await timelineOf(server, { interaction: interactionId });
    expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['service createBatch', 'call createBatch']),
    );
    expect(found.every((each) => [each.interactionId, each.answers].includes(interactionId))).toBe(true);
    expect(notAgain({ call: callOf(paid!, found.toReversed())!, key: 'same', isLive: false })).toBe('');
    expect(await timelineOf(server, { entry: paid!.id })).toEqual([paid]);
    const named = await timelineOf(server, { name: 'createBatch' });
    expect(new Set(named.map(({ name }) => name))).toEqual(new Set(['createBatch']));
  }, 120_000);

  it('is stored across restarts, and limited in its number of entries (threat 6.31)', async () => {
    const folder = temporaryFolder();
    const sandbox = await testSandbox();
    const server = await testConsole({ upstreamUrl: sandbox.url, folder });
    await server.done('getProviders', { query: { country: 'GB', language: 'en' } });
    const before = await timelineOf(server, { kind: 'service' });
    expect(before.length).toBeGreaterThan(0);
    await server.timelines.flush();
    await server.storage.close();

    const storage = await storageIn(folder, [testKey()]);
    const timelines = createTimelines({ storage, clock: systemClock, log: silent });
    const timeline = timelines.of(defaultWorkspace);
    expect((await timeline.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    const [sample] = await timeline.list();
    for (let turn = 0; turn < defaultEntries + 50; turn += 1)
      timeline.add(() => ({ ...(sample as TimelineEntry), response: { headers: {}, body: '', bytes: 0 } }));
    expect(await timeline.list()).toHaveLength(defaultEntries);
    const ids = (await timeline.list()).map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    await timelines.flush();
  });

  it('is streamed to the page entry by entry', async () => {
    const server = await consoleWithSandbox();
    const { next, leave } = eventsIn(await fetch(server.url + eventsPath));
    onTestFinished(leave);
    await server.done('getSettings');
    await server.done('getConsumerHealth');
    const entries = await timelineOf(server);
    expect(entries.length).toBeGreaterThan(1);
    for (const entry of entries.toReversed()) {
      const { event, data } = (await next())!; // it goes on
      expect([event, JSON.parse(data)]).toEqual(['entry', entry]);
    }
  });

  it('is streamed and listed to users of its own workspace only (threat 6.30)', async () => {
    const { signedIn, url } = await sharedUse();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const { body, status } = await ben.visit(url + eventsPath);
    expect(status).toBe(200);
    await ada.done('getDebtors', { headers: { [stepHeader]: 'debtor/ofAda' } });
    expect((await timelineOf(ada)).length).toBeGreaterThan(0);
    expect(await timelineOf(ben)).toEqual([]);
    await ben.done('getCreditors', { headers: { [stepHeader]: 'creditor/ofBen' } });
    let text = '';
    const pieces = body as unknown as AsyncIterable<Uint8Array>; // node's stream is one, the DOM's type is not
    for await (const piece of pieces) {
      text += new TextDecoder().decode(piece);
      if (text.includes('ofBen')) break;
    }
    expect(text).not.toContain('ofAda');
  });

  it('is streamed to at most 20 pages of a workspace; a further page connects after one has closed (threat 6.31)', async () => {
    const server = await consoleWithSandbox();
    const pages = Array.from({ length: 20 }, () => new AbortController());
    const follow = (signal: AbortSignal) => fetch(server.url + eventsPath, { signal });
    for (const { signal } of pages) expect((await follow(signal)).status).toBe(200);
    const refused = await follow(AbortSignal.timeout(10_000));
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'rate-limited' })]);
    pages[0]!.abort();
    const next = new AbortController();
    await eventually(async () => {
      const { status, body } = await follow(next.signal);
      if (status !== 200) await body?.cancel();
      expect(status).toBe(200);
    });
    for (const page of [...pages, next]) page.abort();
  });

  it('is exported as a valid HAR and a support bundle, both without secrets (threat 6.21)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    await subscribe(server);
    const schemas = require('har-schema') as Record<string, object>;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
    for (const schema of Object.values(schemas)) ajv.addSchema(schema);
    const har = await (await fetch(`${server.url}/api/timeline.har`)).text();
    const valid = ajv.validate('har.json#', JSON.parse(har));
    expect(ajv.errors ?? []).toEqual([]);
    expect(valid).toBe(true);

    const response = await fetch(`${server.url}/api/timeline.zip`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const names = ['facts.json', 'rules.json', 'states.json', 'timeline.har', 'timeline.json', 'versions.json'];
    expect(Object.keys(files).sort()).toEqual(names);
    const { companySigningKey = '', userJwt = '' } = await server.store.settings.read();
    const { apiKey, signingKey, webhookSecret } = sandboxCredentials;
    const exported = [har, ...Object.values(files).map((file) => strFromU8(file))].join('\n');
    for (const secret of [companySigningKey, userJwt, apiKey, signingKey, webhookSecret])
      expect(exported).not.toContain(secret);
    expect(JSON.parse(strFromU8(files['rules.json']!))).not.toEqual([]);
  });
});
