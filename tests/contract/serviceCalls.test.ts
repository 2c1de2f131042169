import { describe, expect, it } from 'vitest';
import { servicePurpose } from '#contract/purposes.ts';
import { answerTypeOf, messageKinds, webhookTypes } from '#contract/serviceCalls.ts';
import { operationAt, operationOf, serviceCalls } from '#contract/serviceCalls.ts';

const all = Object.entries(serviceCalls).map(
  ([name, { methods, path }]) => [name, methods, path.replace(/\{\w+\}/, 'a.b-1')] as const,
);

describe('the operation of a call', () => {
  it.each(all)('%s follows from its method and path, whatever the query', (name, methods, path) => {
    for (const method of methods) {
      expect(operationOf(method, path)).toBe(name);
      expect(operationOf(method, `${path}?country=GB`)).toBe(name);
      expect(operationAt(method, `/below/here${path}`)).toBe(name);
      expect(servicePurpose(method, `/below${path}`)).not.toBe('');
    }
    expect(operationOf('DELETE', path)).toBeUndefined();
  });

  it('is none for a longer or another path, or a path below another one', () => {
    for (const path of ['/v3/providers/a/b', '/v3/provider', '/v3/providers/', '/x/v3/providers', ''])
      expect([path, operationOf('GET', path)]).toEqual([path, undefined]);
    expect(operationOf('GET', '/auth-v1/xwell-known/jwks.json')).toBeUndefined();
    expect(servicePurpose('GET', '/v3/unknown')).toBe('');
    expect(['GET', 'PATCH'].map((method) => operationOf(method, '/v3/subscriptions/a'))).toEqual([
      'subscription',
      'patchSubscription',
    ]);
    expect(['GET', 'POST'].map((method) => operationOf(method, '/v3/batchpayments'))).toEqual([
      undefined,
      'createBatch',
    ]);
  });
});

it('a webhook answers each kind of message, and has the type of its list for a query', () => {
  expect(webhookTypes).toEqual(expect.arrayContaining(messageKinds.map((kind) => answerTypeOf(kind))));
  expect(answerTypeOf('creditorlistqueries')).toBe('creditorlistqueryresponses');
  expect(answerTypeOf('updates')).toBe('updates');
});
