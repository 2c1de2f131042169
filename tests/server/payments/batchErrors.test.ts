import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { causeOf } from '#rules/causes.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';

/** A console with a subscription, and a function that resolves with a rejected batch. */
async function begun() {
  const console = await consoleWithSandbox();
  await onboard(console);
  const { rules, subscriptionId } = await subscribe(console);
  const body = await batchBody(console, subscriptionId, paymentForm(rules));
  const rejected = (batchId: string) =>
    eventually(async () => {
      const batch = await console.done('getBatch', { params: { batchId } });
      expect(batch.data.status).toBe('Rejected');
      return batch;
    });
  return { console, body, rejected };
}

const broken = <Body extends Awaited<ReturnType<typeof batchBody>>>(body: Body, index: number): Body => ({
  ...body,
  payments: body.payments.map((payment, at) =>
    at === index ? { ...payment, creditor: { ...payment.creditor, creditorId: 'nobody' } } : payment,
  ),
});

describe('The errors of a rejected batch', () => {
  it('name the invoice by its place in that batch, also after several attempts at the payment (behaviour 4.31)', async () => {
    const { console, body, rejected } = await begun();
    const names = body.payments.map(({ remittanceInformation }) => remittanceInformation?.reference);
    const first = (await console.done('createBatch', { body: broken(body, 1) })).data.batchId;
    const one = await rejected(first);
    const causes = ({ data, error, references }: typeof one) =>
      error?.detail.map((each) => causeOf(each, data.payments, references).invoice);
    expect(causes(one)).toEqual([names[1]]);
    const turned = { ...body, externalId: 'second', payments: body.payments.toReversed() };
    const second = (await console.done('createBatch', { body: broken(turned, 0) })).data.batchId;
    expect(causes(await rejected(second))).toEqual([names[2]]);
    expect(causes(await rejected(first))).toEqual([names[1]]);
    expect((await rejected(first)).references).toEqual(names);
  });
});
