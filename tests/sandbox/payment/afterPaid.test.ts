import assert from 'node:assert';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInThisContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '#contract/controlShapes.ts';
import { returnReasons } from '#contract/returns.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import type { Prepared, Sandbox, SandboxOptions, Situation } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { settledPayment } from '#server/sandbox/payment/afterwards.ts';
import type { BatchRecord } from '#server/sandbox/payment/records.ts';
import { header } from '#server/upstream/wire.ts';
import { payingByBacs } from './payingByBacs.ts';

type Run = (...given: unknown[]) => Promise<void>;

const day = 24 * 60 * 60_000;

interface Event {
  data: { status: string; payments?: { status: string; extendedStatus?: string; additionalData?: string }[] };
}

/** Two payments of 1.50 GBP, paid by Bacs on a Friday; `events` are the webhooks after that. */
async function paidOnFriday(fault: object | undefined, names = ['Ann', 'Ben']) {
  const events: Event['data'][] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      events.push((JSON.parse(body) as Event).data); // of a webhook of a batch
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { sandbox, pay, read, lab } = await payingByBacs('2026-01-09T09:00:00Z', { everyDay: false, webhookUrl });
  onTestFinished(() => sandbox.close());
  if (fault) await sandbox.faults.add({ on: 'batch', fault: fault as Fault<'batch'> }); // given by the test
  const batchId = await pay('2026-01-09', names);
  await sandbox.clock.advance(2000);
  const pass = async (days: number) => {
    for (let passed = 0; passed < days; passed += 1) await sandbox.clock.advance(day);
  };
  const truth = async () => (await sandbox.batches())[0]?.payments.map(({ returned }) => returned);
  return { sandbox, lab, events, pass, truth, read: () => read(batchId) };
}

const statusesOf = ({ status, payments }: { status: string; payments: { status: string }[] }) =>
  [status, ...payments.map((each) => each.status)].join(' ');

describe('A payment that comes back', () => {
  it('does so after the banking days of its scheme, with reason, amount, charges and time (wire 12.6)', async () => {
    const { read, pass, truth } = await paidOnFriday({ kind: 'returned', index: 1, reason: 'BE01', days: 2, charges: '0.25' }); // prettier-ignore
    for (let waited = 0; waited < 3; waited += 1) {
      expect(statusesOf(await read())).toBe('Completed Completed Completed');
      await pass(1);
    }
    await pass(1);
    const batch = await read();
    expect(statusesOf(batch)).toBe('PartiallyReturned Completed Returned');
    const [kept, back] = batch.payments;
    expect(kept).not.toHaveProperty('extendedStatus');
    expect([back?.extendedStatus, back?.paymentCompletedDate]).toEqual(['BE01', expect.stringMatching(/^2026-01-09/)]);
    expect(JSON.parse(back?.additionalData ?? '')).toEqual({
      returnReason: 'Name does not match the account',
      returnedAmount: { amount: '1.25', currency: 'GBP' },
      charges: { amount: '0.25', currency: 'GBP' },
      returnedAt: '2026-01-13T00:00:00.000Z',
    });
    expect(await truth()).toEqual([
      undefined,
      { at: '2026-01-13T00:00:00.000Z', reason: 'BE01', amount: '1.25', charges: '0.25', told: 'both' },
    ]);
  });

  it.each([
    ['both', 'PartiallyReturned Completed Returned', ['PartiallyReturned Returned']],
    ['status', 'PartiallyReturned Completed Returned', []],
    ['webhook', 'Completed Completed Returned', ['Completed Returned']],
    ['event', 'Completed Completed Completed', ['Completed Returned']],
    ['twice', 'PartiallyReturned Completed Returned', ['PartiallyReturned Returned', 'PartiallyReturned Returned']],
  ])(
    'told by %s: the statuses are %s, the webhooks %j, and the truth is readable (wire 12.7)',
    async (told, statuses, said) => {
      const { read, pass, truth, events, sandbox, lab } = await paidOnFriday({
        kind: 'returned',
        index: 1,
        days: 1,
        told,
      });
      await expect.poll(() => events.map(({ status }) => status)).toContain('Completed');
      events.length = 0;
      await pass(4);
      expect(statusesOf(await read())).toBe(statuses);
      await expect.poll(() => events.map(({ status, payments = [] }) => [status, ...payments.map((each) => each.status)].join(' '))).toEqual(said); // prettier-ignore
      expect((await truth())?.map((each) => each?.amount)).toEqual([undefined, '1.50']);
      expect(await (await lab('GET', '/batches')).json()).toMatchObject({
        data: [{ returned: [{ amount: '1.50', told }] }],
      });
      const saved = await sandbox.snapshot();
      await sandbox.reset();
      await sandbox.restore(saved);
      expect((await truth())?.map((each) => each?.told)).toEqual([undefined, told]);
    },
  );

  it('is each one without an index, and the batch is Returned; charges above the amount leave nothing (wire 12.2)', async () => {
    const { read, truth } = await paidOnFriday({ kind: 'returned', charges: '99' });
    expect(statusesOf(await read())).toBe('Returned Returned Returned');
    expect((await truth())?.map((each) => [each?.amount, each?.charges])).toEqual([['0.00', '1.50'], ['0.00', '1.50']]); // prettier-ignore
  });

  it.each(Object.keys(returnReasons))('may have the reason %s, and no other word', async (reason) => {
    const { read, sandbox } = await paidOnFriday({ kind: 'returned', reason });
    expect((await read()).payments[0]?.extendedStatus).toBe(reason);
    const wrong = sandbox.faults.add({ on: 'batch', fault: { kind: 'returned', reason: 'XX00' } as Fault<'batch'> });
    await expect(wrong).rejects.toThrow('one of AC01, AC04');
  });

  it.each([
    ['Ann returns', 'PartiallyReturned Returned Completed'],
    ['returns-less', 'PartiallyReturned Returned Completed'],
    ['recalled', 'PartiallyReturned Returned Completed'],
    ['returns-silently', 'Completed Completed Completed'],
    ['fails', 'PartiallyCompleted Failed Completed'],
  ])('is that of the creditor with the magic name %s alone (behaviour 10.20.9)', async (name, statuses) => {
    const { read, truth } = await paidOnFriday(undefined, [name, 'Ben']);
    expect(statusesOf(await read())).toBe(statuses);
    expect((await truth())?.map(Boolean)).toEqual([name !== 'fails', false]);
  });
});

describe('The charges of a payment that comes back', () => {
  it.each([
    ['100', 'JPY', '2.50', '98', '2'],
    ['1.5', 'GBP', '0.2599', '1.25', '0.25'],
    ['1.500', 'KWD', '0.2599', '1.241', '0.259'],
    ['0.01', 'GBP', '2.50', '0.00', '0.01'],
    ['9999999999999.99', 'GBP', '', '9999999999999.99', '0.00'],
  ])('of %s %s are no more than it, nor parts of a minor unit: %s', (amount, currency, charges, back, taken) => {
    const fault = { kind: 'returned', index: -1, reason: 'AC04', days: 0, charges, told: 'both' } as const;
    const request = { payments: [{ instructedAmount: { amount, currency }, creditor: { name: 'Ann' } }] };
    const payments = [{ paymentId: 'p', status: 'Completed', due: '2026-01-09' }];
    const batch = { request, payments, fault } as unknown as BatchRecord; // what is read of it
    const { returned } = settledPayment(batch, 0, '2026-01-09T00:00:00Z', () => '');
    expect([returned?.amount, returned?.charges]).toEqual([back, taken]);
  });
});

it('A batch with the fault of an earlier release, which has no options, comes back whole', () => {
  const request = { payments: [{ instructedAmount: { amount: '1.50', currency: 'GBP' }, creditor: { name: 'Ann' } }] };
  const settle = (payment: object) => {
    const batch = { request, payments: [payment], fault: { kind: 'returned' } } as unknown as BatchRecord; // what is read of it
    return settledPayment(batch, 0, '2026-01-09T00:00:00Z', () => '2026-01-09');
  };
  const { returned } = settle(settle({ paymentId: 'p', status: 'Processing' }));
  expect(returned).toMatchObject({ reason: 'AC04', amount: '1.50', charges: '0.00', told: 'both' });
});

describe('Payments of one batch', () => {
  it('are held and come back each on its own day', async () => {
    const { read, pass } = await paidOnFriday(undefined, ['held', 'returns', 'held-fails', 'returns-silently', 'Ben']);
    expect(statusesOf(await read())).toBe('Processing Held Returned Held Completed Completed');
    await pass(3);
    expect(statusesOf(await read())).toBe('PartiallyReturned Completed Returned Failed Completed Completed');
  });

  it('that are held may come back after they were released', async () => {
    const { read, pass } = await paidOnFriday(undefined, ['held returns', 'Ben']);
    expect(statusesOf(await read())).toBe('Processing Held Completed');
    await pass(3);
    await pass(1);
    expect(statusesOf(await read())).toBe('PartiallyReturned Returned Completed');
  });
});

describe('A payment that is held', () => {
  it.each([
    ['released', 'Completed Completed Completed'],
    ['failed', 'PartiallyCompleted Completed Failed'],
  ])('is %s on its day, and says until then what is asked (wire 12.5)', async (end, statuses) => {
    const { read, pass, events } = await paidOnFriday({ kind: 'held', index: 1, days: 1, end });
    const batch = await read();
    expect(statusesOf(batch)).toBe('Processing Completed Held');
    expect(JSON.parse(batch.payments[1]?.additionalData ?? '')).toEqual({
      informationRequested: 'What the payment is for',
      respondBy: '2026-01-12',
    });
    await expect.poll(() => events.at(-1)?.payments?.map(({ status }) => status)).toEqual(['Held']);
    await pass(2);
    expect(statusesOf(await read())).toBe('Processing Completed Held');
    await pass(1);
    expect(statusesOf(await read())).toBe(statuses);
  });

  it.each([
    ['held', 'Completed Completed Completed'],
    ['held-fails', 'PartiallyCompleted Failed Completed'],
  ])('is that of the creditor with the magic name %s alone (behaviour 10.20.9)', async (name, statuses) => {
    const { read, pass } = await paidOnFriday(undefined, [name, 'Ben']);
    expect(statusesOf(await read())).toBe('Processing Held Completed');
    await pass(3);
    expect(statusesOf(await read())).toBe(statuses);
  });
});

it('The example of a payment that comes back in docs/sandbox.md runs as it is printed', async () => {
  const document = await readFile('docs/sandbox.md', 'utf8');
  const [example = ''] = /(?<=```js\n)const sandbox = [^`]*returned[^`]*(?=```)/.exec(document) ?? [];
  const opened = async (options: SandboxOptions) => {
    const sandbox = await createSandbox(options);
    return { ...sandbox, prepare: async (situation: Situation) => (prepared = await sandbox.prepare(situation)) };
  };
  let prepared: Prepared | undefined;
  const payInvoices = async (url: string, { applicationId, apiKey }: Sandbox['credentials']) => {
    const { token, subscriptionId, debtorId, creditors } = prepared!; // by the example
    const answer = await fetch(url + pathOf('createBatch'), {
      method: 'POST',
      headers: {
        [header.application]: applicationId,
        [header.apiKey]: apiKey,
        [header.idempotency]: 'key-1',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        data: {
          externalId: 'b-1',
          subscriptionId,
          debtor: { debtorId },
          requestedExecutionDateTime: '2026-01-09T00:00:00Z',
          payments: creditors.map(({ creditorId, name }) => ({
            instructedAmount: { amount: '120.50', currency: 'GBP' },
            creditor: { creditorId, name },
          })),
        },
      }),
    });
    expect(answer.status).toBe(201);
  };
  const run = runInThisContext(`async (createSandbox, payInvoices, assert) => {${example}}`) as Run; // as it is written here
  await run(opened, payInvoices, assert);
});
