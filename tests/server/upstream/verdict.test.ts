import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { verdictOf, verdicts } from '#server/upstream/verdict.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testConsole } from '#tests/support/console.ts';
import { rowsOf, withRows } from '#tests/support/documentTables.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

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

const words = (status: number) => JSON.stringify({ title: 'No', status });

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

  it('decides every status in the service’s own words as the document says, and none by a page or no body (wire 4.3, 4.4)', () => {
    for (const [status, outcome] of documented) {
      expect([status, verdictOf({ status, text: words(status) })]).toEqual([status, outcome]);
      for (const text of ['', '<html><h1>Bad Request</h1></html>', '"no"', '[]', '{}', '{"title":"cut sho'])
        expect([status, verdictOf({ status, text })]).toEqual([status, outcome === 'done' ? 'done' : 'unknown']);
    }
  });
});

describe('A refusal', () => {
  it.each([
    '{"title":"No"}',
    '{"title":"No","status":400}',
    '{"title":"No","status":"failed"}',
    '{"detail":"No","type":"about:blank"}',
    '{"message":"Forbidden"}',
    '{"error":{"code":"Invalid","message":"batch","detail":null}}',
    '{"error":"invalid_request"}',
    '{"data":null,"errors":[{"path":"data.payments","message":"no"}]}',
    '{"errors":{"payments":["too many"]}}',
    '{"title":"No","status":"INVALID_ARGUMENT","code":"AC04","http_status":"400"}',
    '{"message":"No","code":422,"subscriptionStatus":"Suspended","success":false,"countryCode":"GB"}',
    '{"error":{"code":"NotFound","message":"creditor"}}',
    '{"title":"Bad Request","message":"500 payments are too many","code":"4000","errorCode":"404-A"}',
    '{"errors":[{"status":"422","detail":"too many","batchId":null}],"request":{"subscriptionId":"s"}}',
  ])('is believed in the words %s (wire 4.4)', (text) => {
    expect(verdictOf({ status: 400, text })).toBe('refused');
  });

  it.each([
    ['another status', '{"title":"Oops","status":500}'],
    ['the status of a success', '{"title":"Created","status":201}'],
    ['another status as a text', '{"message":"Oops","statusCode":"502"}'],
    ['another status in its error', '{"error":{"message":"Oops","status":503}}'],
    ['another status in another spelling', '{"title":"No","Status":201}'],
    ['another status as a name', '{"title":"No","status":"Created"}'],
    ['a success as a name', '{"message":"No","Result_Status":"success"}'],
    ['the code of a conflict', '{"title":"No","code":409}'],
    ['the code of a conflict as a name', '{"error":{"message":"No","code":"CONFLICT"}}'],
    ['the code of a time-out within another member', '{"title":"No","cause":{"responseCode":"408"}}'],
    ['another status within its details', '{"detail":"No","meta":{"http-status":404}}'],
    ['the status of a batch in progress', '{"title":"No","status":"PROCESSING"}'],
    ['a success', '{"message":"No","success":true}'],
    ['a status with its name', '{"message":"No","error":{"status":"409 Conflict"}}'],
    ['a status line', '{"message":"No","Status-Code":"HTTP/1.1 201 Created"}'],
    ['the title of a success', '{"title":"Created","status":400}'],
    ['the message of a conflict', '{"message":"Conflict"}'],
    ['the id of a company in another spelling', '{"message":"exists","data":{"company_id":"c"}}'],
    ['the id of a batch', '{"message":"No","data":{"batchId":"b","status":"Received"}}'],
    ['an id in its data', '{"message":"No","data":{"id":"x"}}'],
    ['the id of a batch in another spelling', '{"message":"No","BatchID":"b"}'],
    ['the id of a batch within a member', '{"message":"No","data":{"attributes":{"batchId":"b"}}}'],
    ['the id of a batch in a list', '{"errors":[{"path":"externalId","message":"exists","batch_id":"b"}]}'],
    ['an error that is a conflict', '{"errors":[{"status":"409","detail":"The key is known"}]}'],
    ['the id of a company', '{"message":"exists","companyId":"c"}'],
    ['data only', '{"data":{"status":"Received"}}'],
  ])('that contradicts itself by %s leaves the outcome unknown (wire 4.4; threat 3.31)', (_, text) => {
    expect(verdictOf({ status: 400, text })).toBe('unknown');
  });
});

const body = {
  ...{ externalId: 'e', subscriptionId: 's', requestedExecutionDateTime: executionDate },
  payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }],
};

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
        const own = { ...body, externalId: invoice, payments: [{ ...body.payments[0]!, creditor: { name: invoice } }] };
        const problem = await server.refused('createBatch', { body: own, key: `${kind}-${status}` });
        const isRefused = documented.get(status) === 'refused' && kind === 'words';
        expect([invoice, problem.outcome]).toEqual([invoice, isRefused ? 'refused' : 'unknown']);
        if (!isRefused) expect([invoice, problem.code]).not.toEqual([invoice, 'upstream-refused']);
      }
    const unknown = (await server.done('getFacts')).pendingPayments.length;
    expect(unknown).toBeGreaterThan(statuses.length);
  });

  it.each([
    ['409 to a first request', 409, words(409), /answered with status 409: No This does not say/],
    ['a page of a proxy', 404, '<html>', /not a refusal in the service’s own words \(received application\/json/],
    ['a status of a proxy', 499, words(499), /answered with status 499: No/],
    ['a success that is none of the protocol', 299, words(299), /answered with status 299/],
  ])('says why it does not believe %s (threat 3.31)', async (_, status, text, detail) => {
    const service = await fakeUpstream({
      [endpoints.batches]: (response) => void response.writeHead(status, json).end(text),
    });
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const problem = await server.refused('createBatch', { body, key: 'key' });
    expect(problem).toMatchObject({ outcome: 'unknown', upstream: { status } });
    expect(problem.detail).toMatch(detail);
    expect((await server.done('getFacts')).pendingPayments).toMatchObject([{ lost: problem.detail }]);
  });
});
