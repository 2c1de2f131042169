import { describe, expect, it } from 'vitest';
import type { Outcome } from '#server/programs/checks/evidence.ts';
import { checks } from '#server/programs/checks/index.ts';
import { mendsOf } from '#server/programs/mends.ts';
import { batch, bodyFor, evidence, judge, pay, read, run, verdict, webhook } from './madeEvidence.ts';

const lost = { status: 0, fault: 'answerLost' };
const late = { status: 0, fault: 'latency' };

describe('the check that each invoice is paid when nothing fails', () => {
  const calls = [pay(1, 0, 'k1')];

  it('passes for one batch or several', () => {
    expect(verdict('write-paid', { calls, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-paid', { calls, batches: [batch(1, ['A']), batch(2, ['B'])] })).toBe('passed');
  });

  it('advises to go by the id where an equal invoice was paid in place of one', () => {
    const [one, other] = evidence({}).invoices;
    const invoices = [one!, { ...one!, id: other!.id, reference: other!.reference }];
    const mendOf = (asked: typeof invoices) => {
      const judged = judge('write-paid', { calls, batches: [batch(1, ['A'])], invoices: asked });
      return judged.verdict === 'failed' ? judged.seen[0]?.mend : judged.verdict;
    };
    expect(mendOf(invoices)).toContain('by its id alone');
    expect(mendOf([one!, { ...invoices[1]!, amount: '99.00' }])).toBeUndefined();
  });

  it.each([
    ['an invoice without a payment', [batch(1, ['A'])], 'B is in no batch'],
    ['a failed payment', [batch(1, ['A']), batch(2, ['B'], 'Rejected')], 'The payment of B is Rejected'],
    ['two payments', [batch(1), batch(2, ['B'])], 'B was paid 2 times, by one call'],
  ])('fails for %s', (_, batches, says) => {
    expect(judge('write-paid', { calls, batches })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: expect.stringContaining(says) as string }],
    });
  });

  it('fails for another amount', () => {
    const paid = batch(1);
    const payments = paid.payments.map((each) => ({ ...each, amount: '10.00' }));
    expect(judge('write-paid', { calls, batches: [{ ...paid, payments }] })).toMatchObject({
      seen: [
        { says: expect.stringContaining('The payment of B has “10.00” as the amount instead of “20.50”') as string },
      ],
    });
  });

  it('fails for another creditor than that of the invoice, unless the payment names an account only', () => {
    const to = (creditorId: string) => {
      const paid = batch(1);
      return [{ ...paid, payments: paid.payments.map((each) => ({ ...each, creditorId })) }];
    };
    const [first] = batch(1).payments;
    expect(judge('write-paid', { calls, batches: to(first!.creditorId) })).toMatchObject({
      seen: [
        {
          says: expect.stringMatching(
            /^The payment of B has “\S+” as the creditor instead of “creditor-B”\. Expected: /,
          ) as string,
        },
      ],
    });
    expect(verdict('write-paid', { calls, batches: to('') })).toBe('passed');
  });

  it.each([
    ['the amount', { amount: '20.49' }, 'through no floating-point number'],
    ['the currency', { currency: 'EUR' }, 'currency of each invoice'],
    ['the reference', { reference: 'B-id' }, 'not its id'],
    ['no reference', { reference: '' }, 'not its id'],
  ])('names what differs with the advice for it: %s', (_, wrong, advice) => {
    const paid = batch(1);
    const payments = paid.payments.map((each) => (each.reference === 'B' ? { ...each, ...wrong } : each));
    expect(judge('write-paid', { calls, batches: [{ ...paid, payments }] })).toMatchObject({
      verdict: 'failed',
      seen: [
        {
          says: expect.stringContaining('Expected: 20.50 GBP to “Creditor B”, reference “B”') as string,
          mend: expect.stringContaining(advice) as string,
        },
      ],
    });
  });

  it.each([
    ['escaped for a page', 'Smith &amp; Sons'],
    ['cut', 'Smith & Son'],
    ['empty', ''],
  ])('fails for a name that the service received %s', (_, name) => {
    const own = pay(1, 0, 'k1');
    const invoices = evidence().invoices.map((each) => ({ ...each, creditorName: 'Smith & Sons' }));
    const sent = (text: string) => [{ ...own, body: own.body.replaceAll(/"Creditor [AB]"/g, JSON.stringify(text)) }];
    expect(verdict('write-paid', { calls: sent('Smith & Sons'), invoices, batches: [batch(1)] })).toBe('passed');
    expect(judge('write-paid', { calls: sent(name), invoices, batches: [batch(1)] })).toMatchObject({
      verdict: 'failed',
      seen: [{ mend: expect.stringContaining('escapes of HTML') as string }, {}],
    });
  });

  it('shows the refusal of the service with its detail, and the invoice that was expected', () => {
    const problem = { title: 'Bad Request', detail: 'data.payments.1.instructedAmount.amount: two decimal places' };
    const response = { headers: {}, body: JSON.stringify(problem) };
    const refused = [pay(1, 0, 'k1', { status: 400, isDone: false, response })];
    expect(judge('write-paid', { calls: refused, batches: [] })).toMatchObject({
      seen: [
        {
          says: `A is in no batch: the service refused the call with 400: ${problem.detail}. Expected: 10.00 GBP to “Creditor A”, reference “A”`,
          mend: expect.stringMatching(/^Correct what the service names/) as string,
        },
        {},
      ],
    });
  });

  it('is not exercised in another situation', () => {
    expect(verdict('write-paid', { scenario: 'lost-response', calls })).toBe('not exercised');
  });
});

describe('the check after a lost response', () => {
  it('fails for a second batch, naming the calls that made both', () => {
    const calls = [pay(1, 0, 'k1', lost), pay(2, 900, 'k2')];
    expect(judge('write-lost-response', { calls, batches: [batch(1, ['A']), batch(2, ['A'])] })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'A was paid 2 times, under 2 idempotency keys', calls: [1, 2] }],
    });
  });

  it.each([
    ['half a body', { status: 200, fault: 'changed', response: { headers: {}, body: '{"data":{"ba' } }],
    ['no body', { fault: 'changed', response: { headers: {}, body: '' } }],
    ['a body that breaks off', { fault: 'truncated' }],
    ['500 after the work was done', { status: 500 }],
  ])('takes a response with %s for a lost one', (_, response) => {
    const calls = [pay(1, 0, 'k1', response), pay(2, 900, 'k2')];
    expect(verdict('write-lost-response', { calls, batches: [batch(1), batch(2)] })).toBe('failed');
    expect(verdict('write-lost-response', { calls, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-same-key', { calls, batches: [batch(1)] })).toBe('failed');
  });

  it('takes 202 with the batch for a response', () => {
    const accepted = { status: 202, fault: 'changed', response: { headers: {}, body: '{"data":{}}' } };
    expect(verdict('write-lost-response', { calls: [pay(1, 0, 'k1', accepted)], batches: [batch(1)] })).toBe(
      'not exercised',
    );
  });

  it.each([
    ['a repetition under the same key', [pay(1, 0, 'k1', lost), pay(2, 900, 'k1')], [batch(1)]],
    ['a program that stops', [pay(1, 0, 'k1', lost)], [batch(1)]],
    [
      'a new batch after the first one failed',
      [pay(1, 0, 'k1', lost), pay(2, 900, 'k2')],
      [batch(1, ['A', 'B'], 'Failed'), batch(2)],
    ],
  ])('passes for %s', (_, calls, batches) => {
    expect(verdict('write-lost-response', { calls, batches })).toBe('passed');
  });

  it('is not exercised where the service did nothing', () => {
    expect(verdict('write-lost-response', { calls: [pay(1, 0, 'k1', { status: 503, isDone: false })] })).toBe(
      'not exercised',
    );
    expect(verdict('write-lost-response', { calls: [pay(1, 0, 'k1', late)] })).toBe('not exercised');
  });
});

describe('the check after a time-out', () => {
  it('fails for a second batch', () => {
    const calls = [pay(1, 0, 'k1', late), pay(2, 5000, 'k2')];
    expect(verdict('write-timeout', { calls, batches: [batch(1), batch(2)] })).toBe('failed');
  });

  it('passes for one batch, and is not exercised where the program waited for the response', () => {
    const calls = [pay(1, 0, 'k1', late), pay(2, 5000, 'k1')];
    expect(verdict('write-timeout', { calls, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-timeout', { calls: [pay(1, 0, 'k1', { fault: 'latency' })], batches: [batch(1)] })).toBe(
      'not exercised',
    );
  });

  it('is not exercised by two instances at the same time, which would pay twice without a time-out as well', () => {
    const calls = [pay(1, 0, 'k1', late), pay(2, 1000, 'k2')];
    const evidence = { calls, runs: [run(), run(500)], batches: [batch(1), batch(2)] };
    expect(verdict('write-timeout', evidence)).toBe('not exercised');
    expect(verdict('write-instances', evidence)).toBe('failed');
  });
});

describe('the check after a restart', () => {
  const runs = [run(0, 1000, { ended: 'killed', exitStatus: null }), run(2000)];
  const calls = [pay(1, 500, 'k1', { status: 0, fault: 'noBody' }), pay(2, 2500, 'k2')];

  it('fails for a second batch of the second run', () => {
    expect(verdict('write-restart', { calls, runs, batches: [batch(1), batch(2)] })).toBe('failed');
    expect(verdict('write-restart', { calls, runs, batches: [batch(1)] })).toBe('passed');
  });

  it('is alone in judging the call that was under way when the program was killed', () => {
    expect(verdict('write-timeout', { calls, runs, batches: [batch(1), batch(2)] })).toBe('not exercised');
    expect(verdict('write-lost-response', { calls, runs, batches: [batch(1), batch(2)] })).toBe('not exercised');
  });

  it('is not exercised where the first run was not killed, or had not paid', () => {
    expect(verdict('write-restart', { calls, runs: [run(0, 1000), run(2000)], batches: [batch(1), batch(2)] })).toBe(
      'not exercised',
    );
    expect(verdict('write-restart', { calls: [pay(2, 2500, 'k2')], runs, batches: [batch(2)] })).toBe('not exercised');
  });
});

describe('the check of two instances', () => {
  const runs = [run(0), run(10)];

  it('fails for a batch of each, passes where one of them paid', () => {
    const calls = [pay(1, 500, 'k1'), pay(2, 510, 'k2')];
    expect(verdict('write-instances', { calls, runs, batches: [batch(1), batch(2)] })).toBe('failed');
    expect(verdict('write-instances', { calls: calls.slice(0, 1), runs, batches: [batch(1)] })).toBe('passed');
    expect(verdict('write-instances', { calls, runs: [run(0, 600), run(700)], batches: [batch(1)] })).toBe(
      'not exercised',
    );
  });
});

describe('the check that no invoice is paid twice', () => {
  it.each([
    ['the same key', 'k1', 'k1', 'under the same idempotency key'],
    ['two keys', 'k1', 'k2', 'under 2 idempotency keys'],
    ['no key', '', '', 'without an idempotency key'],
  ])('says that the writes had %s', (_, first, second, how) => {
    const calls = [pay(1, 0, first), pay(2, 900, second)];
    expect(judge('write-once', { calls, batches: [batch(1, ['A']), batch(2, ['A'])] })).toMatchObject({
      seen: [{ says: `A was paid 2 times, ${how}` }],
    });
  });

  const twice = [batch(1, ['A', 'B'], 'PartiallyCompleted'), batch(2, ['A'])];

  it.each(['works', 'payment-fails', 'unknown-status', 'next-invoices', 'conflict'])(
    'fails for a second payment in any scenario: %s',
    (scenario) => {
      const calls = [pay(1, 0, 'k1'), pay(2, 900, 'k2', { ids: ['A'] })];
      expect(judge('write-once', { scenario, calls, batches: twice.map((each) => ({ ...each })) })).toMatchObject({
        verdict: 'failed',
        seen: [{ says: 'A was paid 2 times, under 2 idempotency keys', calls: [1, 2] }],
      });
    },
  );

  it('passes for a payment anew after the first one failed, and is not exercised without invoices', () => {
    const anew = [batch(1, ['A'], 'Failed'), batch(2, ['A']), batch(3, ['B'])];
    expect(verdict('write-once', { batches: anew })).toBe('passed');
    expect(verdict('write-once', { batches: anew, invoices: [] })).toBe('not exercised');
  });

  it('tells invoices of the same creditor and amount apart by their references, or else by their number', () => {
    const alike = ['A', 'B'].map((id) => ({
      id,
      reference: id,
      creditorId: 'c',
      creditorName: 'C',
      amount: '0.10',
      currency: 'GBP',
    }));
    const paying = (number: number, references: readonly string[]) => ({
      ...batch(number),
      payments: references.map((reference, index) => ({
        paymentId: `${number}-${index}`,
        status: 'Completed',
        amount: '0.1',
        currency: 'GBP',
        creditorId: 'c',
        reference,
      })),
    });
    const of = (...batches: ReturnType<typeof paying>[]) => verdict('write-once', { invoices: alike, batches });
    expect(of(paying(1, ['A']), paying(2, ['B']))).toBe('passed');
    expect(of(paying(1, ['A']), paying(2, ['A']))).toBe('failed');
    expect(of(paying(1, ['']), paying(2, ['']))).toBe('passed');
    expect(of(paying(1, ['', '']), paying(2, ['']))).toBe('failed');
  });
});

describe('the check that each invoice is settled in the end', () => {
  const killed = run(0, 900, { ended: 'killed', exitStatus: null });

  it('fails if no later run pays, and passes if one does', () => {
    const runs = [killed, run(1000, 5000, { exitStatus: 1 }), run(6000, 9000, { exitStatus: 1 })];
    expect(judge('write-settled', { scenario: 'killed-early', runs, batches: [batch(1, ['A'])] })).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'B is not paid after 3 runs' }],
    });
    expect(
      verdict('write-settled', { scenario: 'killed', calls: [pay(1, 500, 'k1')], runs, batches: [batch(1)] }),
    ).toBe('passed');
    expect(verdict('write-settled', { runs: [run()], batches: [] })).toBe('not exercised');
    const next = [run(0, 900), run(1000, 5000, { asked: ['C'] })];
    expect(verdict('write-settled', { runs: next, batches: [] })).toBe('not exercised');
  });

  const first = run(0, 900, { exitStatus: 1, result: { A: 'unknown', B: 'unknown' } });
  const later = (a: Outcome, b: Outcome = a) => [first, run(1000, 5000, { exitStatus: 1, result: { A: a, B: b } })];
  const refused = pay(2, 1500, 'k1', { status: 422, isDone: false });

  it('fails for an invoice that was never sent and stays unknown, not if the result file says failed (behaviour 10.21.18)', () => {
    const unsent = (said: Outcome) => ({ runs: later('paid', said), batches: [batch(1, ['A'])] });
    expect(judge('write-settled', unsent('unknown'))).toMatchObject({
      verdict: 'failed',
      seen: [{ says: 'B is not paid after 2 runs' }],
    });
    expect(verdict('write-settled', unsent('failed'))).toBe('passed');
  });

  it('fails after a kill for an invoice that was never sent, whatever the program says of it', () => {
    for (const said of ['unknown', 'failed'] as const) {
      const runs = [killed, run(1000, 5000, { exitStatus: 1, result: { A: 'paid', B: said } })];
      expect(judge('write-settled', { scenario: 'killed', runs, batches: [batch(1, ['A'])] })).toMatchObject({
        verdict: 'failed',
        seen: [{ says: 'B is not paid after 2 runs' }],
      });
    }
  });

  it.each([
    ['failed at the bank', { calls: [pay(1, 500, 'k1')], batches: [batch(1, ['A', 'B'], 'Failed')] }],
    ['refused', { calls: [refused], batches: [] }],
  ])('passes for a payment that the service declares %s, if the program says failed', (_, seen) => {
    expect(verdict('write-settled', { runs: later('failed'), ...seen })).toBe('passed');
  });

  it('fails for unknown of what was refused, but not for an exit status, which cannot say more', () => {
    expect(verdict('write-settled', { runs: later('unknown'), calls: [refused] })).toBe('failed');
    const byStatus = [run(0, 900, { exitStatus: 1 }), run(1000, 5000, { exitStatus: 1 })];
    expect(verdict('write-settled', { runs: byStatus, calls: [refused] })).toBe('passed');
  });

  it('fails for a paid invoice that stays unknown although the program has not asked again', () => {
    const lostWrite = pay(1, 500, 'k1', { status: 0, fault: 'answerLost' });
    const says = 'A is paid, and the program still says that it does not know after 2 runs';
    const seen = { batches: [batch(1)], runs: later('unknown') };
    expect(judge('write-settled', { ...seen, calls: [lostWrite] })).toMatchObject({ seen: [{ says }, {}] });
    const refusedAgain = pay(2, 1500, 'k1', { status: 409, isDone: false });
    expect(verdict('write-settled', { ...seen, calls: [lostWrite, refusedAgain] })).toBe('failed');
    expect(verdict('write-settled', { ...seen, calls: [pay(1, 500, 'k1'), read(2, 700, { status: 503 })] })).toBe(
      'failed',
    );
  });

  it('passes for a program that never reads, once it had a response', () => {
    expect(verdict('write-settled', { calls: [pay(1, 500, 'k1')], batches: [batch(1)], runs: later('unknown') })).toBe(
      'passed',
    );
  });

  it('does not blame a run that the limit has ended for what is paid', () => {
    const runs = [first, run(1000, 61_000, { ended: 'limit', exitStatus: null })];
    expect(verdict('write-settled', { calls: [pay(1, 500, 'k1')], batches: [batch(1)], runs })).toBe('passed');
  });
});

describe('an invoice that stays open because its webhooks were dropped', () => {
  const calls = [
    pay(1, 0, 'k1'),
    read(2, 300, { response: { headers: {}, body: '{"data":{"status":"Processing"}}' } }),
  ];
  const unknown = (from: number, to: number) =>
    run(from, to, { exitStatus: 1, result: { A: 'unknown', B: 'unknown' } });
  const runs = [unknown(0, 900), unknown(1000, 2000)];

  it('is shown with the webhooks that were acknowledged, and the advice names their ids', () => {
    const webhooks = [webhook('duplicate', 204)];
    expect(judge('write-settled', { calls, batches: [batch(1)], runs, webhooks })).toMatchObject({
      verdict: 'failed',
      seen: [
        {
          says: expect.stringContaining(
            'it acknowledged 1 webhook about the batch, and has not read it since',
          ) as string,
          mend: expect.stringContaining('Remember a webhook-id only once the batch was read') as string,
        },
        {},
      ],
    });
  });

  it('has the usual advice where the batch was read after the last webhook', () => {
    const webhooks = [webhook('duplicate', 204)];
    const later = [...calls, read(3, 800)];
    const [, second] = runs;
    expect(
      judge('write-settled', { calls: later, batches: [batch(1)], runs: [runs[0]!, second!], webhooks }),
    ).toMatchObject({
      seen: [{ says: expect.not.stringContaining('acknowledged') as string }, {}],
    });
  });

  const lost = pay(1, 0, 'k1', { status: 0, fault: 'answerLost' });
  const refusedWith = (body: string) => pay(2, 1100, 'k1', { status: 409, isDone: false, body });
  it.each([
    [
      'a body that was built anew, whatever webhooks came',
      [lost, refusedWith(bodyFor(['A', 'B'], { externalId: 'anew' }))],
      'Store the body with its key',
    ],
    ['the same call that was refused as in progress', [lost, refusedWith(lost.body)], 'send again what is stored'],
    ['a call that was never sent again', [lost], 'send again what is stored'],
  ])('has the advice for %s (behaviour 10.21.24)', (_, sent, advice) => {
    const webhooks = [webhook('duplicate', 204)];
    const found = judge('write-settled', { calls: sent, batches: [batch(1)], runs, webhooks });
    const usual = checks.find(({ id }) => id === 'write-settled')!.mend; // there is one
    const mends = found.verdict === 'failed' ? mendsOf(usual, found.seen) : [];
    expect(mends).toEqual([expect.stringContaining(advice)]);
  });
});
