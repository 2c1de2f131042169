import { describe, expect, it } from 'vitest';
import type { TimelineMessage } from '#contract/timeline.ts';
import { collectionOf } from '#rules/collection/collection.ts';
import { brunoOf } from '#rules/collection/bruno.ts';
import { httpFileOf } from '#rules/collection/httpFile.ts';
import { postmanOf } from '#rules/collection/postman.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const message = (body: string, headers: Record<string, string> = {}): TimelineMessage => ({
  ...{ headers, body, bytes: body.length },
});
const [organisation, company, debtor] = [1, 2, 3].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
let count = 0;
const entry = (method: string, path: string, request: ReturnType<typeof message>, answer = '', more = {}) =>
  timelineEntry({
    ...{
      id: String((count += 1)),
      method,
      url: `https://service.example${path}`,
      request,
      response: message(answer),
      status: 200,
    },
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

  it('of nothing has no requests in every format', () => {
    const nothing = collectionOf([]);
    expect(postmanOf(nothing, 'a').item).toEqual([]);
    expect(Object.keys(brunoOf(nothing, 'a'))).toEqual(['bruno.json', 'environments/sandbox.bru']);
    expect(httpFileOf(nothing, 'a')).toBe('# a\n');
  });
});
