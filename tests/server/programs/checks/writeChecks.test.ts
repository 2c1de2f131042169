import { describe, expect, it } from 'vitest';
import { checks } from '#server/programs/checks/index.ts';
import { batch, bodyFor, judge, pay, read, run, verdict } from './madeEvidence.ts';

const lost = { status: 0, fault: 'answerLost' };
const unavailable = { status: 503, isDone: false };
const refused = { status: 422, isDone: false };

describe('the check of idempotency keys', () => {
  it('fails for a batch without a key', () => {
    expect(verdict('write-key', { calls: [pay(1, 0, '')] })).toBe('failed');
    expect(verdict('write-key', { calls: [pay(1, 0, 'k1')] })).toBe('passed');
    expect(verdict('write-key', { calls: [read(1, 0)] })).toBe('not exercised');
  });
});

describe('the check of the form of idempotency keys', () => {
  it.each(['k1, k1', 'k1, k2', 'two words', 'é', 'x'.repeat(201), '\tk1'])('fails for %j', (key) => {
    expect(judge('write-key-form', { calls: [pay(1, 0, 'k1'), pay(2, 900, key)] })).toMatchObject({
      verdict: 'failed',
      seen: [{ calls: [2] }],
    });
  });

  it('passes for visible ASCII characters, and is not exercised without a key', () => {
    const calls = ['k1', 'a,b', '~!', 'x'.repeat(200)].map((key, index) => pay(index + 1, 900 * index, key));
    expect(verdict('write-key-form', { calls })).toBe('passed');
    expect(verdict('write-key-form', { calls: [read(1, 0)] })).toBe('not exercised');
  });
});

describe('the check of the same key', () => {
  it.each([
    ['a lost response', lost],
    ['a 500', { status: 500 }],
    ['a 503', unavailable],
    ['a response that was cut', { fault: 'truncated' }],
  ])('fails for the same payments under a new key after %s', (_, first) => {
    const again = pay(2, 900, 'k2', { body: bodyFor(['A', 'B'], { externalId: 'other' }) });
    expect(judge('write-same-key', { calls: [pay(1, 0, 'k1', first), again] })).toMatchObject({
      verdict: 'failed',
      seen: [{ calls: [1, 2] }],
    });
  });

  it('fails where a part of the payments is sent under a new key', () => {
    const calls = [pay(1, 0, 'k1', lost), pay(2, 900, 'k2', { ids: ['B'] })];
    expect(verdict('write-same-key', { calls })).toBe('failed');
  });

  it('passes for a retry under the same key', () => {
    expect(verdict('write-same-key', { calls: [pay(1, 0, 'k1', lost), pay(2, 900, 'k1')] })).toBe('passed');
  });

  it.each([
    ['other payments', [pay(1, 0, 'k1', { ...lost, ids: ['A'] }), pay(2, 900, 'k2', { ids: ['B'] })]],
    ['a corrected batch after a refusal', [pay(1, 0, 'k1', refused), pay(2, 900, 'k2')]],
    ['a refused token', [pay(1, 0, 'k1', { status: 401 }), pay(2, 900, 'k2')]],
    ['a program without keys', [pay(1, 0, '', lost), pay(2, 900, '')]],
    ['no retry', [pay(1, 0, 'k1', lost)]],
  ])('is not exercised by %s', (_, calls) => {
    expect(verdict('write-same-key', { calls })).toBe('not exercised');
  });

  it('is not exercised where the program has read what became of the first batch', () => {
    const calls = [pay(1, 0, 'k1', lost), read(2, 500), pay(3, 900, 'k2')];
    expect(verdict('write-same-key', { calls, batches: [batch(1, ['A', 'B'], 'Failed')] })).toBe('not exercised');
  });

  it('is not exercised by a program that begins anew after it was killed', () => {
    const calls = [pay(1, 0, 'k1', lost), pay(2, 3000, 'k2')];
    expect(verdict('write-same-key', { calls, runs: [run(0, 1000, { ended: 'killed' }), run(2000)] })).toBe(
      'not exercised',
    );
  });
});

describe('the check of the same body', () => {
  it('fails for another body under the same key', () => {
    const again = pay(2, 900, 'k1', { body: bodyFor(['A', 'B'], { externalId: 'other' }), status: 409 });
    expect(verdict('write-same-body', { calls: [pay(1, 0, 'k1', lost), again] })).toBe('failed');
  });

  it('passes for the same body, and is not exercised without a repetition', () => {
    expect(verdict('write-same-body', { calls: [pay(1, 0, 'k1', lost), pay(2, 900, 'k1')] })).toBe('passed');
    expect(verdict('write-same-body', { calls: [pay(1, 0, 'k1'), pay(2, 900, 'k2')] })).toBe('not exercised');
  });
});

describe('a body that is built anew after a restart', () => {
  const runs = [run(0, 1000, { ended: 'killed', exitStatus: null }), run(2000)];
  const under = (ids: readonly string[], first: object) => [
    pay(1, 0, 'k1', first),
    pay(2, 3000, 'k1', { ids, status: 409 }),
  ];

  it.each([
    [
      'the same invoices and another externalId',
      [pay(1, 0, 'k1', lost), pay(2, 3000, 'k1', { body: bodyFor(['A', 'B'], { externalId: 'other' }) })],
    ],
    ['some of the invoices', under(['B'], lost)],
    ['other invoices than the attempt whose outcome is unknown', under(['B'], { ...lost, ids: ['A'] })],
  ])('fails the check of the body, and not that of new keys, whose advice would pay twice: %s', (_, calls) => {
    expect(judge('write-same-body', { calls, runs })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'The body differs from the first attempt under the same key, after a restart', calls: [1, 2] }],
    });
    expect(verdict('write-new-key', { calls, runs })).not.toBe('failed');
  });

  it('is another batch, which needs a key of its own, where the first one was answered', () => {
    const calls = under(['B'], { ids: ['A'] });
    expect(verdict('write-new-key', { calls, runs })).toBe('failed');
    expect(verdict('write-same-body', { calls, runs })).not.toBe('failed');
  });

  it('is right after a refusal, which uses up no key', () => {
    const calls = [pay(1, 0, 'k1', refused), pay(2, 3000, 'k1', { ids: ['B'] })];
    expect(verdict('write-same-body', { calls, runs })).toBe('not exercised');
  });

  it('has no advice that names a new key without the condition that nothing was sent before', () => {
    for (const { mend } of checks.filter(({ mend: each }) => /\bkey for each\b/.test(each)))
      expect(mend).toContain('A batch that was sent before keeps its key and its body.');
  });
});

describe('the check of new keys', () => {
  const second = (key: string) => pay(2, 6000, key, { ids: ['B'] });

  it('fails for one key of two different batches, also in two runs', () => {
    const calls = [pay(1, 0, 'k1', { ids: ['A'] }), second('k1')];
    expect(verdict('write-new-key', { calls, runs: [run(0, 5000), run(5500)] })).toBe('failed');
  });

  it('passes for a key each, and is not exercised by a single batch', () => {
    expect(verdict('write-new-key', { calls: [pay(1, 0, 'k1', { ids: ['A'] }), second('k2')] })).toBe('passed');
    expect(verdict('write-new-key', { calls: [pay(1, 0, 'k1', lost), pay(2, 900, 'k1')] })).toBe('not exercised');
  });
});

describe('the check of pauses after 503', () => {
  /** Attempts with these pauses (ms) between them; the last one succeeds. */
  const after = (...pauses: number[]) => {
    let at = 0;
    return [0, ...pauses].map((pause, index) => {
      at += index === 0 ? 0 : pause + 20;
      return pay(index + 1, at, 'k1', index < pauses.length ? unavailable : {});
    });
  };

  it.each([
    ['none', [2, 3, 2]],
    ['constant ones', [1000, 1004, 998]],
    ['constant ones with a small random part', [500, 590, 540]],
    ['a constant one of 100 ms on a busy machine', [100, 135, 120]],
  ])('fails for pauses that do not grow: %s', (_, pauses) => {
    expect(judge('write-backoff', { calls: after(...pauses) })).toMatchObject({
      verdict: 'failed',
      seen: [{ calls: [1, 2, 3, 4] }],
    });
  });

  it.each([
    ['doubled ones', [500, 1000, 2000]],
    ['linear ones', [200, 400, 600]],
    ['ones that grow slowly', [1000, 1100, 1210]],
    ['two random ones', [430, 560]],
    ['two doubled ones of which other work has stretched the first', [800, 810]],
    ['doubled ones of which other work has stretched the first', [900, 800, 1600]],
    ['random ones from 0 to a doubled limit', [430, 120, 1500]],
    ['doubled ones of 0.1 s of which other work has stretched the first far', [900, 200, 400]],
    ['random ones that are shorter each time', [900, 750, 560]],
    ['constant ones that are long', [30_000, 30_000, 30_000]],
  ])('passes for %s', (_, pauses) => {
    expect(verdict('write-backoff', { calls: after(...pauses), runs: [run(0, 200_000)] })).toBe('passed');
  });

  it.each([
    ['within a tenth of a second', [5], 'A retry follows within 0.1 s: 0.01 s'],
    ['four times within the first second', [120, 200, 350], '4 attempts are made within the first second'],
    ['after shrinking pauses', [4000, 2000, 500], 'The pauses shrink: 4.00 s, 2.00 s, 0.50 s'],
  ])('fails for a retry %s', (_, pauses, says) => {
    expect(judge('write-backoff', { calls: after(...pauses) })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: expect.stringContaining(says) as string }],
    });
  });

  /** Attempts without a response, each this long (ms) after the one before. */
  const lostAfter = (...gaps: number[]) => {
    let at = 0;
    return [0, ...gaps].map((gap, index) => pay(index + 1, (at += gap), 'k1', lost));
  };

  it.each([
    ['failed', 'three at once', [5, 6, 5]],
    ['failed', 'two at once', [5, 6]],
    ['failed', 'four within a second', [120, 200, 350]],
    ['passed', 'one at once, and one later', [5, 900]],
    ['passed', 'as many as wait for a response that does not come', [3001, 3002, 3001]],
  ])('has %s for retries after lost responses: %s', (expected, _, gaps) => {
    expect(verdict('write-backoff', { calls: lostAfter(...gaps) })).toBe(expected);
  });

  it('is not exercised by fewer than two retries', () => {
    expect(verdict('write-backoff', { calls: after(500) })).toBe('not exercised');
    expect(verdict('write-backoff', { calls: after() })).toBe('not exercised');
  });
});

describe('the check of Retry-After', () => {
  const tooMany = { status: 429, isDone: false, response: { headers: { 'retry-after': '1' }, body: '' } };

  it.each([
    ['is judged by the clock of the service', 1500, 'failed'],
    ['is waited for', 4100, 'passed'],
  ])('a time to wait until %s', (_, pause, expected) => {
    const headers = { date: 'Tue, 14 Nov 2023 22:13:20 GMT', 'retry-after': 'Tue, 14 Nov 2023 22:13:24 GMT' };
    const calls = [
      pay(1, 0, 'k1', { status: 429, isDone: false, response: { headers, body: '' } }),
      pay(2, 20 + pause, 'k1'),
    ];
    expect(verdict('write-retry-after', { calls })).toBe(expected);
  });

  it.each([
    ['failed', 200],
    ['passed', 990],
    ['passed', 1400],
    ['passed', 8000],
  ])('has %s for a retry %i ms after a 429 that asks for 1 s', (expected, pause) => {
    const calls = [pay(1, 0, 'k1', tooMany), pay(2, 20 + pause, 'k1')];
    expect(verdict('write-retry-after', { calls })).toBe(expected);
  });

  it('is not exercised without a retry', () => {
    expect(verdict('write-retry-after', { calls: [pay(1, 0, 'k1', tooMany)] })).toBe('not exercised');
  });
});

describe('the check of refused writes', () => {
  it('fails for the same write after a 422, also under another key and externalId', () => {
    const again = pay(2, 900, 'k2', { body: bodyFor(['A', 'B'], { externalId: 'other' }) });
    expect(verdict('write-refused', { calls: [pay(1, 0, 'k1', refused), again] })).toBe('failed');
  });

  it('passes where the program stops or corrects the write', () => {
    expect(verdict('write-refused', { calls: [pay(1, 0, 'k1', refused)] })).toBe('passed');
    const corrected = pay(2, 900, 'k2', { ids: ['A'] });
    expect(verdict('write-refused', { calls: [pay(1, 0, 'k1', refused), corrected] })).toBe('passed');
  });

  it.each(['truncated', 'noBody', 'html'])('is not exercised by a refusal of which not all arrived: %s', (fault) => {
    const calls = [pay(1, 0, 'k1', { ...refused, fault }), pay(2, 900, 'k1')];
    expect(verdict('write-refused', { calls })).toBe('not exercised');
  });

  it('is not exercised by a refusal whose body was lost on the way', () => {
    const emptied = { ...refused, fault: 'changed', response: { headers: {}, body: '' } };
    expect(verdict('write-refused', { calls: [pay(1, 0, 'k1', emptied), pay(2, 900, 'k1')] })).toBe('not exercised');
  });

  it('is not exercised by a refusal that depends on time or token', () => {
    const calls = [401, 409, 429].map((status, index) => pay(index + 1, index * 900, 'k1', { status }));
    expect(verdict('write-refused', { calls })).toBe('not exercised');
  });
});
