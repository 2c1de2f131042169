import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMapping } from '#server/verify/against/mapping.ts';
import { readingOf } from '#server/verify/against/reading.ts';
import { scenariosAt, unjudgedAt } from '#server/verify/against/judged.ts';
import { optionsOf } from '#server/verify/options.ts';
import { UseError } from '#rules/useError.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';

const example = JSON.parse(readFileSync('examples/another-service/mapping.json', 'utf8')) as Record<string, unknown>;
const write = { call: 'POST /v1/payouts', identifiedBy: ['reference'], answer: { id: 'id' } };
const mappingWith = (changes: object) => parseMapping('mapping.json', JSON.stringify({ ...example, ...changes }));

const call = (more: Partial<RecordedCall>): RecordedCall => ({
  number: 1,
  at: 0,
  ms: 1,
  method: 'POST',
  path: '/v1/payouts',
  query: '',
  operation: 'createBatch',
  headers: {},
  body: '',
  status: 201,
  response: { headers: {}, body: '' },
  isDone: true,
  mistakes: [],
  ...more,
});

describe('a mapping of another service', () => {
  it.each<[string, object, string]>([
    [
      'no address',
      { url: 'api.example' },
      'url: give the address of the test service, such as "https://api.sandbox.example"',
    ],
    [
      'a service of which nobody said that it moves no money',
      { movesNoMoney: false },
      'movesNoMoney: give true, once you are sure that this is a test service in which no money moves',
    ],
    [
      'no header of the key',
      { idempotencyKey: '' },
      'idempotencyKey: give the name of the header of the idempotency key, such as "Idempotency-Key"',
    ],
    ['no writes', { writes: [] }, 'writes: give at least one call that pays'],
    [
      'a write by GET',
      { writes: [{ ...write, call: 'GET /v1/payouts' }] },
      'writes.0.call: give method and path, such as "POST /v1/payouts", with POST, PUT, PATCH as method',
    ],
    [
      'a path alone',
      { writes: [{ ...write, call: '/v1/payouts' }] },
      'writes.0.call: give method and path, such as "POST /v1/payouts", with POST, PUT, PATCH as method',
    ],
    [
      'payments that nothing identifies',
      { writes: [{ ...write, identifiedBy: [] }] },
      'writes.0.identifiedBy: give the members of a payment that identify what is paid, such as ["reference"]',
    ],
    [
      'a write without the id of what it creates',
      { writes: [{ ...write, answer: {} }] },
      'writes.0.answer.id: give the member with the id of what was created, such as "data.id"',
    ],
    [
      'a read by POST',
      { reads: [{ call: 'POST /v1/payouts/{id}', answer: {} }] },
      'reads.0.call: give method and path, such as "GET /v1/payouts/{id}", with GET as method',
    ],
    [
      'no final statuses',
      { statuses: { paid: ['DONE'] } },
      'statuses.failed: give the final statuses of a payment that is not made, such as ["FAILED"]',
    ],
    ['one payee', { creditors: ['a'] }, 'creditors: give at least two payees'],
    [
      'a misspelt name',
      { idempotencykey: 'x' },
      'its top: idempotencykey is no member here: the names are in docs/verify.md',
    ],
    [
      'a misspelt name within',
      { tokens: [{ call: 'POST /token', token: 'a', refresh: true }] },
      'tokens.0: refresh is no member here: the names are in docs/verify.md',
    ],
    [
      'webhooks that do not say how they are signed',
      { webhooks: { path: '/', secretVariable: 'S', body: { s: '{status}' } } },
      'webhooks.signature: give how webhooks are signed: header, signs, algorithm, encoding, value',
    ],
    [
      'a signature that does not sign the body',
      {
        webhooks: {
          path: '/',
          secretVariable: 'S',
          body: { s: '{status}' },
          signature: { header: 'X', signs: '{timestamp}' },
        },
      },
      'webhooks.signature.signs: give a text with {body}',
    ],
    [
      'a status that is paid and failed',
      { statuses: { paid: ['A', 'B'], failed: ['B'] } },
      'statuses: B is both paid and failed: name it in one of them',
    ],
  ])('with %s is refused, with the place and what is right (behaviour 10.21.16)', (_, changes, sentence) => {
    expect(() => mappingWith(changes)).toThrow(new UseError(`mapping.json is wrong at ${sentence}.`));
  });

  it('that names a call twice, or is no JSON or no object, is refused', () => {
    expect(() => mappingWith({ writes: [write, write] })).toThrow('POST /v1/payouts is named twice');
    expect(() => parseMapping('m.json', '{')).toThrow(/^m\.json is not JSON at line 1, column 2: /);
    expect(() => parseMapping('m.json', '[]')).toThrow('m.json is wrong at its top: give an object.');
  });

  it('reads payments in a list, a form or the whole body, by the members that identify them', () => {
    const invoices = [{ id: 'R1', creditorId: 'c', creditorName: 'c', amount: '1', currency: 'EUR', reference: 'R1' }];
    const referencesOf = (changes: object, more: Partial<RecordedCall>) =>
      readingOf(mappingWith({ writes: [{ ...write, ...changes }] }))
        .paymentsIn(call(more), invoices)
        .map(({ reference }) => reference);
    expect(
      referencesOf(
        { payments: 'data.items', identifiedBy: ['to', 'note.text'] },
        {
          body: '{"data":{"items":[{"to":"a","note":{"text":"R1"}},{"to":"b","note":{"text":"x"}}]}}',
        },
      ),
    ).toEqual(['R1', 'b x']);
    expect(referencesOf({ identifiedBy: ['reference'] }, { body: '{"reference":"R1"}' })).toEqual(['R1']);
    expect(
      referencesOf(
        { identifiedBy: ['metadata[invoice]'] },
        {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'amount=100&metadata%5Binvoice%5D=R1',
        },
      ),
    ).toEqual(['R1']);
    expect(referencesOf({ payments: 'items' }, { body: 'no JSON' })).toEqual([]);
  });

  it('finds calls by method and path, and the id in the path or in the answer', () => {
    const reading = readingOf(
      mappingWith({
        writes: [{ ...write, answer: { id: 'data.id' } }],
        reads: [{ call: 'GET /v1/payouts/{id}/status', answer: { status: 'state' } }],
      }),
    );
    expect(['POST', 'GET'].map((method) => reading.operationOf(method, '/v1/payouts'))).toEqual([
      'createBatch',
      undefined,
    ]);
    expect(reading.operationOf('GET', '/v1/payouts/a.b/status')).toBe('batch');
    const read = call({
      method: 'GET',
      path: '/v1/payouts/a.b/status',
      response: { headers: {}, body: '{"state":"SUCCESS"}' },
    });
    expect([reading.batchIn(read), reading.statusesIn(read)]).toEqual(['a.b', ['Completed']]);
    expect(reading.batchIn(call({ response: { headers: {}, body: '{"data":{"id":17}}' } }))).toBe('17');
  });

  it('has the scenarios that a proxy can bring about, and gives a reason for each check that it cannot judge (behaviour 10.21.15)', () => {
    const mapping = mappingWith({ reads: [], tokens: [] });
    expect(scenariosAt(mapping).map(({ id }) => id)).toEqual([
      'works',
      'lost-response',
      'every-response-lost',
      'late-response',
      'proxy-page',
      'cut-response',
      'half-response',
      'failed-response',
      'empty-response',
      'accepted',
      'conflict',
      'unavailable',
      'too-many-calls',
      'too-many-until',
      'expired-token',
      'redirected',
      'refused',
      'next-invoices',
      'repeated-invoices',
      'repeated-unknown',
      'killed',
      'killed-early',
      'killed-unanswered',
      'killed-refused',
      'two-instances',
    ]);
    expect(unjudgedAt(mapping)).toMatchObject({
      'reading-polls': 'the mapping has no reads',
      'webhook-forged': 'the mapping has no webhooks',
      'request-token-reused': 'the mapping has no tokens',
    });
  });

  it.each([
    [
      ['--require', 'webhook-forged'],
      '--require webhook-forged cannot be judged at another service: the mapping has no webhooks.',
    ],
    [
      ['--only', 'request-nonce'],
      '--only request-nonce cannot be judged at another service: it is a rule of the protocol that the sandbox speaks.',
    ],
    [
      ['--only', 'payment-fails'],
      '--only payment-fails is a scenario of the sandbox: without --against it can be run.',
    ],
  ])('refuses %j, which it cannot do', (args, sentence) => {
    expect(() => optionsOf([...args, '--', 'true'], 1, undefined, mappingWith({}))).toThrow(new UseError(sentence));
  });
});
