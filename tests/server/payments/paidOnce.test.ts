import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { systemClock } from '#server/clock.ts';
import { endpoints, keyTtlOf } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { paid } from '#tests/support/fixtures.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { runsOf } from '#tests/support/runCounts.ts';

const runs = runsOf(10);
const minute = 60_000;

/** The outcome of the next request at the service. */
const fates = ['made', 'lost after it was made', 'lost before it was made', 'failed', 'refused'] as const;
type Fate = (typeof fates)[number];

/** A service that creates one batch for each key that it still knows. */
function serviceAt(time: { now: number }, made: string[][]) {
  const known = new Map<string, { body: string; until: number; batchId: string }>();
  const next: { fate: Fate } = { fate: 'made' };
  const script: Script = (response, asked) => {
    const { fate } = next;
    const key = String(asked.headers['x-idempotency-key']);
    const { data } = JSON.parse(asked.body) as { data: BatchRequest };
    const kept = known.get(key);
    if (fate === 'lost before it was made') return void response.destroy();
    if (fate === 'failed') return answering({ title: 'Oops', status: 500 }, 500)(response, asked);
    if (fate === 'refused') return answering({ title: 'Bad', status: 400, code: 'No' }, 400)(response, asked);
    const remembered = kept && kept.until > time.now ? kept : undefined;
    if (remembered && remembered.body !== asked.body)
      return answering({ title: 'Another body', status: 409, code: 'No' }, 409)(response, asked);
    const batchId = remembered?.batchId ?? `batch-${made.length + 1}`;
    if (!remembered) {
      const life = keyTtlOf(data);
      known.set(key, { body: asked.body, until: time.now + life, batchId });
      made.push(data.payments.map(({ remittanceInformation }) => remittanceInformation?.reference ?? ''));
    }
    if (fate === 'lost after it was made') return void response.destroy();
    return answering({ data: { batchId, status: 'Received' } }, 201)(response, asked);
  };
  return { script, next };
}

const choice = fc.record({
  invoices: fc.constantFrom(['a'], ['b'], ['a', 'b']),
  debtorId: fc.constantFrom('debtor-1', 'debtor-2'),
  byFile: fc.boolean(),
  data: fc.constantFrom('one', 'two'),
  amount: fc.constantFrom('1.00', '2.00'),
  fate: fc.constantFrom(...fates),
  again: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('review and pay' as const), choice }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), choice, key: fc.constantFrom('1', '2', '3') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(3, 9, 11, 1500, -30) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

/** The body of a payment on that day. */
function bodyOf({ invoices, debtorId, byFile, data, amount }: Choice, now: number): Omit<BatchRequest, 'externalId'> {
  const [payment] = paid.payments;
  return {
    ...paid,
    debtor: { debtorId },
    ...(byFile && { fileFormatId: 'format-1' }),
    additionalData: { data },
    requestedExecutionDateTime: `${new Date(now).toISOString().slice(0, 10)}T00:00:00Z`,
    payments: invoices.map((reference) => ({
      ...payment!,
      instructedAmount: { amount, currency: 'GBP' },
      remittanceInformation: { reference },
    })),
  };
}

it(
  'An invoice is paid at most once by any sequence of payments, faults and restarts, unless the user confirms more (threat 3.18)',
  async () => {
    let batchesMade = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        // Today, because the time on PostgreSQL is that of the database.
        const time = { now: Date.parse(executionDate) + (24 * 60 - 10) * minute };
        const made: string[][] = [];
        const { script, next } = serviceAt(time, made);
        const service = await fakeUpstream({
          [endpoints.batches]: script,
          [endpoints.accessToken]: answering({ jwt: unsignedJwt(1e9) }, 201),
        });
        const folder = temporaryFolder();
        const open = () =>
          testConsole({ upstreamUrl: service.url, folder, clock: { ...systemClock, now: () => time.now } });
        let server = await open();
        await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
        const words = new Map<string, number>();
        /** A database has connections for some dozen runs. */
        const end = async () => {
          await server.timelines.flush();
          await server.storage.close();
        };

        for (const each of steps) {
          if (each.do === 'pass') time.now += each.minutes * minute;
          else if (each.do === 'restart') {
            await end();
            server = await open();
          } else {
            const batch = bodyOf(each.choice, time.now);
            next.fate = 'made';
            const prepared =
              each.do === 'pay' ? undefined : (await server.done('preparePayment', { body: batch })).data;
            next.fate = each.choice.fate;
            const key = each.do === 'pay' ? each.key : prepared!.key;
            const body = prepared?.first ?? { ...batch, externalId: key };
            const { again } = each.choice;
            await server.call('createBatch', { body, key, ...(again && { query: { again: 'true' as const } }) });
            if (again) for (const invoice of each.choice.invoices) words.set(invoice, (words.get(invoice) ?? 0) + 1);
          }
        }
        for (const invoice of ['a', 'b'])
          expect(made.filter((batch) => batch.includes(invoice)).length).toBeLessThanOrEqual(
            1 + (words.get(invoice) ?? 0),
          );
        batchesMade += made.length;
        await end();
      }),
      { numRuns: runs, ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }) },
    );
    expect(batchesMade).toBeGreaterThan(0); // something was paid at all
  },
  runs * 20_000,
);
