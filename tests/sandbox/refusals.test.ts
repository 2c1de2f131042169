import { describe, expect, it } from 'vitest';
import { serviceCalls } from '#contract/serviceCalls.ts';
import { failuresIn } from '#server/payments/failures.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { flawOfRefusal } from '#server/upstream/strict.ts';
import { verdicts, verdictOfStatus } from '#server/upstream/verdict.ts';
import { answers } from '#server/upstream/answers.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testSandbox, type Answer, type Call } from './harness.ts';
import { testLab } from './testLab.ts';

const received = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries(headers),
});

/** Expects a refusal in the strict shape. */
function expectStrict(what: string, answer: Answer): void {
  expect([what, answer.status, answer.text]).toEqual([what, answer.status, expect.stringMatching(/^\{/)]);
  expect([what, answer.status, flawOfRefusal(received(answer))]).toEqual([what, answer.status, '']);
}

describe('The sandbox', () => {
  it('refuses each call in the strict shape, whatever is wrong with it (wire 4.4, 14.2)', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.authorised();
    const batch = {
      externalId: 'e',
      subscriptionId: who.subscriptionId,
      requestedExecutionDateTime: executionDate,
      payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }],
    };
    const wrong: Readonly<Record<string, Call>> = {
      'no token': { body: {} },
      'a wrong token': { body: {}, token: 'x.y.z' },
      'a token of the organisation': { body: {}, token: who.organisationToken },
      'no API key': { body: {}, token: who.token, headers: { [header.apiKey]: '' } },
      'a wrong API key': { body: {}, token: who.token, headers: { [header.apiKey]: 'other' } },
      'a wrong signature': { body: {}, headers: { [header.signature]: 'x', [header.nonce]: 'n' } },
      'an empty body': { body: {}, token: who.token },
      'a list as its body': { body: [], token: who.token },
      'a text as its body': { body: 'x', token: who.token },
      'empty data': { body: { data: {} }, token: who.token },
      'wrong data': { body: { data: { payments: [{}], additionalData: '{}', providerId: 'none' } }, token: who.token },
      'another type': { body: {}, token: who.token, headers: { 'content-type': 'text/xml' } },
      'no JSON': {
        body: new URLSearchParams({ a: '"' }),
        token: who.token,
        headers: { 'content-type': 'application/json' },
      },
      'a blank key': { body: { data: batch }, token: who.token, headers: { [header.idempotency]: 'a key' } },
      'a past date': {
        body: { data: { ...batch, requestedExecutionDateTime: '2020-01-01T00:00:00Z' } },
        token: who.token,
      },
      'an unknown subscription': { body: { data: { ...batch, subscriptionId: 'none' } }, token: who.token },
      'an unknown format': { body: { data: { ...batch, fileFormatId: 'none' } }, token: who.token },
    };
    const statuses = new Set<number>();
    for (const [name, { methods, path }] of Object.entries(serviceCalls))
      for (const [what, call] of Object.entries(wrong)) {
        if (name === 'authorize') continue;
        const method = methods[0]; // each has one
        const { body, ...bare } = call;
        const own = path.replaceAll(/\{\w+\}/g, 'none');
        const answer = await sandbox.call(method, own, method === 'GET' ? bare : { ...bare, body });
        if (answer.status < 400) continue;
        statuses.add(answer.status);
        expectStrict(`${name} with ${what}`, answer);
      }
    for (const [method, path] of [
      ['GET', '/v3/none'],
      ['PUT', endpoints.batches],
      ['POST', '/'],
    ] as const)
      expectStrict(`${method} ${path}`, await sandbox.call(method, path, { token: who.token }));
    expect([...statuses].sort()).toEqual([400, 401, 404, 415, 422]);
  });

  it('refuses by each status of its fault lab, and by an expired token and too many calls, in the strict shape (wire 4.4)', async () => {
    const lab = await testLab();
    const under = async (fault: object) => {
      const { ruleId } = await lab.set({ on: 'call', of: 'createSubscription', fault });
      const answer = await lab.subscribe(lab.who, 'authorises');
      await lab.lab('DELETE', `/faults/${ruleId}`);
      return answer;
    };
    for (const status of verdicts.flatMap(({ ranges, verdict }) =>
      verdict === 'refused' ? ranges.map(([from]) => from) : [],
    )) {
      expect(verdictOfStatus(status)).toBe('refused');
      expectStrict(`status ${status}`, await under({ kind: 'status', status }));
    }
    for (const fault of [
      { kind: 'expiredToken' },
      { kind: 'tooMany', retryAfter: 7 },
      { kind: 'tooManyUntil', retryAfter: 7 },
    ])
      expectStrict(fault.kind, await under(fault));
  });

  it.each([
    ['by a rule', 'Rejected', { fault: undefined, creditor: { name: 'n', creditorId: 'unknown' } }],
    ['by a fault of each payment', 'Failed', { fault: { kind: 'failPayment', index: 0 }, creditor: { name: 'n' } }],
  ])('tells a batch that failed %s in the strict shape (wire 12.4)', async (_, status, { fault, creditor }) => {
    const lab = await testLab();
    if (fault) await lab.set({ on: 'batch', of: 'electronic', fault });
    const { token, subscriptionId } = lab.who;
    const payment = {
      instructedAmount: { amount: '1.00', currency: 'GBP' },
      creditor,
      creditorAgent: { identification: '200000' },
      creditorAccount: { identification: '12345678', secondaryIdentification: '1', name: 'n' },
      remittanceInformation: { reference: 'INV-1', unstructured: 'u' },
    };
    const data = { externalId: 'e', subscriptionId, requestedExecutionDateTime: executionDate, payments: [payment] };
    const { batchId } = (await lab.call('POST', endpoints.batches, { token, body: { data } })).body.data;
    for (let step = 0; step < 3; step += 1) {
      lab.clock.increment(1000);
      await lab.settled();
    }
    const answer = await lab.call('GET', `${endpoints.batches}/${batchId}`, { token });
    expect(answer.body.data.status).toBe(status);
    const read = lenientParse(answers.batch, answer.body);
    if (!('value' in read)) throw new Error(answer.text);
    const sent = { batch: data, isByExternalId: false };
    const failures = failuresIn(
      { data: read.value.data, error: { detail: read.value.error?.detail ?? [] }, reply: received(answer) },
      batchId,
      sent,
    );
    expect(failures).toMatchObject({ failed: 'all', staysPaid: [] });
    expect(failures.says).toMatchObject([{ reference: 'INV-1', status, words: expect.stringMatching(/\w/) as string }]);
  });
});

describe('the sandbox', () => {
  it('refuses a caller above the rate, with the time to wait (wire 13.1)', async () => {
    const sandbox = await testSandbox({ rate: { perSecond: 0.5, burst: 2 } });
    const get = () => sandbox.call('GET', endpoints.consumerStatus);
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    const refused = await get();
    expect({ status: refused.status, wait: refused.headers.get('retry-after') }).toEqual({ status: 429, wait: '2' });
    sandbox.clock.increment(2000);
    expect((await get()).status).toBe(200);
    expect((await sandbox.call('GET', '/')).status).toBe(200);
  });

  it('keeps tokens, pending steps and webhooks over a restart (wire 22.1)', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const { subscriptionId } = (await sandbox.subscribe(who, 'authorises')).body.data;
    await sandbox.restart(1000);
    expect(sandbox.received).toHaveLength(0);
    sandbox.clock.increment(0);
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token: who.token });
    expect(read.body.data.status).toBe('Authorised');
    await sandbox.restart();
    expect((await sandbox.webhook('subscriptionUpdated')).webhook.subscriptionId).toBe(subscriptionId);
  });
});

describe('the definitions', () => {
  it('are served in the shapes of the wire (wire 1.2, 5.5.1, 5.5.2)', async () => {
    const sandbox = await testSandbox();
    const get = async (path: string) => (await sandbox.call('GET', path)).body;
    expect(answers.providers.parse(await get(`${endpoints.providers}?country=GB`)).data).toHaveLength(6);
    expect(answers.provider.parse(await get(`${endpoints.providers}/provider-asks`)).data.name).toBe('asks');
    expect(answers.localInstruments.parse(await get(endpoints.localInstruments)).data).toHaveLength(1);
    expect(answers.fileFormats.parse(await get(`${endpoints.fileFormats}?country=GB`)).data).toHaveLength(1);
    expect(answers.health.parse(await get(endpoints.consumerStatus)).name).toContain('consumer API');
    expect(answers.health.parse(await get(endpoints.messagingStatus)).name).toContain('messaging');
    expect(await get(endpoints.banks)).toMatchObject({ meta: { total_count: 9 } });
  });

  it('are in the requested language', async () => {
    const sandbox = await testSandbox();
    const ask = (path: string, language: string) =>
      sandbox.call('GET', path, { headers: { [header.language]: language } });
    expect((await ask(endpoints.providers, 'xx')).body.data).toEqual([]);
    expect((await ask(`${endpoints.translations}/known`, 'fr-CA')).body.data.translation).toBe('known in fr-CA');
    expect((await ask(`${endpoints.translations}/unknown`, 'fr-CA')).status).toBe(404);
  });

  it('require the application and its key, and a country of two letters (wire 2.1.1)', async () => {
    const sandbox = await testSandbox();
    const status = async (path: string, headers = {}) => (await sandbox.call('GET', path, { headers })).status;
    expect(await status(endpoints.providers, { [header.apiKey]: 'wrong' })).toBe(401);
    expect(await status(endpoints.fileFormats, { [header.apiKey]: 'wrong' })).toBe(200);
    expect(await status(endpoints.fileFormats, { [header.application]: 'wrong' })).toBe(401);
    expect(await status(`${endpoints.providers}?country=GBR`)).toBe(400);
    expect(await status(`${endpoints.providers}/none`)).toBe(404);
  });

  it('say what would be right of a country, and of a link without its token', async () => {
    const sandbox = await testSandbox();
    const detail = async (path: string) => (await sandbox.call('GET', path)).body.detail;
    for (const path of [endpoints.providers, endpoints.fileFormats])
      expect(await detail(`${path}?country=gb`)).toContain('a 2-letter country code such as GB');
    expect(await detail('/files/none')).toContain('the token of the link that a batch was read with');
  });
});
