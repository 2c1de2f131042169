import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { exchangesAt, exchangesOf, webhooksOf } from '#app/journey/inspector/exchanges.ts';
import { exchangesAbout, makingOf, recordOf } from '#app/journey/inspector/records.ts';
import type { Facts } from '#contract/facts.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { everything } from '#tests/support/facts.ts';

const message = { headers: {}, body: '', bytes: 0 };

const entry = (id: number, method: string, path: string, status = 200, kind: TimelineEntry['kind'] = 'service') =>
  ({
    id: String(id),
    kind,
    interactionId: `i${id}`,
    at: new Date(id * 1000).toISOString(),
    ms: 5,
    journey: '',
    step: '',
    name: '',
    method,
    url: `http://service.test${path}`,
    status,
    reason: '',
    attempt: 1,
    request: message,
    response: message,
    signature: '',
    baseString: '',
    answers: '',
  }) satisfies TimelineEntry;

const snapshotOf = (context: object) => ({ context }) as AnyMachineSnapshot; // the record needs nothing else

describe('the record of a selected row', () => {
  it('holds what the service and the console store, without fields that the page adds', () => {
    const row = { subscriptionId: 's1', providerName: 'Larkfield', status: 'Authorised', rules: [1], current: true };
    expect(recordOf('authorisation', snapshotOf({ rows: [row] }), 's1')).toEqual({
      id: 's1',
      one: 'Subscription',
      name: 'Larkfield',
      value: { subscriptionId: 's1', providerName: 'Larkfield', status: 'Authorised' },
    });
  });

  it('is empty for a deleted row, and null without a selection or a list', () => {
    expect(recordOf('debtorQuery', snapshotOf({ parties: [] }), 'd1')).toMatchObject({ one: 'Debtor', value: null });
    expect(recordOf('batchList', snapshotOf({ batches: [] }), '')).toBe(null);
    expect(recordOf('company', snapshotOf({}), 'c1')).toBe(null);
  });
});

describe('the call that created a record', () => {
  it('is the successful write with the stored interaction id, not a refusal, a query or a webhook (behaviour 10.16.4)', () => {
    const created = entry(4, 'POST', '/api-msg-v1/creditorputs', 202);
    const entries = [
      entry(6, 'POST', '/api-msg-v1/creditordeletes', 202),
      entry(5, 'GET', '/v3/creditors'),
      created,
      entry(3, 'POST', '/notifications', 204, 'webhook'),
      entry(2, 'POST', '/api-msg-v1/creditorlistqueries', 202),
      entry(1, 'POST', '/api-msg-v1/creditorputs', 422),
    ];
    expect(makingOf(entries, 'i4')).toBe(created);
    const again = { ...entry(1, 'POST', '/api-msg-v1/creditorputs', 422), interactionId: 'i4' };
    expect(makingOf([...entries, again], 'i4')).toBe(created);
    for (const id of ['i1', 'i2', 'i3', 'i5', 'unknown', '']) expect(makingOf(entries, id), id).toBe(undefined);
  });

  it('stays in the list of calls after 40 later reads', () => {
    const posted = entry(1, 'POST', '/v3/batchpayments', 201);
    const read = Array.from({ length: 40 }, (_, index) => entry(index + 2, 'GET', '/v3/batchpayments/b1'));
    const exchanges = exchangesAbout([posted, ...read], posted);
    expect(exchanges).toHaveLength(20);
    expect(exchanges[0]?.id).toBe('41');
    expect(exchanges.at(-1)).toBe(posted);
  });
});

describe('the calls of a step', () => {
  const companyOf = (id: number, companyKey: string, status = 200) => {
    const call = entry(id, 'POST', '/api/company', status, 'call');
    const sent = entry(id, 'POST', '/auth-v1/companies', status === 200 ? 201 : status);
    return [
      sent,
      {
        ...call,
        id: `${id}0`,
        name: 'createCompany',
        request: { ...message, headers: { 'console-company': companyKey } },
      },
    ];
  };
  const made = (interactionId: string) => ({ company: { interactionId } }) as unknown as Facts['made']; // as much as is read
  const owner = (companyKey: string, interactionId: string) => ({
    companyKey,
    made: made(interactionId),
    settings: { ...everything.settings, organisationId: 'o', companyId: 'c' },
  });

  it('are those of the current company: what it was created by, and what was refused in it (behaviour 10.15.6)', () => {
    // The second company was created on the page of the first one, and the third one in the second.
    const entries = [
      ...companyOf(4, 'second'),
      ...companyOf(3, 'second', 409),
      ...companyOf(2, 'first'),
      ...companyOf(1, 'first'),
    ];
    const shown = (companyKey: string, by: string) =>
      exchangesOf(entries, ['createCompany'], owner(companyKey, by)).map(({ id }) => id);
    expect(shown('first', 'i1')).toEqual(['1']);
    expect(shown('second', 'i2')).toEqual(['3', '2']);
    expect(shown('third', 'i4')).toEqual(['4']);
    expect(shown('first', 'unknown')).toEqual([]);
  });

  it('to one path leave out those for other companies', () => {
    const tokenOf = (id: number, headers: Record<string, string>) => ({
      ...entry(id, 'POST', '/auth-v1/accessToken'),
      request: { ...message, headers },
    });
    const entries = [
      tokenOf(4, { 'x-organisation-id': 'o', 'x-company-id': 'c' }),
      tokenOf(3, { 'x-organisation-id': 'o', 'x-company-id': 'another' }),
      tokenOf(2, { 'x-organisation-id': 'another', 'x-company-id': 'c' }),
      tokenOf(1, {}),
    ];
    expect(exchangesAt(entries, '/accessToken', owner('first', 'i1')).map(({ id }) => id)).toEqual(['4', '1']);
  });
});

describe('the webhooks listed with a call', () => {
  const id = '593c8b71-b663-47e4-925c-7660628a3ffe';
  const about = (at: number) => ({
    ...entry(at, 'POST', '/notifications', 204, 'webhook'),
    request: { ...message, body: `{"data":{"batchId":"${id}"}}` },
  });
  const hooks = [about(9), about(5)];

  it('are all that name the resource for a read, and only later ones for a write (behaviour 10.16.10)', () => {
    expect(webhooksOf(entry(7, 'GET', `/v3/batchpayments/${id}`), hooks)).toEqual(hooks);
    const response = { ...message, body: `{"batchId":"${id}"}` };
    expect(webhooksOf({ ...entry(7, 'POST', '/v3/batchpayments', 201), response }, hooks)).toEqual([hooks[0]]);
    expect(webhooksOf(entry(7, 'GET', '/v3/providers?country=GB'), hooks)).toEqual([]);
  });
});
