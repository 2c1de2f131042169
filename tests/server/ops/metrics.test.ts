import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished, describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { systemClock } from '#server/clock.ts';
import { version } from '#server/version.ts';
import { serveMetrics } from '#server/ops/metricsServer.ts';
import { createPrometheus } from '#server/ops/prometheus.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { ask, integratorAt } from '#tests/support/integrator.ts';
import { readOpenMetrics } from '#tests/support/openMetrics.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const openMetrics = { accept: 'application/openmetrics-text; version=1.0.0' };

/** A console at a scripted service, whose metrics are read at a port of their own. */
async function measuredConsole(
  scripts: Record<string, Script> = {},
  more: Partial<Parameters<typeof testConsole>[0]> = {},
) {
  const metrics = createPrometheus();
  const port = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => port.close());
  const service = await fakeUpstream(scripts);
  const server = await testConsole({ upstreamUrl: service.url, metrics, ...more });

  const scraped = async () => readOpenMetrics(await (await fetch(port.url, { headers: openMetrics })).text());
  /** The value of the only sample that has these labels; undefined if there is none. */
  async function valueOf(name: string, labels: Record<string, string>): Promise<number | undefined> {
    const samples = [...(await scraped()).values()].flatMap(({ samples }) => samples);
    const found = samples.filter(
      (each) => each.name === name && Object.entries(labels).every(([label, value]) => each.labels[label] === value),
    );
    expect(found.length, `${name} ${JSON.stringify(labels)}`).toBeLessThanOrEqual(1);
    return found[0]?.value;
  }
  return { ...server, service, metricsUrl: port.url, scraped, valueOf };
}

describe('The metrics', () => {
  it('count requests by method, route and status class, with durations', async () => {
    const { done, refused, call, url, valueOf } = await measuredConsole({ [endpoints.banks]: answering({ data: [] }) });
    await done('getSettings');
    await done('getSettings');
    await refused('getProvider', { params: { providerId: 'secret-1' } });
    await call('getProvider', { params: { providerId: 'secret-2' } });
    await fetch(`${url}/nowhere.js`);
    const counted = (method: string, route: string, status: string) =>
      valueOf('console_requests_total', { method, route, status });
    const route = calls.getProvider.path.replace('{providerId}', ':providerId');
    expect(await counted('GET', calls.getSettings.path, '2xx')).toBe(2);
    expect(await counted('GET', route, '4xx')).toBe(2);
    expect(await counted('GET', 'files', '4xx')).toBe(1);
    const durations = { method: 'GET', route: calls.getSettings.path };
    expect(await valueOf('console_request_duration_seconds_count', durations)).toBe(2);
    expect(await valueOf('console_request_duration_seconds_bucket', { ...durations, le: '+Inf' })).toBe(2);
    expect(await valueOf('console_request_duration_seconds_sum', durations)).toBeLessThan(60);
  });

  it('count each attempt of a request to the service by operation and outcome, with durations', async () => {
    const slow: Script = (response) => void setTimeout(() => response.end('{}'), 500);
    const { call, service, valueOf } = await measuredConsole(
      {
        [endpoints.banks]: answering({}, 503),
        [endpoints.localInstruments]: slow,
        [endpoints.consumerStatus]: (response) => void response.writeHead(200).end('{'),
        [endpoints.fileFormats]: (response) => void response.destroy(),
      },
      { limits: { backOff: 1, patience: { headers: 200, total: 250 } } },
    );
    for (const name of ['getBanks', 'getLocalInstruments', 'getConsumerHealth', 'getFileFormats'] as const)
      await call(name);
    const counted = (operation: string, outcome: string) =>
      valueOf('console_upstream_calls_total', { operation, outcome });
    expect(await counted('banks', '5xx')).toBe(service.askedFor(endpoints.banks).length);
    expect(await counted('banks', '5xx')).toBe(3);
    expect(await counted('localInstruments', 'timeout')).toBe(1);
    // Each scrape asks for it too.
    expect(await counted('consumerStatus', '2xx')).toBeGreaterThan(0);
    expect(await counted('fileFormats', 'unreachable')).toBe(3);
    const seconds = await valueOf('console_upstream_call_duration_seconds_sum', { operation: 'localInstruments' });
    expect(seconds).toBeGreaterThan(0.15);
    expect(seconds).toBeLessThan(10);
  });

  it('count requests of programs as requests to the service', async () => {
    const { url, valueOf } = await measuredConsole({
      '/v3/': answering({ data: [] }),
      '/v3/batchpayments/': answering({}, 404),
    });
    const program = await integratorAt(url);
    await program.called('GET', `${endpoints.providers}?country=GB`);
    await program.called('GET', `${endpoints.batches}/b-1`);
    expect(await valueOf('console_upstream_calls_total', { operation: 'providers', outcome: '2xx' })).toBe(1);
    expect(await valueOf('console_upstream_calls_total', { operation: 'batch', outcome: '4xx' })).toBe(1);
    expect(await valueOf('console_requests_total', { route: '/program/*', status: '2xx' })).toBe(1);
  });

  it('show what answers, quarantined records, and payments by whether their response may still arrive', async () => {
    let passed = 0;
    const clock = { ...systemClock, now: () => Date.now() + passed, steady: () => systemClock.steady() + passed };
    const { storage, valueOf } = await measuredConsole({ [endpoints.consumerStatus]: answering({}, 503) }, { clock });
    const payments = async () => [
      await valueOf('console_payments', { state: 'pending' }),
      await valueOf('console_payments', { state: 'unknown' }),
    ];
    expect(await valueOf('console_up', { what: 'store' })).toBe(1);
    await expect.poll(() => valueOf('console_up', { what: 'service' })).toBe(0);
    expect(await valueOf('console_up', { what: 'signIn' })).toBeUndefined();
    expect(await valueOf('console_quarantined_records', {})).toBe(0);
    expect(await valueOf('console_sessions', {})).toBeUndefined();
    expect(await payments()).toEqual([0, 0]);
    const claim = (key: string, call = 'createBatch') =>
      storage.writes.claim({
        workspace: 'default',
        companyKey: 'first',
        key,
        call,
        fingerprint: key,
        serviceKey: key,
        serviceTime: undefined,
        body: null,
        claimedAt: clock.now(),
      });
    await claim('one');
    await claim('two');
    await claim('no payment', 'createAccount');
    await storage.writes.end((await claim('paid'))!, { answer: null });
    expect(await payments()).toEqual([2, 0]);
    passed += 2 * 60_000 + 1000;
    expect(await payments()).toEqual([0, 2]);
    await storage.close();
    passed += 2000; // what was found is reused for a second
    expect(await payments()).toEqual([undefined, undefined]);
    expect(await valueOf('console_up', { what: 'store' })).toBe(0);
  });

  it('count webhooks by type and outcome', async () => {
    const { url, valueOf } = await measuredConsole({ [endpoints.batches]: answering({}, 500) });
    const listed = JSON.stringify({ type: 'creditorlistqueryresponses', subscriptionId: 's', data: { creditors: [] } });
    for (const id of ['one', 'one', 'two']) expect((await deliver(url, listed, { id })).status).toBe(204);
    expect((await deliver(url, listed, { headers: { 'webhook-id': 'forged' } })).status).toBe(403);
    expect((await deliver(url, '{}', { id: 'three' })).status).toBe(400);
    expect((await deliver(url, JSON.stringify({ type: 'madeUp', data: 1 }), { id: 'four' })).status).toBe(204);
    const counted = (type: string, outcome: string) => valueOf('console_webhooks_total', { type, outcome });
    expect(await counted('creditorlistqueryresponses', 'accepted')).toBe(2);
    expect(await counted('creditorlistqueryresponses', 'repeated')).toBe(1);
    expect(await counted('none', 'refused')).toBe(2);
    expect(await counted('other', 'accepted')).toBe(1);
  });

  it('count claims of idempotency keys by outcome', async () => {
    let answer: (() => void) | undefined;
    let lost = false;
    const { call, valueOf } = await measuredConsole({
      [endpoints.createOrganisation]: (response) => {
        if (lost) response.destroy();
        else
          answer = () =>
            response
              .writeHead(201, { 'content-type': 'application/json' })
              .end(JSON.stringify({ organisationId: 'o', primarySigningKey: 'k' }));
      },
    });
    const write = (key: string, sageCRMId = 'one') =>
      call('createOrganisation', { key, body: { ...organisationBody, sageCRMId } });
    const counted = (outcome: string) => valueOf('console_claims_total', { outcome });

    const [first, second] = [write('a'), write('a')];
    await expect.poll(() => counted('waited')).toBe(1);
    await expect.poll(() => answer).toBeDefined();
    answer!();
    expect((await Promise.all([first, second])).every(({ ok }) => ok)).toBe(true);
    await write('a');
    await write('a', 'another');
    lost = true;
    await write('b');
    await write('b');
    const all = await Promise.all(['fresh', 'waited', 'replayed', 'conflict', 'repeated', 'unknown'].map(counted));
    expect(all).toEqual([2, 1, 1, 1, 1, undefined]);
  });

  it('count database operations by name and outcome, with durations', async () => {
    const folder = temporaryFolder();
    const { done, call, timelines, valueOf } = await measuredConsole({}, { folder });
    const write = (value: string) => ({ body: { key: 'providerId' as const, value } });
    const counted = async (operation: string, outcome: string) =>
      (await valueOf('console_store_operations_total', { operation, outcome })) ?? 0;
    const before = await counted('insert', 'done');
    await done('setSetting', write('one'));
    await timelines.flush(); // it is written to the store as well
    const after = await counted('insert', 'done');
    expect(after).toBeGreaterThan(before);
    expect(await counted('insert', 'failed')).toBe(0);
    expect(await valueOf('console_store_operation_duration_seconds_count', { operation: 'insert' })).toBe(after);

    const other = new Database(join(folder, 'console.sqlite'));
    other.exec("create trigger refused before insert on settings begin select raise(abort, 'refused'); end");
    other.close();
    expect((await call('setSetting', write('two'))).ok).toBe(false);
    expect(await counted('insert', 'failed')).toBeGreaterThan(0);
    expect(await counted('insert', 'done')).toBe(after);
  });

  it('contain CPU, memory, event loop lag and the versions, but no other constant values', async () => {
    const { scraped } = await measuredConsole();
    const names = [...(await scraped()).keys()];
    for (const name of ['process_cpu_seconds', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
      expect(names).toContain(name);
    const { samples } = (await scraped()).get('console_build_info')!; // or the test fails
    expect(samples).toEqual([expect.objectContaining({ labels: { version, node: process.versions.node }, value: 1 })]);
    expect(names.filter((name) => /version|max_fds|heap_space/.test(name))).toEqual([]);
  });

  it('have no label value chosen by a client, a webhook’s sender or the service (threat 6.12)', async () => {
    const { url, call, metricsUrl, scraped } = await measuredConsole({
      [endpoints.consumerStatus]: answering(health),
      [endpoints.providers]: answering({ data: [] }),
    });
    const program = await integratorAt(url);
    const mark = 'mark3f9';
    const paths = [
      `/${mark}`,
      `/${mark}.js`,
      `/api/${mark}`,
      `/API/${mark}`,
      `/api/providers/${mark}`,
      `/assets/${mark}/../x.css`,
      `/api/settings?${mark}`,
      `/api/downloadpaymentfile/https%3A%2F%2F${mark}`,
      `/signin/${mark}`,
      `/%${mark}`,
      `/"${mark}\\n`,
      `/program/v3/${mark}`,
      `//${mark}//`,
      `/api/providers/${mark}%0Aconsole_requests_total%201`,
    ];
    for (const path of paths)
      for (const method of ['GET', 'POST', 'PROPFIND', 'DELETE', 'OPTIONS'])
        await ask(url, method, path, { 'user-agent': mark, host: new URL(url).host });
    await program.called('GET', `${endpoints.providers}/${mark}`);
    await program.called('GET', `/v3/${mark}/${mark}`);
    await deliver(url, JSON.stringify({ type: mark, resource: { type: mark, id: mark }, data: mark }), { id: mark });
    await call('getProvider', { params: { providerId: mark } });

    const text = await (await fetch(metricsUrl, { headers: openMetrics })).text();
    expect(text).not.toContain(mark);
    expect(text).not.toContain(program.token);
    const patterns = Object.values(calls).map(({ path }) => path.replace(/\{(\w+)\}/g, ':$1'));
    const routes = [...(await scraped()).get('console_requests')!.samples].map(({ labels }) => labels['route']!);
    const known = [...patterns, 'files', 'pages', 'none', '/program/*', '/notifications'];
    expect(routes.filter((route) => !known.includes(route))).toEqual([]);
    expect(new Set(routes).size).toBeGreaterThan(4);
  });
});

describe('The metrics port', () => {
  it('answers in OpenMetrics if the client accepts it, otherwise in Prometheus text', async () => {
    const { done, metricsUrl } = await measuredConsole();
    await done('getSettings');
    const read = async (accept: string) => {
      const answer = await fetch(metricsUrl, { headers: { accept } });
      return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
    };
    const prometheus =
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
    const [status, type, text] = await read(prometheus);
    expect([status, type]).toEqual([200, 'application/openmetrics-text; version=1.0.0; charset=utf-8']);
    expect(readOpenMetrics(text).get('console_requests')?.type).toBe('counter');

    for (const accept of ['*/*', 'text/plain', 'application/json', 'application/openmetrics-text;q=0.1,text/plain']) {
      const [, plainType, plain] = await read(accept);
      expect(plainType, accept).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(plain).toMatch(
        /^# HELP console_requests_total .+\n# TYPE console_requests_total counter\nconsole_requests_total\{/m,
      );
      expect(plain).not.toContain('# EOF');
    }
    const [, , again] = await read(prometheus);
    expect([...readOpenMetrics(again).keys()]).toEqual([...readOpenMetrics(text).keys()]);
  });

  it('refuses everything but GET /metrics, sets no cookie and allows no other origin (threat 6.12)', async () => {
    const { metricsUrl } = await measuredConsole();
    const { origin } = new URL(metricsUrl);
    const headers = { origin: 'http://elsewhere.example', cookie: 'session=1', 'access-control-request-method': 'GET' };
    const asked = async (method: string, path: string) => {
      const answer = await ask(origin, method, path, headers);
      expect(Object.keys(answer.headers).filter((name) => /^(set-cookie|access-control-)/.test(name))).toEqual([]);
      return answer.status;
    };
    expect(await asked('GET', '/metrics')).toBe(200);
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
      expect(await asked(method, '/metrics'), method).toBe(405);
    for (const path of [
      '/',
      '/metrics/',
      '/METRICS',
      '/healthz',
      '/api/settings',
      '//metrics',
      '/metrics/../api/settings',
    ])
      expect(await asked('GET', path), path).toBe(404);
  });
});
