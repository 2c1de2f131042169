import { describe, expect, it } from 'vitest';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import { programTokenHeader } from '#contract/programs.ts';
import { requests } from '#contract/requests/requests.ts';
import { headerFault } from '#server/http/singleHeaders.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { batchBody, walk } from '#tests/support/guidedPath.ts';
import { ask, common, integratorAt } from '#tests/support/integrator.ts';
import { labAt } from '#tests/support/lab.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { paymentForm } from '#rules/field.ts';

const errorsOf = (answer: string) => (JSON.parse(answer) as { errors?: { path: string }[] }).errors;

describe('A batch posted to the sandbox', () => {
  async function opened() {
    let sandboxUrl = '';
    const server = await testConsole({
      upstreamUrl: async (url) => (sandboxUrl = (await testSandbox({ webhookUrl: url + notificationsPath })).url),
    });
    const { subscriptionId, rules } = await walk(server);
    const body = await batchBody(server, subscriptionId, paymentForm(rules));
    const { token } = (await server.done('getToken', { query: { reveal: 'true' } })).data;
    const text = JSON.stringify(requests.createBatch(body, 'key').body);
    const headers = { ...common, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const lab = labAt(sandboxUrl);
    const made = async () => ((await lab.ask('GET', '/batches')) as unknown[]).length;
    const program = await integratorAt(server.url);
    const post = (key: string | string[], isProgram: boolean) =>
      isProgram
        ? ask(
            server.url,
            'POST',
            `/program${endpoints.batches}`,
            { ...headers, [header.idempotency]: key, [programTokenHeader]: program.token },
            text,
          )
        : ask(sandboxUrl, 'POST', endpoints.batches, { ...headers, [header.idempotency]: key }, text);
    return { post, made };
  }

  it('is refused for an idempotency key that is none, also through the console, and makes no batch (wire 4.7)', async () => {
    const { post, made } = await opened();
    const before = await made();
    for (const isProgram of [false, true])
      for (const key of [['A', 'A'], 'é', 'x'.repeat(5000)]) {
        const { status, answer } = await post(key, isProgram);
        expect([status, errorsOf(answer)?.[0]?.path]).toEqual([400, header.idempotency]);
      }
    expect(await made()).toBe(before);
    for (const key of ['~', '!'.repeat(200), 'a,b']) {
      const first = await post(key, false);
      expect(first.status, first.answer).toBe(201);
      expect((await post(key, true)).status).toBe(201);
    }
    expect(await made()).toBe(before + 3);
  });
});

describe('A request with two values of a header that has one', () => {
  it('is refused by the sandbox (wire 3.2)', async () => {
    const { url } = await testSandbox();
    const headers = { ...common, 'content-type': 'application/json', authorization: ['Bearer a', 'Bearer a'] };
    const { status, answer } = await ask(url, 'POST', endpoints.batches, headers, '{}');
    expect([status, errorsOf(answer)]).toMatchObject([400, [{ path: 'authorization' }]]);
  });

  it('is refused by the console before anything is sent (behaviour 7.18; threat 6.42)', async () => {
    const service = await fakeUpstream({});
    const { url } = await testConsole({ upstreamUrl: service.url });
    const headers = { 'content-type': 'application/json', 'idempotency-key': ['A', 'B'] };
    const { status, answer } = await ask(url, 'POST', '/api/organisation', headers, JSON.stringify(organisationBody));
    expect([status, errorsOf(answer)]).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
    expect(service.asked).toEqual([]);
  });

  it('is refused before it reaches another service than the sandbox, and is recorded (wire 3.2)', async () => {
    const service = await fakeUpstream({ '/v3': answering({}) });
    const server = await testConsole({ upstreamUrl: service.url, changes: { lab: undefined as never } });
    const program = await integratorAt(server.url);
    for (const headers of [{ [header.idempotency]: ['A', 'B'] }, { authorization: ['Bearer a', 'Bearer b'] }]) {
      const token = { [programTokenHeader]: program.token };
      const { status } = await ask(server.url, 'POST', `/program${endpoints.batches}`, { ...token, ...headers }, '{}');
      expect(status).toBe(400);
    }
    expect(service.asked).toEqual([]);
    const [entry] = (await server.done('getTimeline')).data;
    expect(entry).toMatchObject({ status: 400, wrong: [expect.stringContaining('was sent more than once')] });
  });

  it('is refused as a webhook', async () => {
    const server = await consoleWithSandbox();
    const headers = { 'webhook-signature': ['A', 'A'] };
    expect((await ask(server.url, 'POST', notificationsPath, headers, '{}')).status).toBe(400);
  });
});

const single = ['authorization', 'content-type', 'host', 'origin', 'webhook-id', 'webhook-timestamp']
  .concat([header.application, header.apiKey, header.nonce, header.signature, header.organisation, header.company])
  .concat([header.interaction, companyHeader, stepHeader, programTokenHeader]);
const withCommas = [header.idempotency, 'Idempotency-Key', 'webhook-signature'];

it.each([...single, ...withCommas])('A header is read once, in any letter case: %s', (name) => {
  expect(headerFault([name, 'A'])?.name).toBeUndefined();
  for (const value of ['A', 'B', ''])
    expect(headerFault([name, 'A', 'other', 'B', name.toUpperCase(), value])?.name).toBe(name);
});

it.each(single)('A header holds no joined values: %s', (name) => {
  for (const value of ['A, A', 'A,\tB']) expect(headerFault([name, value])?.name).toBe(name);
});

it.each([header.idempotency, 'Idempotency-Key'])('A key is 1 to 200 visible characters of ASCII: %s', (name) => {
  for (const key of ['', 'é', 'x'.repeat(201), 'A B', 'A\tB', 'A, A'])
    expect(headerFault([name, key])?.name).toBe(name);
  for (const key of ['~', '!'.repeat(200), 'a,b']) expect(headerFault([name, key])).toBeUndefined();
});

it.each<[string, string[]]>([
  ['two signatures of a webhook', ['webhook-signature', 'v1,a v1,b']],
  ['lists', ['accept', 'a', 'Accept', 'b', 'x-forwarded-for', '1.1.1.1, 2.2.2.2', 'X-Forwarded-For', '3.3.3.3']],
])('Headers are read as sent: %s', (_, raw) => {
  expect(headerFault(raw)).toBeUndefined();
});

it('A webhook with its own headers is accepted', async () => {
  const server = await consoleWithSandbox();
  expect((await deliver(server.url, JSON.stringify({ type: 'news' }))).status).toBe(204);
});
