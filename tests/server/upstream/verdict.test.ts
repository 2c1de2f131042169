import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { verdictOf, verdicts } from '#server/upstream/verdict.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch } from '#tests/support/creatingWrites.ts';
import { rowsOf, withRows } from '#tests/support/documentTables.ts';
import { fakeUpstream, refusal } from '#tests/support/fakeUpstream.ts';

const file = 'docs/wire.md';
const rangeText = ([from, to]: readonly [number, number]): string => (from === to ? String(from) : `${from}-${to}`);
const rows = verdicts.map(({ ranges, verdict, why }) => [ranges.map(rangeText).join(', '), verdict, why]);

/** The outcome of each status by the document. */
const documented = new Map<number, string>();
for (const [statuses = '', outcome = ''] of rowsOf(file, 'statuses'))
  for (const range of statuses.split(', ')) {
    const [from = NaN, to = from] = range.split('-').map(Number);
    for (let status = from; status <= to; status += 1) documented.set(status, outcome);
  }

const words = (status: number) => JSON.stringify(refusal(status));

/** The verdict on an answer of JSON with these headers. */
const judged = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/problem+json', ...headers };
  return verdictOf({ status, text, headers: all });
};

describe('The table of statuses', () => {
  it('is that of the document (wire 4.3)', async () => {
    await expect(await withRows(file, { statuses: rows })).toMatchFileSnapshot(`../../../${file}`);
  });

  it('has each status once', () => {
    const all = verdicts.flatMap(({ ranges }) =>
      ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
    );
    expect(all.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 900 }, (_, index) => index + 100));
  });

  it('decides every status with a refusal in the strict shape as the document says, and none by a page or no body (wire 4.3, 4.4)', () => {
    for (const [status, outcome] of documented) {
      expect([status, judged(status, words(status))]).toEqual([status, outcome]);
      for (const text of ['', '<html><h1>Bad Request</h1></html>', '"no"', '[]', '{}', '{"title":"cut sho'])
        expect([status, judged(status, text)]).toEqual([status, outcome === 'done' ? 'done' : 'unknown']);
    }
  });
});

describe('A refusal', () => {
  it.each([
    '{"code":"BadRequest"}',
    '{"type":"about:blank","title":"No","status":422,"code":"AC04","detail":"No"}',
    '{"title":"No","status":422,"detail":"Too many","errors":[{"path":"data.payments","message":"too many"}]}',
    '{"errors":[{"path":"a","message":"b","code":"Missing","ruleId":"r-1"}],"code":null,"title":null}',
    '{"error":{"code":"Invalid","message":"batch","detail":null}}',
    '{"error":{"code":"INVALID_ARGUMENT","message":"500 payments are too many","detail":"at most 200"}}',
    '{"error":{"detail":[{"target":"payments","message":"too many","code":"TooMany","index":0}]}}',
  ])('is believed in the strict shape %s (wire 4.4)', (text) => {
    expect(judged(422, text)).toBe('refused');
  });

  it('is believed with headers that name no resource (wire 4.4)', () => {
    const headers = {
      'x-fapi-interaction-id': 'i',
      'x-ratelimit-remaining': '3',
      'retry-after': '1',
      'cf-ray': '1',
      'cf-cache-status': 'DYNAMIC',
      'x-amzn-requestid': 'r',
      'x-amz-apigw-id': 'a',
      'x-ms-correlation-request-id': 'r',
      'x-azure-ref': 'r',
      'x-envoy-upstream-service-time': '3',
      'x-kong-proxy-latency': '1',
      'strict-transport-security': 'max-age=1',
      'access-control-allow-origin': 'https://service.example',
      'content-security-policy': "default-src 'none'; report-uri /reports",
      'set-cookie': 'a=b; Path=/',
      'x-cache': 'MISS',
      via: '1.1 proxy',
      etag: '"a"',
    };
    expect(judged(422, words(422), headers)).toBe('refused');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json'])(
    'is believed with the content type %s',
    (type) => expect(judged(422, words(422), { 'content-type': type })).toBe('refused'),
  );

  const own = JSON.stringify(refusal(422)).slice(1, -1);
  it.each([
    ['a title alone', '{"title":"Unprocessable Content","status":422}'],
    ['a free text alone', '{"message":"Forbidden"}'],
    ['the made batch within a text', '{"title":"No","status":422,"detail":"The batch b-1 was created"}'],
    ['a free text as its code', '{"error":{"code":"Batch b-1 was created","message":"No"}}'],
    ['an error alone', '{"error":"invalid_request"}'],
    ['an error with a text alone', '{"error":{"message":"No","detail":"The batch was created"}}'],
    ['an empty list of errors', '{"title":"No","errors":[]}'],
    ['errors that name no place', '{"title":"No","errors":[{"path":" ","message":"Batch created"}]}'],
    ['errors by field', '{"errors":{"payments":["too many"]}}'],
    ['a list of texts', '{"errors":["No"]}'],
    ['both forms', `{${own},"error":{"code":"No"}}`],
    ['another status', '{"code":"Oops","status":500}'],
    ['the status of a success', '{"code":"Created","status":201}'],
    ['its status as a text', '{"code":"Oops","status":"422"}'],
    ['a code that is a number', '{"title":"No","code":409}'],
    ['a code that is a status', '{"title":"No","code":"409"}'],
    ['the made batch as its type', `{"type":"/v3/batchpayments/b-1","code":"No"}`],
    ['the made batch as its instance', `{${own},"instance":"/v3/batchpayments/b-1"}`],
    ['the made batch in links.self', `{${own},"links":{"self":"/v3/batchpayments/b-1"}}`],
    ['the made batch embedded', `{${own},"_embedded":{"batch":{"id":"b-1"}}}`],
    ['the made batch in a list', `{${own},"data":[{"id":"b-1"}]}`],
    ['the made batch in its data', `{${own},"data":{"batchId":"b-1","status":"Received"}}`],
    ['the made batch in an error', '{"errors":[{"path":"externalId","message":"exists","batchId":"b-1"}]}'],
    [
      'the made batch as the resource of an error',
      '{"error":{"detail":[{"target":"a","message":"b","resourceId":"b-1"}]}}',
    ],
    ['a resource by a name of every object', `{${own},"__proto__":{"batchId":"b-1"}}`],
    ['the id of a company', `{${own},"companyId":"c"}`],
    ['a count of payments', `{${own},"acceptedPayments":1}`],
    ['a success as a text', `{${own},"success":"true"}`],
    ['a success', `{${own},"success":true}`],
    ['a success in words', `{${own},"message":"Batch created"}`],
    ['the status of a batch', `{${own},"batchStatus":"Processing"}`],
    ['an error that is a conflict', '{"errors":[{"path":"key","message":"known","status":"409"}]}'],
    ['a cause', `{${own},"cause":{"responseCode":"408"}}`],
    ['an unknown member', `{${own},"traceId":"t"}`],
    ['a known member in another spelling', `{${own},"Status":422}`],
    ['a member twice', `{${own},"code":"Other"}`],
    ['a member twice, once escaped', `{${own},"c\\u006fde":"Other"}`],
    ['no object', `[{${own}}]`],
  ])('with %s leaves the outcome unknown (wire 4.4; threat 3.31)', (_, text) => {
    expect(judged(422, text)).toBe('unknown');
  });

  it.each([
    ['location', '/v3/batchpayments/b-1'],
    ['content-location', '/v3/batchpayments/b-1'],
    ['link', '</v3/batchpayments/b-1>; rel="self"'],
    ['link-template', '"/v3/batchpayments/{id}"; rel="item"'],
    ['refresh', '1; url=/v3/batchpayments/b-1'],
    ['operation-location', '/v3/operations/o-1'],
    ['odata-entityid', 'https://service.example/v3/batchpayments(b-1)'],
    ['azure-asyncoperation', 'https://service.example/v3/operations/o-1'],
    ['x-batch-id', 'b-1'],
    ['x-created', 'true'],
    ['batch', 'accepted'],
    ['x-ms-operation-location', '/v3/operations/o-1'],
    ['x-amz-meta-batch-id', 'b-1'],
    ['x-goog-resource', 'b-1'],
    ['cf-batch', 'b-1'],
    ['api-created-versions', 'b-1'],
    ['x-fapi-interaction-id-of-batch', 'b-1'],
    ['content-type', 'text/plain'],
    ['content-type', ''],
    ['content-type', 'application/json, text/html'],
  ])('with the header %s: %s leaves the outcome unknown (wire 4.4; threat 3.31)', (name, value) => {
    expect(judged(422, words(422), { [name]: value })).toBe('unknown');
  });
});

describe('The console', () => {
  const json = { 'content-type': 'application/json' };
  const statuses = [
    200, 201, 202, 203, 204, 205, 206, 207, 226, 299, 300, 301, 303, 304, 307, 308, 400, 401, 402, 403, 404,
  ]
    .concat([405, 406, 407, 408, 409, 410, 412, 413, 418, 421, 422, 423, 424, 425, 429, 431, 451, 460, 494, 499])
    .concat([500, 501, 502, 503, 504, 511, 520, 524, 530, 599]);

  it('reports the outcome of a payment by its status as the document says, with the status and the reason, and keeps its invoices (wire 4.3; threat 3.31)', async () => {
    const service = await fakeUpstream({});
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    for (const status of statuses)
      for (const [kind, text] of [
        ['words', words(status)],
        ['page', '<html>'],
      ] as const) {
        service.scripts[endpoints.batches] = (response) =>
          void response.writeHead(status, json).end([204, 304].includes(status) ? undefined : text);
        const invoice = `${kind} ${status}`;
        const problem = await server.refused('createBatch', { body: batch(invoice), key: `${kind}-${status}` });
        const isRefused = documented.get(status) === 'refused' && kind === 'words';
        expect([invoice, problem.outcome]).toEqual([invoice, isRefused ? 'refused' : 'unknown']);
        if (!isRefused) expect([invoice, problem.code]).not.toEqual([invoice, 'upstream-refused']);
      }
    const unknown = (await server.done('getFacts')).pendingPayments.length;
    expect(unknown).toBeGreaterThan(statuses.length);
  });

  it.each([
    ['409 to a first request', 409, words(409), /answered with status 409: No such thing\. This does not say/],
    [
      'a page of a proxy',
      404,
      '<html>',
      /not a refusal in the form that is documented: it is not JSON\. This does not say/,
    ],
    ['a status of a proxy', 499, words(499), /answered with status 499: No such thing/],
    [
      'a refusal with the made batch',
      422,
      '{"detail":"No","code":"No","links":{"self":"/v3/batchpayments/b"},"errors":[{"path":"p","message":"m"}]}',
      /answered with status 422: No\. It is not a refusal in the form that is documented: it has the member links\./,
    ],
    ['a success that is none of the protocol', 299, words(299), /answered with status 299/],
  ])('says why it does not believe %s (threat 3.31)', async (_, status, text, detail) => {
    const service = await fakeUpstream({
      [endpoints.batches]: (response) => void response.writeHead(status, json).end(text),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const problem = await server.refused('createBatch', { body: batch('e'), key: 'key' });
    expect(problem).toMatchObject({ outcome: 'unknown', upstream: { status } });
    expect(problem.detail).toMatch(detail);
    expect((await server.done('getFacts')).pendingPayments).toMatchObject([{ lost: problem.detail }]);
  });
});
