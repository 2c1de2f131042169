import { expect, it } from 'vitest';
import { returnTold, type ReturnTold } from '#contract/returns.ts';
import { afterPaid } from '#rules/afterPaid.ts';
import { marksOf } from '#rules/entryMarks.ts';
import { paymentForm } from '#rules/field.ts';
import { readSession } from '#rules/harSession.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { eventually } from '#tests/support/eventually.ts';
import { practice } from '#tests/support/faultScenarios.ts';
import { batchBody } from '#tests/support/guidedPath.ts';

const told: readonly [ReturnTold, string][] = [
  ['both', 'PartiallyReturned'],
  ['status', 'PartiallyReturned'],
  ['webhook', 'Completed'],
  ['event', 'Completed'],
  ['twice', 'PartiallyReturned'],
];

it.each(told)(
  'A payment that came back, told by %s, is no payment that was made or failed, and is paid again only when its return was shown (behaviour 4.66)',
  async (by, status) => {
    const practised = await practice();
    const { server, lab, subscriptionId, rules } = practised;
    const fault = { kind: 'returned', index: 1, reason: 'BE01', days: 0, charges: '0.10', told: by } as const;
    await lab.set({ on: 'batch', fault });
    const body = await batchBody(server, subscriptionId, paymentForm(rules));
    const { batchId } = (await server.done('createBatch', { body, query: { again: 'true' } })).data;
    const reference = body.payments[1]?.remittanceInformation?.reference;
    await eventually(async () => {
      const { data } = await server.done('getBatch', { params: { batchId } });
      const payments = data.payments as { status: string }[]; // of the sandbox
      expect([data.status, ...payments.map((each) => each.status)]).toEqual([
        status,
        'Completed',
        'Returned',
        'Completed',
      ]);
    });
    const { data: records } = await server.done('getPostedBatches');
    const record = (JSON.parse(records) as { batchId: string; totals: object }[]).find(
      (each) => each.batchId === batchId,
    );
    const { amount, currency } = body.payments[1]!.instructedAmount;
    expect(record?.totals).toMatchObject({ failed: '', returned: `${amount} ${currency}` });
    const again = { ...body, externalId: undefined, payments: [body.payments[1]!] } as never; // as the page sends it
    const { covered } = (await server.done('preparePayment', { body: again })).data;
    expect(covered).toMatchObject([{ index: 0, says: expect.stringMatching(/^Returned: Came back on \d{4}-\d\d-\d\d: Name does not match the account \(BE01\), .+ of .+, charges 0\.10 GBP$/) as unknown }]); // prettier-ignore
    expect(reference).toBeTruthy();
    const once = { ...body, externalId: 'again', payments: [body.payments[1]!] };
    expect(await server.refused('createBatch', { body: once })).toMatchObject({ code: 'paid-already' });
  },
  60_000,
);

it('A return that a webhook alone has told is in the exported session, in a situation file and in the console that opens it (behaviour 10.27.5)', async () => {
  const { server, lab, subscriptionId, rules } = await practice();
  await lab.set({ on: 'batch', fault: { kind: 'returned', index: 0, reason: 'MS02', told: 'event' } });
  const body = await batchBody(server, subscriptionId, paymentForm(rules));
  const { batchId } = (await server.done('createBatch', { body, query: { again: 'true' } })).data;
  const first = async (console: Pick<typeof server, 'done'>) =>
    (await console.done('getBatch', { params: { batchId } })).data.payments?.[0];
  const says = /Came back on .+: Refused by the payee \(MS02\)/;
  await eventually(async () =>
    expect(await first(server)).toMatchObject({ status: 'Returned', extendedStatus: 'MS02' }),
  );
  const har = await (await fetch(`${server.url}/api/timeline.har`)).text();
  const marks = readSession(har).entries.flatMap((entry) => marksOf(entry));
  expect(marks.filter(({ says: said }) => says.test(said)).map(({ word }) => word)).toEqual(['Returned']);

  const file = await server.done('saveSituation', { query: {} });
  const { payments } = file.companies[0]!;
  expect(payments.flatMap(({ answer }) => answer?.told ?? [])).toMatchObject([{ extendedStatus: 'MS02' }]);
  const other = await consoleWithSandbox();
  await other.done('openSituation', { body: file });
  expect(afterPaid((await first(other)) ?? {})).toMatch(says);
  const again = { ...body, externalId: undefined, payments: [body.payments[0]!] } as never; // as the page sends it
  const { covered } = (await other.done('preparePayment', { body: again })).data;
  expect(covered).toMatchObject([{ index: 0, says: expect.stringMatching(says) as unknown }]);
}, 60_000);

it('A payment that is held is paid again only with a confirmation, while it is held and after it was released (behaviour 4.67)', async () => {
  const { server, lab, subscriptionId, rules } = await practice();
  await lab.ask('PATCH', '/clock', { everyDay: true });
  await lab.set({ on: 'batch', fault: { kind: 'held', index: 0, days: 1 } });
  const body = await batchBody(server, subscriptionId, paymentForm(rules));
  const { batchId } = (await server.done('createBatch', { body, query: { again: 'true' } })).data;
  const read = async () => (await server.done('getBatch', { params: { batchId } })).data;
  const once = { ...body, externalId: 'again', payments: [body.payments[0]!] };
  for (const [ofBatch, status] of [
    ['Processing', 'Held'],
    ['Completed', 'Completed'],
  ]) {
    await eventually(async () => expect([(await read()).status, (await read()).payments?.[0]]).toMatchObject([ofBatch, { status }])); // prettier-ignore
    const { covered } = (await server.done('preparePayment', { body: { ...once, externalId: undefined } as never }))
      .data;
    expect(covered).toMatchObject([{ index: 0, state: 'paid' }]);
    expect(await server.refused('createBatch', { body: once })).toMatchObject({ code: 'paid-already' });
    await lab.ask('PATCH', '/clock', { move: 86_400_000 });
  }
}, 60_000);

it('Each way of telling a return is tried', () => {
  expect(told.map(([by]) => by)).toEqual(Object.keys(returnTold));
});
