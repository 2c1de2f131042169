import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { providerSchema } from '#contract/lookup.ts';
import { parse } from '#contract/json.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { answers } from '#server/upstream/answers.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

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

describe('An optional member', () => {
  const members = [
    'regex',
    'example',
    'enumeration',
    'uiLabel',
    'description',
    'errorMessage',
    'fieldType',
    'optionality',
    'apiPath',
  ];

  it.each(members)('may be null: %s', (member) => {
    const { value, skipped } = read([withRule({ [member]: null })]);
    expect(value.data[0]?.accountType.validationRules[0]?.validation).not.toHaveProperty(member);
    expect(skipped).toEqual([]);
  });

  it.each(members)('of a wrong type is left out and reported: %s', (member) => {
    const { value, skipped } = read([withRule({ [member]: { unexpected: true } }), provider({ providerId: 'q' })]);
    expect(value.data.map(({ providerId }) => providerId)).toEqual(['p', 'q']);
    expect(value.data[0]?.accountType.validationRules[0]?.validation).not.toHaveProperty(member);
    expect(skipped).toEqual([
      {
        path: `data.0.accountType.validationRules.0.validation.${member}`,
        message: `is an object, a ${member === 'enumeration' ? 'list' : 'text'} was expected`,
      },
    ]);
  });

  it.each([
    'country',
    'accountType',
    'localInstruments',
    'supportedLanguages',
    'maximumPaymentCount',
    'defaultLanguage',
  ])('may be null or absent in a provider: %s', (member) => {
    const { [member]: _absent, ...without } = provider() as Record<string, unknown>;
    for (const each of [provider({ [member]: null }), without])
      expect(read([each])).toMatchObject({ value: { data: [{ providerId: 'p' }] }, skipped: [] });
  });

  it('without its required members is left out and reported', () => {
    const { value, skipped } = read([withRule({ jsonPath: null })]);
    expect(value.data[0]?.accountType.validationRules).toEqual([{ ruleId: 'r' }]);
    expect(skipped).toEqual([
      { path: 'data.0.accountType.validationRules.0.validation', message: 'jsonPath is missing, a text was expected' },
    ]);
  });
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
      endpoints.fileFormats,
      calls.getFileFormats.path,
      [{ fileFormatId: 'f', name: 'n', specification: null }, 1],
      'data.1',
    ],
    [
      endpoints.localInstruments,
      calls.getLocalInstruments.path,
      [{ localInstrumentId: 'l', name: null }, {}],
      'data.1',
    ],
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
  it.each([
    [{ title: 't', detail: 'd', errors: [{ path: 'data.x', message: 'm' }] }, 'd', [{ path: 'data.x', message: 'm' }]],
    [
      { error: { code: 'c', message: 'm', detail: [{ target: 'data.x', message: 'n' }] } },
      'm',
      [{ path: 'data.x', message: 'n' }],
    ],
    [{ error: { code: 'c', message: null, detail: 'd' } }, 'd', undefined],
    [
      { title: 't', errors: { 'data.x': ['m', 'n'] } },
      't',
      [
        { path: 'data.x', message: 'm' },
        { path: 'data.x', message: 'n' },
      ],
    ],
    [{ message: 'm', errors: [null, 7, 'e'] }, 'm', [{ path: '', message: 'e' }]],
    [{ error: 'e' }, 'e', undefined],
    [{ title: null, detail: null }, 'The payments service answered with status 422.', undefined],
    [[], 'The payments service answered with status 422.', undefined],
    [null, 'The payments service answered with status 422.', undefined],
  ])('has detail and errors from its body: %j (wire 14.2)', async (body, detail, errors) => {
    const service = await fakeUpstream({ [endpoints.providers]: answering(body, 422) });
    const { refused } = await testConsole({ upstreamUrl: service.url });
    const problem = await refused('getProviders');
    expect(problem).toMatchObject({ code: 'upstream-refused', detail, status: 422 });
    expect(problem.errors).toEqual(errors);
  });
});
