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

/** Idempotency keys that are none, as one field or several. */
const noKeys: [string, string | string[]][] = [
  ['two fields of the same key', ['A', 'A']],
  ['two fields of two keys', ['A', 'B']],
  ['three fields', ['A', 'B', 'C']],
  ['a joined field', 'A, A'],
  ['a field joined with a tab', 'A,\tB'],
  ['no characters', ''],
  ['a key and no characters', ['A', '']],
  ['a letter outside ASCII', 'é'],
  ['5,000 characters', 'x'.repeat(5000)],
  ['201 characters', 'x'.repeat(201)],
  ['a blank inside', 'A B'],
  ['a tab inside', 'A\tB'],
];
const detailOf = (answer: string) => (JSON.parse(answer) as { detail?: string }).detail;
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
    const post = (key: string | string[], isProgram: boolean, name: string = header.idempotency) =>
      isProgram
        ? ask(
            server.url,
            'POST',
            `/program${endpoints.batches}`,
            { ...headers, [name]: key, [programTokenHeader]: program.token },
            text,
          )
        : ask(sandboxUrl, 'POST', endpoints.batches, { ...headers, [name]: key }, text);
    return { post, made };
  }

  it('is refused for an idempotency key that is none, also through the console, and makes no batch (wire 4.7)', async () => {
    const { post, made } = await opened();
    const before = await made();
    for (const isProgram of [false, true])
      for (const [what, key] of noKeys)
        for (const name of [header.idempotency, 'X-Idempotency-Key']) {
          const { status, answer } = await post(key, isProgram, name);
          expect([status, detailOf(answer)?.startsWith(`The header ${header.idempotency} `)], what).toEqual([
            400,
            true,
          ]);
          expect(errorsOf(answer)?.[0]?.path).toBe(header.idempotency);
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
  it.each([
    header.application,
    header.apiKey,
    header.nonce,
    header.signature,
    header.organisation,
    header.company,
    header.interaction,
    'authorization',
    'content-type',
  ])('is refused by the sandbox: %s (wire 3.2)', async (name) => {
    const sandbox = await testSandbox();
    const all = { ...common, 'content-type': 'application/json', host: new URL(sandbox.url).host };
    const value = (all as Record<string, string>)[name] ?? 'A';
    for (const values of [
      [value, value],
      [value, 'B'],
    ]) {
      const { status, answer } = await ask(sandbox.url, 'POST', endpoints.batches, { ...all, [name]: values }, '{}');
      expect(status, answer).toBe(400);
      expect(detailOf(answer)).toContain(`The header ${name} was sent more than once; send it once`);
    }
    const joined = { ...all, [name]: `${value}, ${value}` };
    const { status, answer } = await ask(sandbox.url, 'POST', endpoints.batches, joined, '{}');
    expect([status, detailOf(answer)]).toEqual([400, expect.stringContaining('joined by a comma')]);
  });

  it.each(['idempotency-key', 'Idempotency-Key', companyHeader, stepHeader, 'content-type', 'authorization'])(
    'is refused by the console: %s (behaviour 7.18; threat 6.42)',
    async (name) => {
      const service = await fakeUpstream({ [endpoints.createOrganisation]: answering({}, 201) });
      const { url } = await testConsole({ upstreamUrl: service.url });
      const all = { 'content-type': 'application/json', host: new URL(url).host };
      const value = (all as Record<string, string>)[name] ?? 'A';
      for (const values of [
        [value, value],
        [value, 'B'],
      ]) {
        const body = JSON.stringify(organisationBody);
        const { status, answer } = await ask(url, 'POST', '/api/organisation', { ...all, [name]: values }, body);
        expect(status, answer).toBe(400);
        expect(detailOf(answer)).toBe(
          `The header ${name === 'idempotency-key' ? 'Idempotency-Key' : name} was sent more than once; send it once.`,
        );
      }
      expect(service.asked).toEqual([]);
    },
  );

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

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused as a webhook: %s', async (name) => {
    const server = await consoleWithSandbox();
    const { status } = await ask(server.url, 'POST', notificationsPath, { [name]: ['A', 'A'] }, '{}');
    expect(status).toBe(400);
  });
});

it.each<[string, string[], string | undefined]>([
  ['an idempotency key with a comma', [header.idempotency, 'a,b'], undefined],
  ['two signatures of a webhook', ['webhook-signature', 'v1,a v1,b'], undefined],
  [
    'lists',
    ['accept', 'a', 'Accept', 'b', 'x-forwarded-for', '1.1.1.1, 2.2.2.2', 'X-Forwarded-For', '3.3.3.3'],
    undefined,
  ],
  ['two hosts', ['Host', 'a', 'host', 'a'], 'host'],
  ['names in other letters', ['x-nonce', 'A', 'X-NONCE', 'A'], header.nonce],
  ['no value and a value', ['Authorization', '', 'authorization', 'Bearer a'], 'authorization'],
])('Headers are read as sent: %s', (_, raw, name) => {
  expect(headerFault(raw)?.name).toBe(name);
});

it('A webhook with its own headers is accepted', async () => {
  const server = await consoleWithSandbox();
  expect((await deliver(server.url, JSON.stringify({ type: 'news' }))).status).toBe(204);
});
