import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { eventually } from '#tests/support/eventually.ts';

describe('An idempotency key that came with another request', () => {
  const other = {
    ...batch,
    externalId: 'another',
    payments: [{ ...payment!, instructedAmount: { amount: '7.00', currency: 'GBP' } }],
  };
  const conflict = {
    code: 'idempotency-conflict',
    status: 409,
    errors: [{ path: 'externalId' }, { path: 'payments.0.instructedAmount.amount' }],
  };

  it('is refused with the parts that differ, during the first request, afterwards and after a restart (threat 3.16)', async () => {
    const { server, service, sent, open } = await consoleWith(making());
    let answerNow = (): void => undefined;
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    const make = making();
    service.scripts[endpoints.batches] = async (...exchange) => {
      await held;
      return make(...exchange);
    };
    const first = server.done('createBatch', { body: batch, key: 'key' });
    await eventually(() => expect(sent()).not.toEqual([]));
    expect(await server.refused('createBatch', { body: other, key: 'key' })).toMatchObject(conflict);
    answerNow();
    await first;
    expect(await server.refused('createBatch', { body: other, key: 'key' })).toMatchObject(conflict);
    const restarted = await open();
    expect(await restarted.refused('createBatch', { body: other, key: 'key' })).toMatchObject(conflict);
    expect(sent()).toHaveLength(1);
  });

  it('is refused with the call that came first, also if its outcome is unknown (threat 3.16)', async () => {
    const { server, sent } = await consoleWith(lost);
    await server.refused('createBatch', { body: batch, key: 'key' });
    const problem = await server.refused('createOrganisation', { body: organisationBody, key: 'key' });
    expect(problem).toMatchObject({
      code: 'idempotency-conflict',
      detail: expect.stringContaining('createBatch') as string,
    });
    expect(sent()).toHaveLength(1);
  });
});
