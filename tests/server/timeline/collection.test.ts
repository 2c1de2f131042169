import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TimelineMessage } from '#contract/timeline.ts';
import { collectionOf } from '#server/timeline/collection/collection.ts';
import { brunoOf } from '#server/timeline/collection/bruno.ts';
import { httpFileOf } from '#server/timeline/collection/httpFile.ts';
import { postmanOf } from '#server/timeline/collection/postman.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const message = (body: string, headers: Record<string, string> = {}): TimelineMessage => ({
  headers,
  body,
  bytes: body.length,
});
const [organisation, company, debtor] = [1, 2, 3].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
/** The part of the schema that a collection names (v2.1.0) which an export uses; any other member is refused. */
const postmanSchema = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
    description: z.string().optional(),
  }),
  variable: z.array(
    z.strictObject({
      key: z.string(),
      value: z.string(),
      type: z.enum(['string', 'boolean', 'any', 'number']),
      description: z.string().optional(),
    }),
  ),
  event: z.array(z.unknown()),
  item: z.array(
    z.strictObject({
      name: z.string(),
      event: z.array(
        z.strictObject({
          listen: z.enum(['prerequest', 'test']),
          script: z.strictObject({ type: z.string(), exec: z.array(z.string()) }),
        }),
      ),
      request: z.strictObject({
        method: z.string(),
        header: z.array(z.strictObject({ key: z.string(), value: z.string() })),
        url: z.strictObject({
          raw: z.string(),
          host: z.array(z.string()),
          path: z.array(z.string()).optional(),
          query: z.array(z.strictObject({ key: z.string(), value: z.string().nullable() })).optional(),
        }),
        body: z.strictObject({ mode: z.literal('raw'), raw: z.string() }).optional(),
      }),
    }),
  ),
});
let count = 0;
const entry = (method: string, path: string, request: ReturnType<typeof message>, answer = '', more = {}) =>
  timelineEntry({
    id: String((count += 1)),
    interactionId: `interaction-${count}`,
    method,
    url: `https://service.example${path}`,
    request,
    response: message(answer),
    status: 200,
    ...more,
  });
const key = (value: string) => ({ 'x-idempotency-key': value });

describe('a collection of recorded calls', () => {
  it('names an id of one response in all requests that follow, wherever it stands (behaviour 10.25.1)', () => {
    const { requests } = collectionOf([
      entry('POST', '/auth-v1/companies', message('{"name":"a"}', key('k1')), `{"companyId":"${company}"}`),
      entry('GET', `/v3/companies/${company}?of=${company}`, message('', { 'x-company-id': company })),
      entry('POST', '/v3/x', message(`{"text":"{\\"id\\":\\"${company}\\"}"}`, key('k2'))),
    ]);
    expect(requests[0]!.learned).toEqual([{ variable: 'companyId', path: ['companyId'] }]);
    expect(requests[1]).toMatchObject({
      url: '{{baseUrl}}/v3/companies/{{companyId}}?of={{companyId}}',
      headers: [['x-company-id', '{{companyId}}']],
    });
    expect(requests[2]!.body).toBe('{"text":"{\\"id\\":\\"{{companyId}}\\"}"}');
  });

  it('has a variable for a masked secret, and what a user typed as it was typed (behaviour 10.25.2)', () => {
    const texts = (secretAs?: string) => {
      const request = { ...message('{"taxNumber":"$TOKEN","pin":"$TOKEN_2"}', key(secretAs ?? '')), secretAs };
      const collection = collectionOf([entry('POST', '/v3/x', request)]);
      return [
        JSON.stringify(postmanOf(collection, 'c')),
        JSON.stringify(brunoOf(collection, 'c')),
        httpFileOf(collection, 'c'),
      ];
    };
    for (const text of texts()) expect(text).not.toContain('{{secret}}');
    for (const text of texts('$TOKEN_2'))
      expect(text.replaceAll('\\', '')).toContain('{"taxNumber":"$TOKEN","pin":"{{secret}}"}');
  });

  it('makes ids of the caller, keys and nonces anew, and leaves out repeats of a read or a key (behaviour 10.25.2)', () => {
    const put = entry('POST', '/api-msg-v1/debtoraccountputs', message(`{"data":{"debtorId":"${debtor}"}}`, key('k1')));
    const read = entry('GET', '/v3/batchpayments/1', message(''));
    const { requests } = collectionOf([put, { ...put, id: '98' }, read, { ...read, id: '99' }]);
    expect(requests.map(({ made, headers, body }) => ({ made, headers, body }))).toEqual([
      {
        made: ['debtorId'],
        headers: [['x-idempotency-key', '{{idempotencyKey}}']],
        body: '{"data":{"debtorId":"{{debtorId}}"}}',
      },
      { made: [], headers: [], body: '' },
    ]);
  });

  it('gives two ids of one name two variables, and keeps braces of a body as they are', () => {
    const { requests } = collectionOf([
      entry('POST', '/a', message('{"a":"{{x}}"}', key('k1')), `{"companyId":"${company}"}`),
      entry('POST', '/b', message('{}', key('k2')), `{"companyId":"${organisation}"}`),
      entry('GET', `/c/${company}/${organisation}`, message('')),
    ]);
    expect(JSON.parse(requests[0]!.body)).toEqual({ a: '{{x}}' });
    expect(requests[0]!.body).not.toContain('{{');
    expect(requests[2]!.url).toBe('{{baseUrl}}/c/{{companyId}}/{{companyId2}}');
  });

  it('leaves out calls of the console, webhooks, and bodies that were not recorded whole, and says which', () => {
    const { requests, omitted } = collectionOf([
      timelineEntry({ kind: 'call', url: '/api/batchpayments' }),
      timelineEntry({ kind: 'webhook', url: '/notifications' }),
      entry('POST', '/v3/batchpayments', { ...message('{"a":', key('k1')), truncated: true }),
      entry('POST', '/v3/files', { ...message('AAAA', key('k2')), encoding: 'base64' }),
    ]);
    expect(requests).toEqual([]);
    expect(omitted).toEqual([
      'POST /v3/batchpayments is left out: only the beginning of its body was recorded.',
      'POST /v3/files is left out: its body is no text.',
    ]);
  });

  it('has secrets as variables without a value in every format (behaviour 10.25.3)', () => {
    const collection = collectionOf([
      entry(
        'POST',
        '/auth-v1/accessToken',
        message('', {
          'x-application': 'app',
          'x-api-key': '$API_KEY',
          'x-nonce': 'n',
          'x-signature': '$TOKEN',
          authorization: 'Bearer $TOKEN',
        }),
        '{"jwt":"$TOKEN"}',
      ),
    ]);
    expect(collection.variables).toEqual(
      expect.arrayContaining([
        ...['apiKey', 'organisationKey', 'token'].map((name) => ({ name, value: '', isSecret: true })),
        { name: 'baseUrl', value: 'https://service.example', isSecret: false },
      ]),
    );
    const texts = [
      JSON.stringify(postmanOf(collection, 'a')),
      JSON.stringify(brunoOf(collection, 'a')),
      httpFileOf(collection, 'a'),
    ];
    for (const text of texts) expect(text).not.toMatch(/\$TOKEN|\$API_KEY/);
  });

  const tokenOf = (owner: string, of = '') =>
    entry(
      ...(['POST', '/auth-v1/accessToken'] as const),
      message('', {
        'x-organisation-id': owner,
        ...(of && { 'x-company-id': of }),
        'x-signature': '$TOKEN',
        ...key(`t${owner}${of}`),
      }),
      '{"jwt":"$TOKEN"}',
    );
  const bearer = { authorization: 'Bearer $TOKEN' };
  const organisations = [organisation, company].map((id) =>
    entry(
      ...(['POST', '/auth-v1/organisations'] as const),
      message(`{"name":"o"}`, { 'x-signature': '$TOKEN', ...key(id) }),
      `{"organisationId":"${id}","primarySigningKey":"$TOKEN"}`,
    ),
  );

  it('gives each organisation its key, and each call the token of the company whose record it names (behaviour 10.25.6)', () => {
    const [one, two] = [organisation, company];
    const subscribe = (owner: string, id: string) =>
      entry(
        ...(['POST', `/v3/organisations/${owner}/subscriptions`] as const),
        message('{"data":{}}', { ...bearer, ...key(`s${id}`) }),
        `{"data":{"subscriptionId":"${id}"}}`,
      );
    const read = (id: string) => entry('GET', `/v3/subscriptions/${id}`, message('', bearer));
    const { requests, variables } = collectionOf([
      ...organisations,
      tokenOf(one),
      tokenOf(one, 'company-1'),
      subscribe(one, 'subscription-1'),
      tokenOf(two),
      tokenOf(two, 'company-2'),
      subscribe(two, 'subscription-2'),
      read('subscription-1'),
      read('subscription-2'),
      subscribe(one, 'subscription-3'),
      read('subscription-3'),
    ]);
    expect(requests.slice(0, 2).map(({ learned }) => learned[1] ?? learned[0])).toMatchObject([
      { variable: 'organisationKey' },
      { variable: 'organisationKey2' },
    ]);
    expect(requests.map(({ signedWith }) => signedWith).filter(Boolean)).toEqual([
      'signingKey',
      'signingKey',
      'organisationKey',
      'organisationKey',
      'organisationKey2',
      'organisationKey2',
    ]);
    const sentWith = requests.flatMap(({ headers }) => headers.filter(([name]) => name === 'authorization'));
    expect(sentWith.map(([, value]) => value)).toEqual(
      ['token2', 'token4', 'token2', 'token4', 'token2', 'token2'].map((name) => `Bearer {{${name}}}`),
    );
    expect(
      variables
        .filter(({ isSecret }) => isSecret)
        .map(({ value }) => value)
        .join(''),
    ).toBe('');
  });

  it.each([
    [
      'an id that is part of a number',
      '{"companyId":"10000001"}',
      '{"account":"210000001","id":"10000001"}',
      '{"account":"210000001","id":"{{companyId}}"}',
    ],
    [
      'an id that is the name of a variable',
      '{"companyId":"companyId","batchId":"batch-01"}',
      '{"id":"batch-01","companyId":"x companyId"}',
      '{"id":"{{batchId}}","{{companyId}}":"x {{companyId}}"}',
    ],
    ['a member with quotes and code', `{"x'); evil(%}\\nId":"value-01"}`, '{"id":"value-01"}', '{"id":"{{xevilId}}"}'],
    ['a member with a template', '{"{{$guid}}Id":"value-02"}', '{"id":"value-02"}', '{"id":"{{guidId}}"}'],
  ])('names %s in texts and scripts as nothing else (behaviour 10.25.6)', (_, answer, body, shown) => {
    const collection = collectionOf([
      entry('POST', '/v3/a', message('{}', key('a')), answer.replace('\\\\n', '\\n')),
      entry('POST', '/v3/b', message(body, key('b'))),
    ]);
    expect(collection.requests[1]!.body).toBe(shown);
    for (const script of [
      ...postmanOf(collection, 'a').item[0]!.event.flatMap(({ script: { exec } }) => exec),
      ...httpFileOf(collection, 'a').split('> {%')[1]!.split('%}')[0]!.trim().split('\n'),
    ])
      expect(() => new Script(script)).not.toThrow();
  });

  it('keeps names, addresses and headers from ending a request, or being taken for variables (behaviour 10.25.6)', () => {
    const named = entry('GET', '/v3/a"b{{c?q={{$guid}}&r=1', message(''), '', {
      name: 'my "app"\n### {{x}}\r< /etc/passwd',
    });
    const lines = entry('POST', '/v3/a', message('hello\n###\n< ./secret.txt', key('x')));
    const header = entry('GET', '/v3/b', message('', { 'x-company-id': '{{process.env.HOME}}' }));
    const collection = collectionOf([named, lines, header]);
    expect(collection.omitted).toEqual([
      'POST /v3/a is left out: its body is not JSON.',
      'GET /v3/b is left out: x-company-id has {{, which tools take for a variable.',
    ]);
    expect(collection.requests).toMatchObject([
      { name: '1 GET /v3/a%22b%7B%7Bc', url: '{{baseUrl}}/v3/a%22b%7B%7Bc?q=%7B%7B$guid%7D%7D&r=1' },
    ]);
    expect(httpFileOf(collection, 'a').match(/^###/gm)).toHaveLength(1);
    expect(Object.keys(brunoOf(collection, 'a')).filter((name) => name.startsWith('1 GET -v3-a'))).toHaveLength(1);
  });

  it('names each call by its operation, whoever has caused it (behaviour 10.25.7)', () => {
    const { requests } = collectionOf([
      entry('POST', '/auth-v1/accessToken', message(''), '{}', { name: 'getFacts' }),
      entry('GET', '/v3/batchpayments/7', message(''), '{}', { name: 'my app', kind: 'program' }),
      entry('GET', '/elsewhere', message(''), '{}', { name: 'my app' }),
    ]);
    expect(requests.map(({ name }) => name)).toEqual(['1 accessToken', '2 batch', '3 GET /elsewhere']);
  });

  const readOf = (batchId: string, more = {}, links: object = { paymentFile: '$TOKEN' }) =>
    entry('GET', `/v3/batchpayments/${batchId}`, message(''), JSON.stringify({ data: { batchId }, links }), more);
  const [mine, other] = ['7', '8'].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`) as [string, string];
  const own = { interactionId: 'download' };
  const fileOf = (path: string, more = {}) => entry('GET', path, message(''), '', more);

  it.each([
    ['the console, by its interaction', [readOf(mine), readOf(other, own), fileOf('/$TOKEN', own)], 2],
    ['a program, by the batch in its address', [readOf(mine), readOf(other), fileOf(`/files/${mine}?token=$TOKEN`)], 1],
    ['a program, of the only batch', [readOf(mine), fileOf('/x/%24TOKEN')], 1],
    ['the latest of several reads', [readOf(mine, {}, {}), readOf(mine), fileOf(`/files/${mine}?token=$TOKEN`)], 2],
    [
      'a long answer of which only the beginning was recorded',
      [
        entry('GET', `/v3/batchpayments/${mine}`, message(''), '', {
          response: { ...message('{"data'), truncated: true },
        }),
        fileOf(`/files/${mine}?sig=$TOKEN`),
      ],
      1,
    ],
  ])(
    'feeds the download of a payment file with the link that was read before: %s (behaviour 10.25.8)',
    (_, calls, read) => {
      const collection = collectionOf(calls);
      expect(collection.omitted).toEqual([]);
      expect(collection.requests.map(({ learned }) => learned.length > 0)).toEqual(
        calls.map((_each, index) => index === read - 1),
      );
      expect(collection.requests[read - 1]!.learned).toEqual([
        { variable: 'paymentFile', path: ['links', 'paymentFile'] },
      ]);
      expect(collection.requests.at(-1)!.url).toBe('{{paymentFile}}');
      const texts = [
        JSON.stringify(postmanOf(collection, 'a')),
        JSON.stringify(brunoOf(collection, 'a')),
        httpFileOf(collection, 'a'),
      ];
      for (const text of texts) expect(text).not.toMatch(/TOKEN/);
    },
  );

  it('has each link of two downloads of a batch, and a repeated download once (behaviour 10.25.8)', () => {
    const download = () => fileOf(`/files/${mine}?token=$TOKEN`);
    const { requests } = collectionOf([readOf(mine), download(), download(), readOf(mine), download()]);
    expect(requests.map(({ url }) => url.split('/')[0])).toEqual([
      '{{baseUrl}}',
      '{{paymentFile}}',
      '{{baseUrl}}',
      '{{paymentFile2}}',
    ]);
  });

  it.each([
    ['of two batches without its id', [readOf(mine), readOf(other), fileOf('/$TOKEN')]],
    ['without a read before it', [fileOf(`/files/${mine}?token=$TOKEN`), readOf(mine)]],
    ['of a masked address without a link', [readOf(mine, {}, {}), fileOf('/••••••••')]],
    ['with a secret in another call', [entry('POST', '/idp/authorize?code=$TOKEN', message('', key('c')))]],
  ])('leaves out and names a call whose address has a secret: %s (behaviour 10.25.8)', (_, calls) => {
    const { requests, omitted } = collectionOf(calls);
    expect(requests.map(({ url }) => url).join()).not.toMatch(/TOKEN|%E2|paymentFile/);
    expect(omitted).toEqual([
      expect.stringMatching(
        /^(GET|POST) \/.* is left out: its address has a secret, which no response read before gives\.$/,
      ),
    ]);
  });

  it('asks its user for the secrets only that no response gives before they are needed (behaviour 10.25.3)', () => {
    const asked = (calls: Parameters<typeof collectionOf>[0]) => collectionOf(calls).given;
    const read = entry('GET', '/v3/subscriptions/7', message('', bearer));
    expect(asked([...organisations, tokenOf(organisation), read])).toEqual(['signingKey']);
    expect(asked([tokenOf(organisation), read])).toEqual(['organisationKey']);
    expect(asked([read, tokenOf(organisation)])).toEqual(['token', 'organisationKey']);
  });

  it('as a Postman collection has the members of its schema, with addresses by their parts (behaviour 10.25.9)', () => {
    const get = entry('GET', '/v3/a/b?c=d&e&f=', message('', { 'x-api-key': '$API_KEY' }));
    const collection = postmanOf(
      collectionOf([...organisations, get, readOf(mine), fileOf(`/files/${mine}?t=$TOKEN`)]),
      'a',
    );
    expect(postmanSchema.parse(collection)).toEqual(collection);
    expect(collection.item.map(({ request }) => request.url).slice(2)).toEqual([
      {
        raw: '{{baseUrl}}/v3/a/b?c=d&e&f=',
        host: ['{{baseUrl}}'],
        path: ['v3', 'a', 'b'],
        query: [
          { key: 'c', value: 'd' },
          { key: 'e', value: null },
          { key: 'f', value: '' },
        ],
      },
      { raw: `{{baseUrl}}/v3/batchpayments/${mine}`, host: ['{{baseUrl}}'], path: ['v3', 'batchpayments', mine] },
      { raw: '{{paymentFile}}', host: ['{{paymentFile}}'] },
    ]);
  });

  it('of nothing has no requests in every format', () => {
    const nothing = collectionOf([]);
    expect(postmanOf(nothing, 'a').item).toEqual([]);
    expect(Object.keys(brunoOf(nothing, 'a'))).toEqual(['bruno.json', 'environments/sandbox.bru']);
    expect(httpFileOf(nothing, 'a')).toBe('# a\n');
  });
});
