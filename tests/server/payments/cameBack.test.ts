import { expect, it } from 'vitest';
import { returnTold, type ReturnTold } from '#contract/returns.ts';
import { paymentForm } from '#rules/field.ts';
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

it('Each way of telling a return is tried', () => {
  expect(told.map(([by]) => by)).toEqual(Object.keys(returnTold));
});
