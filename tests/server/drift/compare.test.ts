import { describe, expect, it } from 'vitest';
import { compare } from '#server/drift/compare.ts';
import type { Exchange } from '#server/drift/exchange.ts';

const at = '2026-01-01T00:00:00Z';
const batch = {
  data: {
    batchId: 'b',
    status: 'Processing',
    externalId: 'e',
    requestedExecutionDateTime: '2026-01-02T00:00:00Z',
    payments: [
      {
        paymentId: 'p',
        status: 'Processing',
        creditor: { name: 'A', own: 1 },
        instructedAmount: { amount: '1.00', currency: 'GBP' },
      },
    ],
  },
  links: { self: 'http://service.example/v3/batchpayments/b' },
};
const provider = {
  providerId: 'p',
  name: 'P',
  country: ['GB'],
  accountType: { capabilities: ['X'], validationRules: [{ ruleId: 'r', validation: { jsonPath: 'a.b' } }] },
};
const created = { data: { batchId: 'b', externalId: 'e', status: 'Received' }, links: batch.links };
const health = { version: '1', branch: 'b', name: 'n' };
const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'NotFound', detail: 'There is none' };

const answer = (
  [method, path]: readonly [string, string],
  body: unknown,
  { status = 200, type = 'application/json' } = {},
): Exchange => ({
  kind: 'answer',
  at,
  method,
  path,
  status,
  type,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const told = (...exchanges: Exchange[]) =>
  compare(exchanges).findings.map(
    ({ call, path, expected, came, effect }) => `${call} ${path}: ${expected}, ${came}: ${effect}`,
  );

const readBatch = ['GET', '/v3/batchpayments/b'] as const;
const createBatch = ['POST', '/a/app/v3/batchpayments'] as const;
const providers = ['GET', '/v3/providers'] as const;
const token = ['POST', '/auth-v1/accessToken'] as const;
const organisation = ['POST', '/auth-v1/organisations'] as const;

describe('An answer that is as described', () => {
  it.each<[string, Exchange]>([
    ['a batch, with members of the sender’s own', answer(readBatch, batch)],
    ['a created batch', answer(createBatch, created, { status: 201 })],
    ['a list of providers', answer(providers, { data: [provider] })],
    ['an empty list', answer(providers, { data: [] })],
    ['a message without a body', answer(['POST', '/api-msg-v1/updates'], '', { status: 202, type: '' })],
    ['a type with parameters', answer(providers, { data: [] }, { type: 'application/json; charset=utf-8' })],
    ['a refusal', answer(readBatch, problem, { status: 404, type: 'application/problem+json' })],
    ['a masked link', answer(readBatch, { ...batch, links: { ...batch.links, paymentFile: '$PAYMENT_FILE' } })],
    ['a payment file', answer(['GET', '/files/b'], 'HDR', { type: 'text/plain' })],
  ])('gives no finding: %s (behaviour 10.24.1)', (_, exchange) => {
    expect(told(exchange)).toEqual([]);
  });
});

describe('A difference from the description', () => {
  const { status: _status, ...withoutStatus } = batch.data;
  const { batchId: _batchId, ...withoutId } = batch.data;
  const { links: _links, ...withoutLinks } = batch;
  const changed = (member: object) => answer(readBatch, { ...batch, data: { ...batch.data, ...member } });

  it.each<[string, Exchange, string[]]>([
    [
      'a member that is missing and needed',
      answer(readBatch, { ...batch, data: withoutId }),
      ['batch data.batchId: a text, nothing: fails'],
    ],
    [
      'another such member',
      answer(readBatch, { ...batch, data: withoutStatus }),
      ['batch data.status: a text, nothing: fails'],
    ],
    [
      'a member that is missing and not needed',
      answer(readBatch, withoutLinks),
      ['batch links: an object, nothing: works'],
    ],
    [
      'a renamed member',
      changed({ batchId: undefined, batchID: 'b' }),
      ['batch data.batchId: a text, nothing: fails', 'batch data.batchID: no such member, a text: works'],
    ],
    ['a new member', changed({ settledAt: 'now' }), ['batch data.settledAt: no such member, a text: works']],
    ['a number instead of a text', changed({ batchId: 7 }), ['batch data.batchId: a text, a number: works']],
    ['an object instead of a text', changed({ batchId: {} }), ['batch data.batchId: a text, an object: fails']],
    ['null', answer(readBatch, { ...batch, error: null }), ['batch error: an object, null: works']],
    ['a list instead of an object', answer(readBatch, [batch]), ['batch : an object, a list: fails']],
    [
      'a time in another form',
      changed({ payments: [{ ...batch.data.payments[0], paymentCompletedDate: '1.1.2026' }] }),
      ['batch data.payments[].paymentCompletedDate: a text with the format date-time, another text: works'],
    ],
    [
      'an element of a list',
      answer(providers, { data: [provider, { name: 'Q' }] }),
      [
        'providers data[].providerId: a text, nothing: partly',
        'providers data[].country: a list, nothing: works',
        'providers data[].accountType: an object, nothing: works',
      ],
    ],
    [
      'a wrapped body',
      answer(token, { data: { jwt: 'x' } }),
      ['accessToken jwt: a text, nothing: works', 'accessToken data: no such member, an object: works'],
    ],
    [
      'another known name',
      answer(token, { access_token: 'x' }),
      ['accessToken jwt: a text, nothing: works', 'accessToken access_token: no such member, a text: works'],
    ],
    [
      'no token',
      answer(token, { bearer: 'x' }),
      ['accessToken jwt: a text, nothing: fails', 'accessToken bearer: no such member, a text: works'],
    ],
    [
      'no signing key',
      answer(
        organisation,
        {
          sageCRMId: 's',
          primaryCountry: 'GBR',
          adminEmail: 'a@example.com',
          defaultLanguage: 'en',
          externalId: 'e',
          organisationId: 'o',
        },
        { status: 201 },
      ),
      ['createOrganisation primarySigningKey: a text, nothing: fails'],
    ],
    [
      'a status of a subscription',
      answer(['GET', '/v3/subscriptions/s'], {
        data: {
          subscriptionId: 's',
          organisationId: 'o',
          providerId: 'p',
          status: 'Authorized',
          suspendedByConsumer: false,
        },
      }),
      [
        'subscription data.status: one of Received, AwaitingAuthorisation, Pending, Authorised, Suspended, Cancelled, Rejected, "Authorized": works',
      ],
    ],
    [
      'another success of a read',
      answer(['GET', '/v3/status'], health, { status: 203 }),
      ['consumerStatus : status 200, status 203: works'],
    ],
    [
      'another success of a write',
      answer(createBatch, created, { status: 200 }),
      ['createBatch : status 201, status 200: works'],
    ],
    [
      'a success of a write that is not believed',
      answer(createBatch, created, { status: 207 }),
      ['createBatch : status 201, status 207: fails'],
    ],
    [
      'a redirect',
      answer(['GET', '/v3/status'], '', { status: 302, type: '' }),
      ['consumerStatus : status 200, status 302: fails', 'consumerStatus : JSON, no body: fails'],
    ],
    [
      'a page instead of JSON',
      answer(providers, '<html>', { type: 'text/html' }),
      ['providers : JSON, text/html: fails'],
    ],
    [
      'JSON that is cut short',
      answer(providers, '{"data":[', {}),
      ['providers : JSON, a text that is not JSON: fails'],
    ],
    [
      'another type',
      answer(providers, { data: [] }, { type: 'text/json' }),
      ['providers : the type application/json, text/json: works'],
    ],
    [
      'a body where there is none',
      answer(['POST', '/api-msg-v1/updates'], {}, { status: 202 }),
      ['updates : no body, application/json: works'],
    ],
    [
      'a refusal in another form',
      answer(createBatch, { error: { message: 'No' } }, { status: 400 }),
      [
        'createBatch : the type application/problem+json, application/json: works',
        'createBatch title: a text, nothing: fails',
        'createBatch status: a number, nothing: fails',
        'createBatch code: a text, nothing: fails',
        'createBatch detail: a text, nothing: fails',
        'createBatch type: a text, nothing: fails',
        'createBatch error: no such member, an object: fails',
      ],
    ],
    [
      'a refusal without a code',
      answer(
        createBatch,
        { ...problem, code: undefined, status: 400 },
        { status: 400, type: 'application/problem+json' },
      ),
      ['createBatch code: a text, nothing: fails'],
    ],
    [
      'a refusal that is a page',
      answer(createBatch, '<p>No</p>', { status: 400, type: 'text/html' }),
      ['createBatch : JSON, text/html: fails'],
    ],
  ])('is found, with what it means for the console: %s (behaviour 10.24.1)', (_, exchange, found) => {
    expect(told(exchange)).toEqual(found);
  });

  it('is counted once for each kind, with the first and last time (behaviour 10.24.1)', () => {
    const status = ['GET', '/v3/status'] as const;
    const later = { ...answer(status, { ...health, name: 2 }), at: '2026-01-03T00:00:00Z' };
    const { findings, compared } = compare([answer(status, { ...health, name: 1 }), answer(status, health), later]);
    expect(findings).toEqual([
      {
        call: 'consumerStatus',
        path: 'name',
        expected: 'a text',
        came: 'a number',
        times: 2,
        effect: 'works',
        first: at,
        last: later.at,
      },
    ]);
    expect(compared).toEqual({ consumerStatus: 3 });
  });

  it('is found in webhooks, also in lists of them and of unknown types (behaviour 10.24.1)', () => {
    const webhook = (body: unknown): Exchange => ({ kind: 'webhook', at, body: JSON.stringify(body) });
    const good = {
      type: 'batchUpdated',
      resource: { id: 'b', type: 'BatchPayment', url: 'http://a/b' },
      data: { status: 'Completed' },
    };
    expect(told(webhook(good))).toEqual([]);
    expect(told(webhook([good, { ...good, data: {} }]))).toEqual([
      'webhook batchUpdated data.status: a text, nothing: works',
    ]);
    expect(told(webhook({ ...good, type: 'batchChanged' }))).toEqual([
      'webhook type: a type that is described, "batchChanged": works',
    ]);
    expect(told(webhook({}))).toEqual(['webhook type: a type that is described, nothing: fails']);
  });

  it.each([0, 401, 403, 407, 429, 500, 503])(
    'cannot be told from an answer with status %i, which counts as none (behaviour 10.24.2)',
    (status) => {
      const found = compare([answer(providers, '', { status, type: '' })]);
      expect(found).toMatchObject({
        findings: [],
        compared: {},
        blocked: { providers: expect.any(String) as unknown },
      });
      expect(compare([answer(providers, '', { status }), answer(providers, { data: [] })]).blocked).toEqual({});
    },
  );
});
