import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { providerSchema } from '#contract/lookup.ts';
import { parse } from '#contract/json.ts';
import { listedSchemas } from '#contract/party.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { answers } from '#server/upstream/answers.ts';
import { webhookSchema } from '#server/upstream/webhooks.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { membersOf, valueAt, wholeOf, withAt, type Member } from '#tests/support/schemaMembers.ts';

const provider = (more: object = {}) => ({
  providerId: 'p',
  name: 'n',
  country: ['GB'],
  accountType: { capabilities: ['SubscriptionRequired'], validationRules: [rule({})] },
  ...more,
});
const rule = (validation: object | null, ruleId: unknown = 'r') => ({
  ruleId,
  validation: validation && { apiPath: 'Subscriptions', jsonPath: 'additionalData.a', ...validation },
});
const withRule = (validation: object | null) => provider({ accountType: { validationRules: [rule(validation)] } });

function read(data: unknown) {
  const reading = lenientParse(answers.providers, { data });
  if ('fault' in reading) throw new Error(`${reading.fault.path}: ${reading.fault.message}`);
  return reading;
}

const wrong = [null, 7, { unexpected: true }, []];

/** The schemas of everything that the service sends. */
const schemas = Object.entries<z.ZodType>({ ...answers, webhook: webhookSchema, ...listedSchemas });

const isAnything = ({ schema }: Member) => schema instanceof z.ZodAny;

describe.each(schemas)('Lenient parsing of %s', (_, schema) => {
  const whole = wholeOf(schema);
  const cases = membersOf(schema).flatMap((member) => wrong.map((value) => ({ ...member, value })));

  it('returns a valid response unchanged', () => {
    expect(lenientParse(schema, whole)).toMatchObject({ value: whole, skipped: [] });
  });

  it('leaves out an optional member of a wrong type, or reports the place of a required one (wire 14.1)', () => {
    for (const { value, ...member } of cases) {
      const at = `${member.place.join('.')} is ${JSON.stringify(value)}`;
      const reading = lenientParse(schema, withAt(whole, member.place, value));
      if ('fault' in reading) {
        expect(member.spare, at).toBe(false);
        expect(reading.fault.message, at).not.toBe('');
        continue;
      }
      // The result fits the schema, so later code meets no unexpected type.
      expect(schema.safeParse(reading.value).error?.issues, at).toBeUndefined();
      const read = valueAt(reading.value, member.place);
      const isTaken = z.safeParse(member.schema, value).success || read === '7';
      const absent = valueAt(lenientParse(schema, withAt(whole, member.place, undefined)), ['value', ...member.place]); // prettier-ignore
      if (!isTaken && !isAnything(member)) expect(read, at).toEqual(absent);
      if (value === null && member.spare && member.place.at(-1) !== 0) expect(reading.skipped, at).toEqual([]);
      if (value !== null && !z.safeParse(member.schema, value).success) expect(reading.skipped.length, at).toBe(1);
    }
  });
});

it('An optional member without its required members is left out and reported with the place', () => {
  const { value, skipped } = read([withRule({ jsonPath: null })]);
  expect(value.data[0]?.accountType.validationRules).toEqual([{ ruleId: 'r' }]);
  expect(skipped).toEqual([
    { path: 'data.0.accountType.validationRules.0.validation', message: 'jsonPath is missing, a text was expected' },
  ]);
});

describe('A list element', () => {
  it.each([null, 7, 'text', [], {}, provider({ providerId: null }), provider({ name: {} })])(
    'that is invalid is left out and reported, while others stay: %j',
    (element) => {
      const { value, skipped } = read([provider(), element, provider({ providerId: 'q' })]);
      expect(value.data.map(({ providerId }) => providerId)).toEqual(['p', 'q']);
      expect(skipped).toMatchObject([{ path: 'data.1' }]);
    },
  );

  it('with the id of an earlier one is left out and reported', () => {
    const { value, skipped } = read([provider({ name: 'first' }), provider({ name: 'second' })]);
    expect(value.data.map(({ name }) => name)).toEqual(['first']);
    expect(skipped).toEqual([{ path: 'data.1', message: "the providerId p is an earlier one's" }]);
  });

  it('is left out at the deepest possible level', () => {
    const rules = [rule({}, 'a'), rule({}, null), rule({}, 'a'), rule({}, 'b'), null];
    const { value, skipped } = read([provider({ accountType: { validationRules: rules } })]);
    expect(value.data[0]?.accountType.validationRules.map(({ ruleId }) => ruleId)).toEqual(['a', 'b']);
    const list = 'data.0.accountType.validationRules';
    expect(skipped.map(({ path }) => path)).toEqual([`${list}.1`, `${list}.2`, `${list}.4`]);
  });
});

it('Numbers and booleans of an enumeration become strings with all digits', () => {
  const enumeration =
    '[{"value":1,"description":"One"},{"value":12345678901234567890},{"value":true,"description":null}]';
  const { value, skipped } = read([
    parse(JSON.stringify(withRule({ enumeration: 0 })).replace('"enumeration":0', `"enumeration":${enumeration}`)),
  ]);
  expect(value.data[0]?.accountType.validationRules[0]?.validation?.enumeration).toEqual([
    { value: '1', description: 'One' },
    { value: '12345678901234567890', description: '' },
    { value: 'true', description: '' },
  ]);
  expect(skipped).toHaveLength(3);
});

it('Unknown members of a response stay unchanged', () => {
  const more = { future: { a: [null, 1] }, toJSON: 'x', constructor: null };
  const text = JSON.stringify(provider(more)).replace('"future"', '"__proto__":{"x":1},"future"');
  expect(JSON.stringify(read([JSON.parse(text)]).value.data[0])).toBe(text);
});

describe('An unreadable response', () => {
  it.each([null, {}, 'text', 7])('is refused with the path of the fault: %j', (data) => {
    expect(lenientParse(answers.providers, { data })).toMatchObject({ fault: { path: 'data' } });
    expect(lenientParse(providerSchema, { providerId: data })).toMatchObject({ fault: expect.anything() as unknown });
  });
});

it('A response with a hundred thousand faults has 50 of them reported, and the number of the others', () => {
  const { value, skipped } = read([...Array.from({ length: 100_000 }, () => null), provider()]);
  expect(value.data).toHaveLength(1);
  expect(skipped).toHaveLength(51);
  expect(skipped.at(-1)).toEqual({ path: '', message: '99950 more are not listed' });
  expect(JSON.stringify(skipped).length).toBeLessThan(10_000);
});

describe('The console’s response to', () => {
  it.each([
    [endpoints.providers, calls.getProviders.path, [provider(), null, provider({ providerId: 'q' })], 'data.1'],
    [
      endpoints.banks,
      calls.getBanks.path,
      [{ bank_id: 'b', abilities: { vrp: 'yes' }, order: null }],
      'data.0.abilities.vrp',
    ],
    [
      endpoints.batches,
      '/api/batchpayments/b',
      { batchId: 'b', status: 'x', payments: [null], links: null },
      'data.payments.0',
    ],
    [
      endpoints.subscriptions,
      '/api/subscription/s',
      { subscriptionId: 's', providerId: 'p', status: 'x', suspendedByConsumer: 'no' },
      'data.suspendedByConsumer',
    ],
  ])('a read of %s lists the elements that it left out', async (upstream, path, data, place) => {
    const service = await fakeUpstream({ [upstream]: answering({ data, links: null, error: null, meta: null }) });
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const answer = (await (await fetch(server.url + path)).json()) as { data: object; skipped: { path: string }[] };
    expect(answer.skipped.map((each) => each.path)).toEqual([place]);
    expect(answer.data).toBeTruthy();
  });

  it('a read of a valid list has no "skipped" member', async () => {
    const service = await fakeUpstream({
      [endpoints.providers]: answering({ data: [provider()], skipped: ['not ours'] }),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    expect(await server.done('getProviders')).not.toHaveProperty('skipped');
  });
});

describe('The problem for a refusal of the service', () => {
  const answered = 'The payments service answered with status 422.';
  it.each<[body: unknown, detail: string, errors?: string[]]>([
    [{ title: 't', detail: 'd', errors: [{ path: 'data.x', message: 'm' }] }, 'd', ['data.x: m']],
    [{ error: { code: 'c', message: 'm', detail: [{ target: 'data.x', message: 'n' }] } }, 'm', ['data.x: n']],
    [{ error: { code: 'c', message: null, detail: 'd' } }, 'd'],
    [{ title: 't', errors: { 'data.x': ['m', 'n'] } }, 't', ['data.x: m', 'data.x: n']],
    [{ message: 'm', errors: [null, 7, 'e'] }, 'm', [': e']],
    [{ error: 'e' }, 'e'],
    [{ title: null, detail: null }, answered],
    [{}, answered],
  ])('has detail and errors from its body: %j (wire 14.2)', async (body, detail, errors) => {
    const service = await fakeUpstream({ [endpoints.providers]: answering(body, 422) });
    const { refused } = await testConsole({ upstreamUrl: service.url });
    const problem = await refused('getProviders');
    expect(problem).toMatchObject({ code: 'upstream-refused', detail, status: 422 });
    expect(problem.errors?.map(({ path, message }) => `${path}: ${message}`)).toEqual(errors);
  });
});

const sending =
  (text: string, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text);

const listOf = (element: string, bytes: number) => `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`;
const members = (count: number) => Array.from({ length: count }, (_, index) => `"member ${index}":0`).join(',');
const largeProvider = (more: object = {}) => ({
  providerId: 'p',
  name: 'n',
  country: ['GB'],
  accountType: { validationRules: [] },
  ...more,
});

describe('A large response of the service', () => {
  it.each([
    ['7.5 MB of providers that are numbers', `{"data":${listOf('0', 7_500_000)}}`],
    ['15 MB of providers that are objects', `{"data":${listOf('{"a":1}', 15_000_000)}}`],
    ['an object with 100,000 members', `{"data":[],${members(100_000)}}`],
    ['nesting without end', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a list of 60,000 small elements', `{"data":${listOf('0', 120_000)}}`],
    ['60,000 elements further inside', `{"data":[{"more":${listOf('-0', 180_000)}}]}`],
    ['no JSON', 'x'.repeat(7_500_000)],
    ['a name of 7 MB', `{"${'n'.repeat(7_000_000)}":1}`],
  ])('that is invalid gets a short problem, and the console keeps working: %s (threat 3.7)', async (_, text) => {
    const service = await fakeUpstream({ [endpoints.providers]: sending(text) });
    const { url, refused } = await testConsole({ upstreamUrl: service.url });
    const problem = await refused('getProviders');
    expect(problem).toMatchObject({ code: 'upstream-invalid', status: 502 });
    expect(JSON.stringify(problem).length).toBeLessThan(8000);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('above 1 MB is refused where no list is expected', async () => {
    const health = { version: '1', branch: 'b', name: 'n'.repeat(1_100_000) };
    const service = await fakeUpstream({ [endpoints.consumerStatus]: answering(health) });
    const { refused } = await testConsole({ upstreamUrl: service.url });
    expect(await refused('getConsumerHealth')).toMatchObject({ code: 'upstream-invalid' });
  });

  it('that is a refusal has its texts, fields and body truncated (threat 3.7)', async () => {
    const long = 'x'.repeat(400_000);
    const errors = Array.from({ length: 300 }, () => ({ path: 'p'.repeat(1000), message: 'm'.repeat(1000) }));
    for (const body of [
      { title: long, status: 400, detail: long },
      { title: long, status: 400, errors },
    ]) {
      const service = await fakeUpstream({ [endpoints.consumerStatus]: answering(body, 400) });
      const { refused } = await testConsole({ upstreamUrl: service.url });
      const problem = await refused('getConsumerHealth');
      expect(problem).toMatchObject({ code: 'upstream-failed', upstream: { status: 400 } });
      expect(JSON.stringify(problem).length).toBeLessThan(200_000);
    }
  });

  it('with 10,000 valid providers is accepted', async () => {
    const data = Array.from({ length: 10_000 }, (_, index) => largeProvider({ providerId: `p${index}` }));
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data }) });
    const { done } = await testConsole({ upstreamUrl: service.url });
    expect((await done('getProviders')).data).toHaveLength(10_000);
  });
});

describe('A response with control characters', () => {
  it('or special member names has them escaped in texts, ids and names (threat 3.8)', async () => {
    const text = JSON.stringify({
      data: [largeProvider({ name: 'a\u0000b\ud800', providerId: '\u001b', more: 'TEXT' })],
    });
    const service = await fakeUpstream({
      [endpoints.providers]: sending(text.replace('"more"', '"__proto__":{"evil":1},"toString":1,"c\\u0000"')),
    });
    const { done } = await testConsole({ upstreamUrl: service.url });
    const [found] = (await done('getProviders')).data;
    expect(found).toEqual({
      ...largeProvider({ name: 'a\\u0000b\\ud800', providerId: '\\u001b' }),
      '\\u005f_proto__': { evil: 1 },
      '\\u0074oString': 1,
      'c\\u0000': 'TEXT',
    });
    expect(found).not.toHaveProperty('evil');
  });

  it('that reverse text has them escaped, while right-to-left text stays unchanged (threat 3.10)', async () => {
    const hebrew = '\u200Fחברה בע״מ\u200F';
    const names = ['\u202Egnp.exe', 'a\u202Db\u202C', hebrew];
    const all = names.map((name, index) => largeProvider({ name, providerId: `p${index}` }));
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: all }) });
    const { done } = await testConsole({ upstreamUrl: service.url });
    const { data } = await done('getProviders');
    expect(data.map(({ name }) => name)).toEqual(['\\u202egnp.exe', 'a\\u202db\u202C', hebrew]);
  });
});

describe('A response about another resource than requested', () => {
  const upper = (id: string) => id.toUpperCase();
  async function facing(rename: (id: string) => string) {
    const service = await fakeUpstream({
      [endpoints.batches]: answering({ data: { batchId: rename('one'), status: 'Completed', payments: [] } }),
      [endpoints.subscriptions]: answering({
        data: { subscriptionId: rename('one'), providerId: 'p', status: 'Authorised' },
      }),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    const { settings, batches, subscriptions } = server.store;
    await settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    await batches.put('one', { batchId: 'one', status: 'Received', amount: '1.00 GBP', kind: 'file', postedAt: '' });
    const record = { providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };
    await subscriptions.put('one', { subscriptionId: 'one', ...record });
    const statuses = async () => [(await batches.get('one'))?.status, (await subscriptions.get('one'))?.status];
    return { ...server, statuses };
  }

  it('is refused and updates no record (threat 3.9)', async () => {
    const { refused, statuses } = await facing(() => 'other');
    for (const problem of [
      await refused('getBatch', { params: { batchId: 'one' } }),
      await refused('getSubscription', { params: { subscriptionId: 'one' } }),
    ])
      expect(problem).toMatchObject({
        code: 'upstream-invalid',
        detail: 'The answer is about other, although one was asked for.',
      });
    expect(await statuses()).toEqual(['Received', 'Received']);
  });

  it('is accepted if the ids differ in case only', async () => {
    const { done, statuses } = await facing(upper);
    await done('getBatch', { params: { batchId: 'one' } });
    await done('getSubscription', { params: { subscriptionId: 'one' } });
    expect(await statuses()).toEqual(['Completed', 'Authorised']);
  });
});

describe('A payment file’s response', () => {
  it.each(['<!doctype html><script>alert(1)</script>', 'text'])(
    'is plain text as an attachment that runs no script, whatever it contains: %s (threat 3.12)',
    async (text) => {
      const file: Script = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(text);
      const service = await fakeUpstream({ '/files/': file });
      const link = `${service.url}/files/1`;
      const batch = { data: { batchId: 'b', status: 'PaymentFileAvailable' }, links: { paymentFile: link } };
      service.scripts[endpoints.batches] = answering(batch);
      const { url, store } = await testConsole({ upstreamUrl: service.url });
      await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
      const answer = await fetch(`${url}/api/downloadpaymentfile/${encodeURIComponent(link)}?batchId=b`);
      expect(await answer.text()).toBe(text);
      expect(answer.headers.get('content-type')).toBe('text/plain');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    },
  );
});
